// The lines on stderr with which a guard says what it is about to do: names and counts, never values.

import { basename, resolve } from "node:path";
import { placeName } from "../../core/contract/issue.ts";
import type { Contract } from "../../core/contract/types.ts";
import { programThere } from "../../io/program-there.ts";
import type { GuardOptions } from "../guard.ts";
import { version } from "../version.ts";
import { secretNames } from "./secret-names.ts";

const MEANING = {
  shadow: "shadow: nothing is changed, outcomes are only recorded",
  enforce: "enforce: a confirmed FAIL is put before the server's own answer",
};

/** The banner of a session about to start, and a warning for each credential that is not set and each verifier that is not there. */
export function bannerLines(options: GuardOptions, contract: Contract, env: NodeJS.ProcessEnv): string[] {
  const secrets = secretNames(contract);
  const unset = [...secrets, ...placeNames(contract)].filter((name) => !env[name]);
  const [program, ...args] = options.command;
  const withheld = secrets.map(
    (name) => `${name} ${env[name] ? "(set)" : "(NOT SET: checks that need it will be UNKNOWN)"}`,
  );
  return [
    `fourgate guard ${version}`,
    `  mode: ${MEANING[options.mode]}`,
    `  server label: ${options.server}`,
    `  contracts: ${contract.file}`,
    `  protected tools: ${[...contract.tools.keys()].sort().map(printable).join(", ")}`,
    `  withheld from the server: ${withheld.join(", ") || "nothing"}`,
    `  outcome log: ${options.log === undefined ? "stderr" : resolve(options.log)}`,
    `  server: ${printable(basename(program))} (+${args.length} args)`,
    ...unset.map((name) => `fourgate guard: WARNING: ${name} is not set; set it where the client starts fourgate`),
    ...missingVerifiers(contract, env).map((problem) => `fourgate guard: WARNING: ${problem}`),
  ];
}

/** Verifiers whose program is not there. It may still come, so that is no reason not to start. */
function missingVerifiers({ tools }: Contract, env: NodeJS.ProcessEnv): string[] {
  const there = new Map<string, boolean>();
  return [...tools.values()].flatMap(({ tool, verifier }) => {
    if (verifier === undefined) return [];
    const { command, cwd } = verifier;
    const program = command[0]!;
    const key = JSON.stringify([program, cwd]);
    // Every verifier has fourgate's own PATH, whatever else its contract leaves out.
    if (!there.has(key)) there.set(key, programThere(program, cwd, env));
    if (there.get(key)) return [];
    const place = placeName(["tools", tool, "verifier", "command", 0]);
    return `${place}: ${printable(program)} is not found or may not be run; until it is there, checks will be UNKNOWN`;
  });
}

/** The variables that say where read-backs find files and databases, which are no secret. */
function placeNames({ tools }: Contract): string[] {
  const readbacks = [...tools.values()].flatMap(({ readback }) => readback ?? []);
  // What an MCP server gets beside its credentials may be left out.
  const names = readbacks.flatMap(({ source, environment }) => (source.type === "mcp" ? [] : environment));
  return [...new Set(names)].sort();
}

/** A name fit for a terminal: what could move the cursor or hide text is escaped. */
export function printable(name: string): string {
  return name.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (c) => `\\u{${c.codePointAt(0)!.toString(16)}}`);
}
