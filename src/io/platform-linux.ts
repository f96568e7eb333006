// Linux: processes, their parents, groups and environments as /proc shows them.

import { promises, readdirSync } from "node:fs";
import type { ProcessPlatform, ProcessRef } from "./platform.ts";
import { send } from "./posix-signals.ts";

interface Stat {
  readonly state: string;
  readonly parent: number;
  readonly group: number;
  readonly started: string;
}

/** The branch for Linux; `proc` is there for tests. */
export function linuxPlatform(proc = "/proc"): ProcessPlatform {
  return {
    ownGroups: true,
    signal: send,
    signalGroup: (leader, signal) => send(-leader, signal),
    descendants: (pid) => descendants(proc, pid),
    runs: async (ref) => {
      const stat = await readStat(proc, ref.pid);
      return stat !== undefined && stat.started === ref.started && !isZombie(stat);
    },
    groupIsEmpty: async (leader) => {
      if (!send(-leader, 0)) return true;
      // The kernel counts zombies too; in a container nobody may ever collect them.
      const stats = await readStats(proc);
      return ![...stats.values()].some((stat) => stat.group === leader && !isZombie(stat));
    },
    list: () => promises.readdir(proc).then(pidsOf, () => undefined),
    listNow() {
      try {
        return pidsOf(readdirSync(proc));
      } catch {
        return undefined;
      }
    },
    environmentOf: (pid) => environmentOf(proc, pid),
  };
}

function pidsOf(names: readonly string[]): number[] {
  return names.map(Number).filter(Number.isInteger);
}

/**
 * Not limited to our own user: the kernel does that. As root, a verifier that gave up its privileges is still ours to end.
 */
async function environmentOf(proc: string, pid: number): Promise<Uint8Array | "gone" | "hidden"> {
  try {
    return await promises.readFile(`${proc}/${pid}/environ`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "EACCES" || code === "EPERM" ? "hidden" : "gone";
  }
}

/** Follows the kernel's own lists of children where it has them: far cheaper than reading every process. */
async function descendants(proc: string, pid: number): Promise<ProcessRef[]> {
  const found = new Map<number, ProcessRef>();
  const open = [pid];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const children = await childrenOf(proc, next);
    if (children === undefined) return descendantsByParent(proc, pid);
    for (const child of children) {
      const stat = found.has(child) ? undefined : await readStat(proc, child);
      if (stat === undefined) continue;
      found.set(child, { pid: child, started: stat.started });
      open.push(child);
    }
  }
  return [...found.values()];
}

/** Each thread lists the children that it started. Undefined when this kernel keeps no such lists. */
async function childrenOf(proc: string, pid: number): Promise<number[] | undefined> {
  const threads = await promises.readdir(`${proc}/${pid}/task`).catch(() => []);
  const children: number[] = [];
  for (const thread of threads) {
    const line = await promises.readFile(`${proc}/${pid}/task/${thread}/children`, "latin1").catch(() => undefined);
    // No file: the thread has ended meanwhile, or this kernel has none; our own thread's tells which.
    if (line === undefined && !(await hasChildLists(proc))) return undefined;
    children.push(...(line ?? "").split(" ").filter(Boolean).map(Number));
  }
  return children;
}

function hasChildLists(proc: string): Promise<boolean> {
  return promises.readFile(`${proc}/${process.pid}/task/${process.pid}/children`).then(
    () => true,
    () => false,
  );
}

async function descendantsByParent(proc: string, pid: number): Promise<ProcessRef[]> {
  const stats = await readStats(proc);
  const found = new Map<number, ProcessRef>();
  // Parents may have higher numbers than their children, so look until nothing new turns up.
  for (let before = -1; before < found.size; ) {
    before = found.size;
    for (const [each, { parent, started }] of stats) {
      if (parent === pid || found.has(parent)) found.set(each, { pid: each, started });
    }
  }
  return [...found.values()];
}

async function readStats(proc: string): Promise<Map<number, Stat>> {
  const stats = new Map<number, Stat>();
  const read = async (pid: number): Promise<void> => {
    const stat = await readStat(proc, pid);
    if (stat !== undefined) stats.set(pid, stat);
  };
  await Promise.all(
    await promises.readdir(proc).then(
      (names) => pidsOf(names).map(read),
      () => [],
    ),
  );
  return stats;
}

/** Undefined when the process is gone. */
async function readStat(proc: string, pid: number): Promise<Stat | undefined> {
  const line = await promises.readFile(`${proc}/${pid}/stat`, "latin1").catch(() => undefined);
  if (line === undefined) return undefined;
  // The program's name stands in parentheses and may itself hold blanks and parentheses.
  const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
  return { state: fields[0] ?? "", parent: Number(fields[1]), group: Number(fields[2]), started: fields[19] ?? "" };
}

function isZombie(stat: Stat): boolean {
  return stat.state === "Z" || stat.state === "X";
}
