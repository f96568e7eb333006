// How a command that a person wrote is started: elsewhere as it is, on Windows with its file found and batch files run.

import { existsSync } from "node:fs";
import { win32 } from "node:path";
import type { Environment } from "./environment.ts";

export interface Launch {
  readonly program: string;
  readonly args: readonly string[];
  /** The arguments are one finished Windows command line and must not be quoted again. */
  readonly verbatim: boolean;
}

/** What a command that cannot be started so is called, in the system's way of naming errors. */
export type LaunchProblem = "EINVAL";

export interface LaunchFacts {
  readonly platform: NodeJS.Platform;
  readonly exists: (path: string) => boolean;
}

const REAL: LaunchFacts = { platform: process.platform, exists: existsSync };

/**
 * Takes a program, its arguments and the environment it will get. On Windows a bare name is looked up on that
 * environment's PATH with its PATHEXT, and a batch file, which Node refuses to start, goes through cmd.exe
 * (nodejs/node#52681). Gives EINVAL for an argument that no batch file can be given.
 */
export function launch(
  program: string,
  args: readonly string[],
  env: Environment,
  facts: LaunchFacts = REAL,
): Launch | LaunchProblem {
  if (facts.platform !== "win32") return { program, args, verbatim: false };
  const file = find(program, env, facts.exists) ?? program;
  if (!/\.(bat|cmd)$/i.test(file)) return { program: file, args, verbatim: false };
  if ([file, ...args].some((word) => /[\0\r\n]/.test(word)) || file.includes('"')) return "EINVAL";
  const line = [`"${file}"`, ...args.map(batchArgument)].join(" ");
  const shell = variable(env, "COMSPEC") ?? "cmd.exe";
  return { program: shell, args: ["/e:ON", "/v:OFF", "/d", "/c", `"${line}"`], verbatim: true };
}

function find(program: string, env: Environment, exists: (path: string) => boolean): string | undefined {
  const endings = (variable(env, "PATHEXT") ?? ".COM;.EXE;.BAT;.CMD").split(";").filter((ending) => ending !== "");
  const named = endings.some((ending) => program.toLowerCase().endsWith(ending.toLowerCase()));
  const names = named ? [program] : endings.map((ending) => program + ending.toLowerCase());
  const hasPath = /[\\/:]/.test(program);
  const folders = hasPath ? [undefined] : (variable(env, "PATH") ?? "").split(";").filter((folder) => folder !== "");
  for (const folder of folders) {
    for (const name of names) {
      const path = folder === undefined ? name : win32.join(folder.replace(/^"|"$/g, ""), name);
      if (exists(path)) return path;
    }
  }
  return undefined;
}

/**
 * One argument of a batch file. Between quotes cmd.exe reads nothing but `"` and `%`: the first is doubled, which a
 * C program reads back as one, and after the second stands an expansion to nothing, so that no two of them can
 * enclose a variable's name. Backslashes before the closing quote are doubled, as C programs expect.
 */
function batchArgument(argument: string): string {
  const inner = argument
    .replace(/(\\*)"/g, '$1$1""')
    .replace(/(\\+)$/, "$1$1")
    .replaceAll("%", "%%cd:~,%");
  return `"${inner}"`;
}

/** Windows variable names have no case. */
function variable(env: Environment, name: string): string | undefined {
  const found = Object.keys(env).find((key) => key.toUpperCase() === name);
  return found === undefined ? undefined : env[found];
}
