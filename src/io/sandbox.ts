// Runs the server under bubblewrap: with a process table of its own it sees neither fourgate nor what fourgate starts.

import { spawnSync } from "node:child_process";
import type { Environment } from "./environment.ts";
import { programThere } from "./program-there.ts";

export type Sandboxed =
  | { readonly ok: true; readonly command: readonly [string, ...string[]] }
  | { readonly ok: false; readonly problem: string };

/**
 * The command that runs `command` so. `hidden`: files that it finds empty. The file system, the network and the user stay
 * as they are. Whether namespaces may be made is tried before.
 */
export function sandboxed(
  command: readonly [string, ...string[]],
  hidden: readonly string[],
  environment: Environment,
): Sandboxed {
  if (process.platform !== "linux") return { ok: false, problem: "--sandbox needs Linux" };
  if (!programThere("bwrap", undefined, environment)) {
    return {
      ok: false,
      problem: "--sandbox needs bubblewrap: install it (apt install bubblewrap), or leave the flag out",
    };
  }
  // Its start then fails with a word of its own.
  if (!programThere(command[0], undefined, environment)) return { ok: true, command };
  const tried = spawnSync("bwrap", [...ARGUMENTS, "--", "true"], { stdio: "ignore", timeout: 5000 });
  if (tried.status !== 0) {
    return {
      ok: false,
      problem:
        "--sandbox: bwrap may not make namespaces here (user namespaces may be turned off, or this is a container)",
    };
  }
  const masks = hidden.flatMap((path) => ["--ro-bind", "/dev/null", path]);
  return { ok: true, command: ["bwrap", ...ARGUMENTS, ...masks, "--", ...command] };
}

/** Everything as it is but the processes; they end with bwrap, and it with us. */
const ARGUMENTS = ["--die-with-parent", "--unshare-pid", "--dev-bind", "/", "/", "--proc", "/proc"];
