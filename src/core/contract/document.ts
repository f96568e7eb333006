// Bytes of a file -> the position tree of its one value, in whichever of the three formats its name says.

import { decodeText } from "./decode.ts";
import { type Finding, toIssues } from "./issue.ts";
import { type Parsed, parseJson } from "./parse-json.ts";
import { positions } from "./position.ts";
import { findDuplicates } from "./structure.ts";
import type { Node } from "./tree.ts";
import type { ContractIssue } from "./types.ts";
import { words } from "./words.ts";

export type Document =
  | {
      readonly ok: true;
      readonly root: Node;
      readonly text: string;
      /** What is wrong so far: syntax that could be read past, and keys given twice. */
      readonly findings: readonly Finding[];
      /** The issues for findings at offsets of the text. */
      readonly issues: (findings: readonly Finding[]) => readonly ContractIssue[];
    }
  | { readonly ok: false; readonly issues: readonly ContractIssue[] };

/**
 * Reads a file's one value. The name decides how: `.yaml` and `.yml` are YAML, `.jsonc` is JSON with comments and trailing
 * commas, anything else is plain JSON. Never throws for any bytes.
 */
export async function readDocument(bytes: Uint8Array, file: string): Promise<Document> {
  const decoded = decodeText(bytes);
  if (!decoded.ok) {
    const finding = { at: decoded.before.length, ...words.notUtf8(decoded.utf16) };
    return { ok: false, issues: toIssues(file, [finding], positions(decoded.before)) };
  }
  const { text } = decoded;
  const position = positions(text);
  const issues = (findings: readonly Finding[]) => toIssues(file, findings, position);
  if (text.trim() === "") return { ok: false, issues: issues([{ at: 0, ...words.empty() }]) };
  const { root, findings } = await parse(text, file);
  if (root === undefined) return { ok: false, issues: issues(findings) };
  return { ok: true, root, text, findings: [...findings, ...findDuplicates(root, position)], issues };
}

async function parse(text: string, file: string): Promise<Parsed> {
  const name = file.toLowerCase();
  if (!/\.ya?ml$/.test(name)) return parseJson(text, name.endsWith(".jsonc"));
  const { parseYaml } = await import("./parse-yaml.ts");
  return parseYaml(text);
}
