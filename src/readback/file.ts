// `type: file`: looks at one file or folder below its root, and makes the record of it.

import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { realpath } from "node:fs/promises";
import { resolve, sep } from "node:path";
import { MAX_READBACK_BODY_BYTES } from "../core/limits.ts";
import type { FileSource } from "../core/readback/kinds/file.ts";
import { type FilledPath, fillPath, writtenPath } from "../core/readback/path-template.ts";
import type { DoubtReason, Observation } from "../core/readback/types.ts";
import { jsonValue } from "../core/wire/validate.ts";
import type { Adapter, AdapterContext } from "./adapter.ts";
import { codeOf, openBelow } from "./file-open.ts";
import { placePath } from "./place-path.ts";

const WINDOWS = process.platform === "win32";

const doubt = (reason: DoubtReason, note: string): Observation => ({ type: "doubt", reason, note });

/** Opens the adapter; nothing is looked at before the first read. */
export async function openFile(source: FileSource, context: AdapterContext): Promise<Adapter> {
  return {
    describe(fields) {
      const filled = fields && fillPath(source.path, fields, WINDOWS);
      if (filled?.type === "absolute") return `the ${source.entry} at the path of the field, below ${source.shownRoot}`;
      return `the ${source.entry} ${filled?.parts.join("/") ?? writtenPath(source.path)} below ${source.shownRoot}`;
    },
    async read({ fields }) {
      const filled = fillPath(source.path, fields, WINDOWS);
      if (filled === undefined) {
        return doubt("readback_selector_invalid", "a value is missing, or must not be put into a path");
      }
      const root = placePath(source.root, context);
      if (!root.ok) return doubt("readback_error", root.note);
      let realRoot: string;
      try {
        realRoot = await realpath(root.path);
      } catch (error) {
        return doubt("readback_error", `the root: ${codeOf(error)}`);
      }
      const parts = belowRoot(filled, [resolve(root.path), realRoot]);
      if (parts === undefined) return doubt("readback_selector_invalid", "the path does not lie below the root");
      return look(source, realRoot, parts);
    },
    close: async () => {},
  };
}

/** The names from the root on; undefined for a path that lies elsewhere. */
function belowRoot(filled: FilledPath, roots: readonly string[]): readonly string[] | undefined {
  if (filled.type === "below") return filled.parts;
  const fold = (name: string | undefined) => (WINDOWS ? name?.toLowerCase() : name);
  for (const root of roots) {
    const names = root.split(sep).filter((name) => name !== "");
    if (names.every((name, i) => fold(name) === fold(filled.parts[i])) && filled.parts.length > names.length) {
      return filled.parts.slice(names.length);
    }
  }
  return undefined;
}

async function look(source: FileSource, realRoot: string, parts: readonly string[]): Promise<Observation> {
  const entry = await openBelow(realRoot, parts);
  switch (entry.type) {
    case "doubt":
      return doubt("readback_error", entry.note);
    case "missing":
      if (!entry.folder || source.missingFolderIsMissing) return { type: "missing", note: "it is not there" };
      return doubt("readback_unconfirmed", "a folder of the path is not there");
    case "folder":
      if (source.entry === "folder") return { type: "record", json: "{}", note: "a folder" };
      return doubt("readback_unconfirmed", "a folder stands there");
    case "file":
      try {
        if (source.entry === "folder") return doubt("readback_unconfirmed", "a file stands there");
        return await record(source, entry.handle, entry.stats.size);
      } catch (error) {
        return doubt("readback_error", codeOf(error));
      } finally {
        await entry.handle.close().catch(() => {});
      }
  }
}

// A mark of byte order belongs to the text; JSON has none.
const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

async function record({ format }: FileSource, handle: FileHandle, size: number): Promise<Observation> {
  const bytes = size > MAX_READBACK_BODY_BYTES ? undefined : await readAll(handle);
  if (bytes === undefined) {
    if (format !== "text") return doubt("readback_unconfirmed", "the file is larger than 1 MiB");
    return { type: "record", json: `{"size":${size}}`, note: "a file of more than 1 MiB, its size alone" };
  }
  const after = await handle.stat();
  if (after.size !== bytes.length) return doubt("readback_unconfirmed", "the file is being changed");
  let text: string | undefined;
  try {
    text = strictUtf8.decode(bytes);
  } catch {}
  if (format === "text") {
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    const json = JSON.stringify({ ...(text !== undefined && { text }), sha256, size: bytes.length });
    return { type: "record", json, note: text === undefined ? "a file that is not UTF-8" : "a file" };
  }
  if (text === undefined) return doubt("readback_error", "the file is not UTF-8");
  const plain = text.replace(/^\ufeff/, "");
  const json = format === "json" ? plain : linesJson(plain);
  const encoded = new TextEncoder().encode(json);
  if (jsonValue(encoded, 0, encoded.length) === undefined) return doubt("readback_error", "the file is not JSON");
  return { type: "record", json, note: "a file" };
}

/** Lines of JSON as one list; a line that is not JSON makes the whole none. */
function linesJson(text: string): string {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const encoder = new TextEncoder();
  for (const line of lines) {
    const bytes = encoder.encode(line);
    if (jsonValue(bytes, 0, bytes.length) === undefined) return "";
  }
  return `[${lines.join()}]`;
}

/** All of a file, or undefined when there is more than is read. */
async function readAll(handle: FileHandle): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const chunk = new Uint8Array(64 * 1024);
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, size);
    if (bytesRead === 0) return Buffer.concat(chunks);
    chunks.push(chunk.subarray(0, bytesRead));
    size += bytesRead;
    if (size > MAX_READBACK_BODY_BYTES) return undefined;
  }
}
