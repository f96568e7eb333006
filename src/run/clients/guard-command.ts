// The command that a wrapped entry gets: absolute, so that it runs from wherever the client starts it, with whatever PATH.

import { stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { baseNames } from "../../core/base-environment.ts";
import type { Guard } from "../../core/config/change.ts";
import { formatIssue } from "../../core/contract/issue.ts";
import type { Contract } from "../../core/contract/types.ts";
import { MAX_LABEL_CHARACTERS } from "../../core/limits.ts";
import { programPath } from "../../io/program.ts";
import { sameFile } from "../../io/same-file.ts";
import { missingDrivers } from "../guard/drivers.ts";
import { secretNames } from "../guard/secret-names.ts";
import { loadContract } from "../load-contract.ts";

export interface GuardRequest {
  readonly name: string;
  readonly contracts: string;
  readonly mode: string | undefined;
  readonly server: string | undefined;
  readonly log: string | undefined;
}

export interface GuardCommand {
  readonly guard: Guard;
  /** Environment variables that checks need, beside those that any program has. */
  readonly needed: readonly string[];
  readonly problems: readonly string[];
}

/** Looks at all that guard would refuse at its start, and says it together. */
export async function guardCommand(request: GuardRequest): Promise<GuardCommand> {
  const { contracts, mode, server, log } = request;
  const problems: string[] = [];
  const loaded = await loadContract(contracts);
  if (loaded.ok) problems.push(...(await missingDrivers(loaded.contract)));
  else problems.push(...loaded.issues.map((issue) => `contract error: ${formatIssue(issue)}`));
  if (log !== undefined) problems.push(...(await logProblems(log, contracts)));
  const program = programPath();
  if (/[/\\]_npx[/\\]/.test(program)) {
    problems.push("fourgate runs from npx's cache, which may be emptied; install it, and wrap with that one");
  }
  const args = [
    program,
    "guard",
    ...["--contracts", resolve(contracts)],
    ...(mode === undefined ? [] : ["--mode", mode]),
    ...["--server", server ?? label(request.name)],
    ...(log === undefined ? [] : ["--log", resolve(log)]),
  ];
  return {
    guard: { command: process.execPath, args },
    needed: loaded.ok ? neededNames(loaded.contract) : [],
    problems,
  };
}

function neededNames(contract: Contract): string[] {
  const named = [...contract.tools.values()].flatMap(({ verifier, readback }) => [
    ...(verifier?.env ?? []),
    ...(readback?.environment ?? []),
  ]);
  const base = new Set(baseNames(process.platform));
  return [...new Set([...secretNames(contract), ...named])].filter((name) => !base.has(name)).sort();
}

async function logProblems(log: string, contracts: string): Promise<string[]> {
  if (sameFile(log, contracts)) return [`--log ${log}: this is the contract file; name another file for the log`];
  const there = await stat(resolve(log)).catch(() => undefined);
  if (there?.isDirectory()) return [`--log ${log}: this is a directory`];
  const folder = await stat(dirname(resolve(log))).catch(() => undefined);
  return folder?.isDirectory() ? [] : [`--log ${log}: the directory ${dirname(resolve(log))} is not there`];
}

/** A server's name as a label, which has fewer characters to choose from. */
function label(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9._-]+/g, "-").slice(0, MAX_LABEL_CHARACTERS) || "server";
}
