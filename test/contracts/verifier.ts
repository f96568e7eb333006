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
