// The files that decide what a FAIL is, and whether somebody else may change them.

import { statSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import { placeName } from "../../core/contract/issue.ts";
import type { Contract } from "../../core/contract/types.ts";
import type { Environment } from "../../io/environment.ts";
import { type Looseness, looseness } from "../../io/loose-file.ts";
import { programPath } from "../../io/program.ts";

/** A file that decides and that is not only its owner's. */
export interface LooseFile extends Looseness {
  /** Where the contract names it; empty for the contract itself. */
  readonly place: string;
  /** As it is named. */
  readonly file: string;
}

/**
 * The contract, and of each verifier, MCP server that is asked and program that prints a credential, the program and every file among the arguments: each that others may
 * change, once. A program where programs are installed may be a link, as they often are; any other file may not.
 */
export function looseFiles({ file, tools, secrets }: Contract, env: Environment): LooseFile[] {
  const found = new Map<string, LooseFile>();
  const seen = new Set<string>();
  function look(path: string, place: string, linkMayBe: boolean): void {
    const key = `${linkMayBe} ${path}`;
    if (seen.has(key)) return;
    seen.add(key);
    const loose = looseness(path, linkMayBe);
    if (loose !== undefined && !found.has(loose.path)) found.set(loose.path, { ...loose, place, file: path });
  }
  function lookAt(command: readonly string[], cwd: string, steps: readonly (string | number)[]): void {
    for (const [at, word] of command.entries()) {
      const path = at > 0 || word.includes("/") ? resolve(cwd, word) : onPath(word, cwd, env);
      if (path === undefined || OWN.includes(path) || !isFile(path)) continue;
      look(path, placeName([...steps, at]), isInstalled(path, env));
    }
  }
  look(file, "", true);
  for (const [name, source] of secrets) {
    if (source.type === "command") lookAt(source.command, process.cwd(), ["secret_command", name]);
  }
  for (const { tool, verifier, readback } of tools.values()) {
    const mcp = readback?.source.type === "mcp" ? readback.source : undefined;
    if (verifier) lookAt(verifier.command, verifier.cwd ?? process.cwd(), ["tools", tool, "verifier", "command"]);
    if (mcp) lookAt(mcp.command, mcp.cwd ?? process.cwd(), ["tools", tool, "readback", "command"]);
  }
  return [...found.values()];
}

/** One sentence on a loose file, and what to do. */
export function looseProblem({ place, file, path, how }: LooseFile): string {
  const where = place === "" ? "" : `${place}: `;
  if (how === "link")
    return `${where}${file} is a symbolic link, which may point elsewhere tomorrow; name the file itself`;
  const what = path === file ? file : `${path}, on the way to ${file},`;
  return `${where}${what} can be changed by other users, who could decide what is a FAIL; take their permission to write (chmod go-w)`;
}

/** fourgate and Node themselves are not the contract's. */
const OWN = [process.execPath, programPath()];

const folders = ({ PATH = "" }: Environment): string[] => PATH.split(delimiter).filter((folder) => folder !== "");

function onPath(program: string, cwd: string, env: Environment): string | undefined {
  return folders(env)
    .map((folder) => join(resolve(cwd, folder), program))
    .find(isFile);
}

/** Where systems keep programs, whatever PATH says. */
const SYSTEM = ["/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/local/bin", "/opt/homebrew/bin"];

const isInstalled = (path: string, env: Environment): boolean => [...SYSTEM, ...folders(env)].includes(dirname(path));

const isFile = (path: string): boolean => {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
};
