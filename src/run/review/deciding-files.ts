// The files that decide together with a contract: scripts and read-backs that its commands name, and what scripts load from beside them.

import { createHash } from "node:crypto";
import { readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, relative, resolve, sep } from "node:path";
import type { Contract } from "../../core/contract/types.ts";
import type { ApprovedFile } from "../../core/review/approval.ts";
import { programPath } from "../../io/program.ts";

/** SHA-256 of what a contract means, hexadecimal. */
export const meaningDigest = (contract: Contract): string =>
  createHash("sha256").update(contract.canonicalText).digest("hex");

/** Every file that a command of the contract names, and what those load by a relative path in turn. Sorted by path. */
export function decidingFiles(contract: Contract): ApprovedFile[] {
  const folder = dirname(contract.file);
  const found = new Map<string, ApprovedFile>();
  for (const { verifier, readback } of contract.tools.values()) {
    const mcp = readback?.source.type === "mcp" ? readback.source : undefined;
    const commands = [verifier, mcp].filter((one) => one !== undefined);
    for (const { command, cwd } of commands) {
      // fourgate and Node themselves are not the contract's; whoever can change those needs no contract.
      for (const part of command) if (!OWN.includes(part)) add(resolve(cwd ?? process.cwd(), part));
    }
  }
  return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));

  function add(file: string): void {
    if (found.has(file) || !isFile(file)) return;
    const bytes = readFileSync(file);
    const path = relative(folder, file).split(sep).join("/");
    found.set(file, { path, sha256: createHash("sha256").update(bytes).digest("hex") });
    if (SCRIPT.test(file)) for (const loaded of loadedBy(bytes.toString())) add(resolve(dirname(file), loaded));
  }
}

const OWN = [process.execPath, programPath()];
const SCRIPT = /\.[cm]?[jt]s$/;

/** Relative paths that a script of JavaScript imports or requires. */
function loadedBy(source: string): string[] {
  return [...source.matchAll(/(?:\bfrom|\bimport|\brequire)\s*\(?\s*["'](\.{1,2}\/[^"'\n]+)["']/g)].map(
    ([, path]) => path!,
  );
}

function isFile(path: string): boolean {
  try {
    return statSync(realpathSync(path)).isFile();
  } catch {
    return false;
  }
}
