// Runs a verifier program as fourgate does and says what it came to.

import { spawnSync } from "node:child_process";
import { resolve } from "node:path";

/** `pass`, `fail REASON`, or `doubt` (exit status 1 and nothing on stdout). Anything else breaks the verifier's protocol. */
export function verdict(folder: string, tool: string, fields: unknown, env: Record<string, string> = {}): string {
  const run = spawnSync(process.execPath, ["verify.mjs", tool], {
    cwd: resolve("contracts", folder),
    env: { PATH: process.env.PATH, HOME: "/nonexistent-home", ...env },
    input: typeof fields === "string" ? fields : JSON.stringify(fields),
    encoding: "utf8",
  });
  if (run.status === 1 && run.stdout === "" && run.stderr.startsWith("in doubt: ")) return "doubt";
  if (run.status !== 0) throw new Error(`exit status ${run.status}: ${run.stdout}${run.stderr}`);
  const reply = JSON.parse(run.stdout) as { status: string; reason_code?: string };
  return [reply.status, ...(reply.reason_code === undefined ? [] : [reply.reason_code])].join(" ");
}

interface Reply {
  readonly status: string;
  readonly reason_code?: string;
}

/** A module of a ready contract, to be run in this process: most checks need no process of their own to be tried. */
// biome-ignore lint/suspicious/noExplicitAny: contracts are plain JavaScript
export function moduleOf(folder: string, name: string): Promise<any> {
  return import(resolve("contracts", folder, `${name}.mjs`));
}

/** The same words as `verdict`, of a check that is run in this process. A fault in the check's own code is no doubt. */
export async function verdictIn(run: () => Reply | Promise<Reply>): Promise<string> {
  try {
    const reply = await run();
    return [reply.status, ...(reply.reason_code === undefined ? [] : [reply.reason_code])].join(" ");
  } catch (error) {
    if (error instanceof TypeError || error instanceof ReferenceError || error instanceof SyntaxError) throw error;
    return "doubt";
  }
}
