// The server under scan as a process: what it gets to see, and that nothing of it is left.

import { baseNames } from "../../core/base-environment.ts";
import { credentialNames } from "../../core/contract/check.ts";
import { SCAN_SERVER_EXIT_MS, SCAN_SERVER_TERM_MS } from "../../core/limits.ts";
import type { Scan } from "../../core/scan/types.ts";
import { type Environment, serverEnvironment } from "../../io/environment.ts";
import { groupIsEmpty, killTree, snapshotDescendants } from "../../io/process-tree.ts";
import { type ServerProcess, type ServerStart, startServer } from "../../io/server-process.ts";

/** The credentials of every check, which the server must not see: also of contracts that no case uses. */
export function withheldNames({ cases, contracts }: Scan): string[] {
  const checks = [...cases.map(({ contract }) => contract), ...(contracts?.tools.values() ?? [])];
  return [...new Set(checks.flatMap(credentialNames))].sort();
}

/** What the server sees of fourgate's environment. */
export function scanServerEnvironment(scan: Scan, own: Environment): Record<string, string> {
  const withheld = withheldNames(scan);
  const { env } = scan.server;
  if (env === undefined) return serverEnvironment(own, withheld);
  const shown = new Set([...baseNames(process.platform), ...env]);
  const others = Object.keys(own).filter((name) => !shown.has(name));
  return serverEnvironment(own, [...withheld, ...others]);
}

/** Starts it. Never rejects. */
export function startScanServer(scan: Scan, own: Environment): Promise<ServerStart> {
  const [program = "", ...args] = scan.server.command;
  return startServer(program, args, scanServerEnvironment(scan, own), { cwd: scan.server.cwd, stderr: "pipe" });
}

/** Ends it with all that it started: by the end of its stdin, then by signals. Done within a second. */
export async function endScanServer(server: ServerProcess): Promise<void> {
  let ended = false;
  void server.ended.then(() => {
    ended = true;
  });
  // What left the group is only found while its parents run.
  const family = await snapshotDescendants(server.pid);
  const over = async () => ended && (await groupIsEmpty(server.pid));
  server.stdin.end();
  server.stdout.resume();
  if (!(await until(over, SCAN_SERVER_EXIT_MS))) {
    await killTree(server.pid, "SIGTERM", family);
    await until(over, SCAN_SERVER_TERM_MS);
  }
  const late = ended ? [] : await snapshotDescendants(server.pid);
  await killTree(server.pid, "SIGKILL", [...family, ...late]);
  server.stdout.destroy();
  server.stderr?.destroy();
}

async function until(condition: () => Promise<boolean>, ms: number): Promise<boolean> {
  const end = performance.now() + ms;
  for (;;) {
    if (await condition()) return true;
    if (performance.now() >= end) return false;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
