// macOS and other Unixes without /proc: processes as `ps` shows them. Environments stay unseen there.

import { execFile } from "node:child_process";
import type { ProcessPlatform, ProcessRef } from "./platform.ts";
import { send } from "./posix-signals.ts";

/** Runs a program and gives its stdout, or undefined when it failed. */
export type RunProgram = (program: string, args: readonly string[]) => Promise<string | undefined>;

interface Row extends ProcessRef {
  readonly parent: number;
  readonly group: number;
  readonly zombie: boolean;
}

/** The branch for macOS; `run` is there for tests. */
export function psPlatform(run: RunProgram = runProgram): ProcessPlatform {
  const rows = async (): Promise<Row[]> =>
    parseRows((await run("ps", ["-A", "-o", "pid=,ppid=,pgid=,stat=,lstart="])) ?? "");
  return {
    ownGroups: true,
    signal: send,
    signalGroup: (leader, signal) => send(-leader, signal),
    descendants: async (pid) => descendantsOf(pid, await rows()),
    runs: async (ref) =>
      (await rows()).some((row) => row.pid === ref.pid && row.started === ref.started && !row.zombie),
    groupIsEmpty: async (leader) =>
      !send(-leader, 0) || !(await rows()).some((row) => row.group === leader && !row.zombie),
    list: async () => undefined,
    listNow: () => undefined,
    environmentOf: async () => "hidden",
  };
}

function parseRows(table: string): Row[] {
  const rows: Row[] = [];
  for (const line of table.split("\n")) {
    const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*\S)\s*$/.exec(line);
    if (match === null) continue;
    const [, pid, parent, group, state, started] = match as unknown as [string, string, string, string, string, string];
    rows.push({
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      zombie: state.startsWith("Z"),
      started: started.replace(/\s+/g, " "),
    });
  }
  return rows;
}

function descendantsOf(pid: number, rows: readonly Row[]): ProcessRef[] {
  const found: ProcessRef[] = [];
  const wanted = new Set([pid]);
  for (let grew = true; grew; ) {
    grew = false;
    for (const row of rows) {
      if (wanted.has(row.pid) || !wanted.has(row.parent)) continue;
      wanted.add(row.pid);
      found.push({ pid: row.pid, started: row.started });
      grew = true;
    }
  }
  return found;
}

const runProgram: RunProgram = (program, args) =>
  new Promise((resolve) => {
    // The C locale keeps the start time's form the same from one look to the next.
    const options = { env: { ...process.env, LC_ALL: "C" }, timeout: 1000, maxBuffer: 16 * 1024 * 1024 };
    execFile(program, [...args], options, (error, stdout) => resolve(error === null ? stdout : undefined));
  });
