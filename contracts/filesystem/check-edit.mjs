// The check of edit_file. The state before the edit is gone, so two things are compared with the file as it is now: the text that
// the last edit was to leave behind, and the diff that the server itself answered with.

import { readFile } from "node:fs/promises";
import { mismatch, missing, pass } from "./checks.mjs";
import { parseDiff } from "./diff.mjs";
import { locate } from "./locate.mjs";

/** Beyond this size (bytes) the file is not read: the verifier has two seconds, and UNKNOWN is better than a time-out. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;

/** PASS: the last edit's text is in the file, and every hunk of the diff stands there at its line. Throws when in doubt. */
export async function checkEdit({ path, arguments: call, diff }) {
  // A preview writes nothing, so there is nothing to be proven either way.
  if (call.dryRun !== undefined && call.dryRun !== false) throw new Error("a dry run writes nothing");
  const last = Array.isArray(call.edits) ? call.edits.at(-1) : undefined;
  if (typeof last?.newText !== "string" || typeof last.oldText !== "string") throw new Error("no edits to check");
  const found = await locate(path);
  if (found.type === "missing") return missing;
  if (found.type === "directory") return mismatch;
  if (found.size > MAX_FILE_BYTES) throw new Error("the file is too large to be checked");
  const text = normalise(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await readFile(found.path)));

  if (!withoutIndent(text).includes(withoutIndent(normalise(last.newText)))) return mismatch;
  const lines = text.split("\n");
  const hunks = parseDiff(diff);
  if (!hunks.every((hunk) => standsIn(lines, hunk, hunk.after))) return mismatch;
  // An edit that replaces a text by itself gives no hunk; its text is there, and that is all it asked for.
  if (hunks.length === 0 && call.edits.some((edit) => edit.newText !== edit.oldText)) {
    throw new Error("the server shows no change, and the text may have been there before");
  }
  if (hunks.length > 0 && hunks.every((hunk) => standsIn(lines, hunk, hunk.before))) {
    throw new Error("what the edit was to replace stands there as well");
  }
  return pass;
}

/** The server writes line feeds only; a carriage return that it leaves before one never shows in its diff. */
function normalise(text) {
  return text.replace(/\r+\n/g, "\n");
}

/**
 * Where an edit matches only loosely the server moves its lines to the indent that it finds, and carriage returns may go or stay:
 * neither is evidence.
 */
function withoutIndent(text) {
  return text
    .replaceAll("\r", "")
    .split("\n")
    .map((line) => line.trimStart())
    .join("\n");
}

/** Whether one side of a hunk stands in the file at the hunk's line. */
function standsIn(lines, { start, endsFile }, side) {
  if (side.lines.length === 0) return lines.length === 1 && lines[0] === "";
  const first = Math.max(start, 1) - 1;
  const same = (a, b) => a !== undefined && a.replace(/\r+$/, "") === b.replace(/\r+$/, "");
  if (!side.lines.every((line, index) => same(lines[first + index], line))) return false;
  if (!endsFile) return true;
  const rest = lines.slice(first + side.lines.length);
  return side.endsWithNewline ? rest.length === 1 && rest[0] === "" : rest.length === 0;
}
