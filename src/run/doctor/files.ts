// What the files around a contract tell without being opened for writing: programs, who may change them, the log.

import { accessSync, constants, existsSync, statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import type { Contract, VerifierSpec } from "../../core/contract/types.ts";
import type { History, LogFacts, ProgramFacts } from "../../core/doctor/types.ts";
import { readRecordLine } from "../../core/summary/record-line.ts";
import type { Environment } from "../../io/environment.ts";
import { programThere } from "../../io/program-there.ts";
import { sameFile } from "../../io/same-file.ts";
import { readLog } from "../summary/sources.ts";

const INTERPRETER = /^(?:node|python|ruby|perl|php|deno|bun|sh|bash|dash|zsh|ksh|pwsh|powershell)[\d.]*(?:\.exe)?$/i;

/** The program that a verifier's command starts, and the script where it is an interpreter. */
export function programFacts({ command, cwd }: VerifierSpec, environment: Environment): ProgramFacts {
  const [program = "", ...args] = command;
  const there = programThere(program, cwd, environment);
  const script = INTERPRETER.test(basename(program)) ? scriptOf(args) : undefined;
  if (script === undefined) return { program, there };
  return { program, there, script: { path: script, there: isFile(resolve(cwd ?? process.cwd(), script)) } };
}

/** The first argument, unless it is a flag: what follows one may be code or anything else. */
function scriptOf([first]: readonly string[]): string | undefined {
  return first === undefined || first.startsWith("-") ? undefined : first;
}

/** Whether guard could open the log, without opening it; and what it holds of this server. */
export async function logFacts(path: string | undefined, contract: Contract, server: string): Promise<LogFacts> {
  const facts = { path, problem: undefined, exists: false, history: undefined };
  if (path === undefined) return facts;
  const full = resolve(path);
  if (full === "/dev/stdout") return { ...facts, problem: "stdout carries the MCP traffic; name a file for the log" };
  if (sameFile(full, contract.file))
    return { ...facts, problem: "this is the contract file; name another file for the log" };
  const there = statSync(full, { throwIfNoEntry: false });
  if (there?.isDirectory()) return { ...facts, problem: "it is a directory; name a file in it" };
  const device = full === "/dev/null" || full === "/dev/stderr";
  if (there !== undefined && !there.isFile() && !device)
    return { ...facts, problem: "it is a pipe, a device or a socket and no file" };
  if (there === undefined && !existsSync(dirname(full)))
    return { ...facts, problem: "its directory does not exist; make it first" };
  if (!mayWrite(there === undefined ? dirname(full) : full))
    return { ...facts, problem: "it may not be written by this user" };
  return {
    ...facts,
    exists: there !== undefined,
    history: there?.isFile() ? await historyIn(full, server) : undefined,
  };
}

async function historyIn(log: string, server: string): Promise<History | undefined> {
  const history = new Map<string, Map<string, number>>();
  const problem = await readLog(
    log,
    (line) => {
      const record = line === undefined ? undefined : readRecordLine(line);
      if (record === undefined || record === "blank" || record.server !== server) return;
      const reasons = history.get(record.tool) ?? new Map<string, number>();
      history.set(record.tool, reasons.set(record.reasonCode, (reasons.get(record.reasonCode) ?? 0) + 1));
    },
    () => {},
    new AbortController().signal,
  );
  return problem === undefined && history.size > 0 ? history : undefined;
}

function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
