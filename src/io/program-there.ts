// Whether the program of a command is there to be started, looked up as the system would.

import { accessSync, constants, existsSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import type { Environment } from "./environment.ts";
import { launch } from "./launch.ts";

/** False when starting it is sure to fail; in doubt true. `cwd` and `env` are those that the program would get. */
export function programThere(program: string, cwd: string | undefined, env: Environment): boolean {
  const folder = cwd ?? process.cwd();
  if (process.platform === "win32") return windowsFinds(program, env);
  if (program.includes("/")) return mayRun(resolve(folder, program));
  // Without PATH each system has a list of its own.
  if (env.PATH === undefined) return true;
  return env.PATH.split(delimiter).some((part) => mayRun(join(resolve(folder, part), program)));
}

function mayRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function windowsFinds(program: string, env: Environment): boolean {
  const start = launch(program, [], env);
  if (typeof start === "string") return false;
  // A path that is not absolute may be meant from more than one folder.
  const isName = !/[\\/:]/.test(start.program);
  return isName ? false : !isAbsolute(start.program) || existsSync(start.program);
}
