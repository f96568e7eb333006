// The files that decide together with a contract: those that its commands name, and the program files that they may load.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import type { Contract } from "../../core/contract/types.ts";
import type { ApprovedFile } from "../../core/review/approval.ts";
import { programPath } from "../../io/program.ts";

/** SHA-256 of what a contract means, hexadecimal. */
export const meaningDigest = (contract: Contract): string =>
  createHash("sha256").update(contract.canonicalText).digest("hex");

/**
 * Every file that a command of the contract names, and, since what a script loads can be written in more ways than can be read, every
 * program file in the folders of those and below. What a script of JavaScript loads by a plain relative path from elsewhere is there too.
 * Sorted by path. Throws when a folder holds more than can be meant.
 */
export function decidingFiles(contract: Contract): ApprovedFile[] {
  const folder = realpathSync(dirname(contract.file));
  const found = new Map<string, ApprovedFile>();
  const folders = new Set<string>();
  for (const source of contract.secrets.values()) {
    if (source.type !== "command") continue;
    for (const part of source.command) for (const file of named(part, process.cwd())) script(file);
  }
  for (const { verifier, readback } of contract.tools.values()) {
    const mcp = readback?.source.type === "mcp" ? readback.source : undefined;
    for (const { command, cwd } of [verifier, mcp].filter((one) => one !== undefined)) {
      for (const part of command) for (const file of named(part, cwd ?? process.cwd())) script(file);
    }
  }
  return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));

  /** A file that a command names, or another script loads: itself, where it really is, and all beside it. */
  function script(file: string): void {
    const real = realpathSync(file);
    if (found.has(real)) return;
    const bytes = add(real);
    // In the folder of a program that is installed stand all the others.
    if (!PROGRAM_FILE.test(real)) return;
    below(dirname(real), 0);
    if (dirname(file) !== dirname(real)) below(realpathSync(dirname(file)), 0);
    for (const loaded of loadedBy(bytes.toString())) {
      for (const other of candidates(resolve(dirname(real), loaded))) if (isFile(other)) script(other);
    }
  }

  function below(path: string, depth: number): void {
    if (folders.has(path) || depth > MAX_DEPTH) return;
    folders.add(path);
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      const name = join(path, entry.name);
      if (entry.name === "node_modules" || entry.name.startsWith(".")) continue;
      if (entry.isDirectory()) below(name, depth + 1);
      else if (PROGRAM_FILE.test(entry.name) && isFile(name) && !found.has(realpathSync(name))) add(realpathSync(name));
    }
  }

  function add(file: string): Buffer {
    const bytes = readFileSync(file);
    const path = relative(folder, file).split(sep).join("/");
    found.set(file, { path, sha256: createHash("sha256").update(bytes).digest("hex") });
    if (found.size > MAX_FILES) throw new Error("too many files decide");
    return bytes;
  }
}

const MAX_FILES = 2000;
const MAX_DEPTH = 8;

/** fourgate and Node themselves are not the contract's; whoever can change those needs no contract. */
const OWN = [process.execPath, programPath()];

/** What interpreters load. JSON is often data that changes with every run, but for what says how modules are found. */
const PROGRAM_FILE =
  /(?:\.(?:[cm]?[jt]sx?|wasm|node|py|pyc|pyz|rb|pl|pm|php|lua|sh|bash|zsh|fish|ps1|cmd|bat|jar|class|exe|dll|so|sql)|(?:^|[/\\])package\.json)$/i;

/** The files that a word of a command may mean: itself, what stands behind a flag's `=` or letter, and what Node makes of a name without an end. */
function named(part: string, cwd: string): string[] {
  if (OWN.includes(part)) return [];
  const words = [part, /^--?[\w-]+=(.+)$/s.exec(part)?.[1], /^-[A-Za-z](.+)$/s.exec(part)?.[1]];
  return words.flatMap((word) => (word ? candidates(resolve(cwd, word)).filter(isFile) : []));
}

const ENDS = [
  "",
  ".js",
  ".cjs",
  ".mjs",
  ".json",
  "/package.json",
  "/index.js",
  "/index.cjs",
  "/index.mjs",
  "/__main__.py",
];
const candidates = (path: string): string[] => ENDS.map((end) => `${path}${end}`);

/** Relative paths that a script of JavaScript imports or requires, as far as they are written plainly. */
function loadedBy(source: string): string[] {
  const plain = source.matchAll(/(?:\bfrom|\bimport|\brequire)\s*\(?\s*["'](\.{1,2}\/[^"'\n?#]+)/g);
  return [...plain].map(([, path]) => path!);
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
