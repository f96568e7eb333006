// Finds and ends processes of settled checks that left their process group; a mark in their environment tells them.

import { randomBytes } from "node:crypto";
import {
  SWEEP_DELAY_MS,
  SWEEP_MAX_ROUNDS,
  SWEEP_MIN_GAP_MS,
  SWEEP_PARALLEL_READS,
  SWEEP_ROUND_MS,
  SWEEP_VANISHED_ROUNDS,
} from "../core/limits.ts";
import type { ProcessPlatform } from "./platform.ts";

/** The variable that carries the mark; a verifier may see it and must not rely on it. */
export const MARK_VARIABLE = "FOURGATE_CHECK";

/** A process whose environment is empty is between two programs, a zombie or the kernel's own: look again a few times. */
const LOOKS_AT_EMPTY = 3;

export interface Sweeper {
  /** A new mark, live until `release`d. */
  mark(): string;
  /** The mark's check is settled: whatever still carries it is ended soon. */
  release(mark: string): void;
  /** Ends all that carries any mark of ours, looking at every process anew. Settles when a round finds none. */
  finish(): Promise<void>;
}

/** Creates the sweeper of one session. */
export function createSweeper(platform: ProcessPlatform): Sweeper {
  const prefix = `${randomBytes(12).toString("hex")}.`;
  const needle = Buffer.from(`${MARK_VARIABLE}=${prefix}`);
  const live = new Set<string>();
  // Processes that are known to be none of ours, so that a sweep reads only what is new; number -> looks left. What runs
  // before our first process cannot carry a mark.
  const before = platform.listNow();
  let cleared = new Map<number, number>(before?.map((pid) => [pid, 0]));
  let count = 0;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let dueAgain = false;
  let lastStart = 0;

  function markIn(environment: Uint8Array): string | undefined {
    const bytes = Buffer.from(environment.buffer, environment.byteOffset, environment.length);
    const at = bytes.indexOf(needle);
    if (at < 0) return undefined;
    const end = bytes.indexOf(0, at);
    return bytes.toString("latin1", at + MARK_VARIABLE.length + 1, end < 0 ? bytes.length : end);
  }

  async function look(pid: number, looks: Map<number, number>): Promise<"killed" | "gone" | "other"> {
    const environment = await platform.environmentOf(pid);
    if (environment === "gone") return "gone";
    if (environment === "hidden") {
      looks.set(pid, 0);
      return "other";
    }
    const mark = markIn(environment);
    if (mark === undefined) {
      looks.set(pid, environment.length > 0 ? 0 : (cleared.get(pid) ?? LOOKS_AT_EMPTY) - 1);
      return "other";
    }
    if (live.has(mark)) return "other";
    platform.signal(pid, "SIGKILL");
    return "killed";
  }

  async function round(): Promise<{ killed: number; gone: number }> {
    const pids = await platform.list();
    if (pids === undefined) {
      // No descriptor left to look with, which may pass.
      dueAgain = true;
      return { killed: 0, gone: 0 };
    }
    const looks = new Map<number, number>();
    const unknown: number[] = [];
    for (const pid of pids) {
      const left = cleared.get(pid);
      if (left === 0) looks.set(pid, 0);
      else if (pid !== process.pid) unknown.push(pid);
    }
    const found = { killed: 0, gone: 0, other: 0 };
    const reader = async (): Promise<void> => {
      for (let pid = unknown.pop(); pid !== undefined; pid = unknown.pop()) found[await look(pid, looks)]++;
    };
    await Promise.all(Array.from({ length: SWEEP_PARALLEL_READS }, reader));
    cleared = looks;
    return found;
  }

  async function sweep(): Promise<void> {
    let vanished = 0;
    for (let rounds = 0; rounds < SWEEP_MAX_ROUNDS; rounds++) {
      const { killed, gone } = await round();
      if (killed > 0) await new Promise((resolve) => setTimeout(resolve, SWEEP_ROUND_MS));
      else if (gone === 0 || ++vanished > SWEEP_VANISHED_ROUNDS) return;
    }
  }

  function start(): void {
    timer = undefined;
    if (running !== undefined) {
      dueAgain = true;
      return;
    }
    lastStart = performance.now();
    const done = (): void => {
      running = undefined;
      if (dueAgain) {
        dueAgain = false;
        schedule();
      }
    };
    // A fault in here must not end the guard: the process would be missed, and the next sweep tries again.
    running = sweep().then(done, done);
  }

  function schedule(): void {
    // Where processes cannot be listed at all, there is nothing to sweep.
    if (timer !== undefined || before === undefined) return;
    timer = setTimeout(start, Math.max(SWEEP_DELAY_MS, lastStart + SWEEP_MIN_GAP_MS - performance.now()));
    timer.unref();
  }

  return {
    mark() {
      const mark = `${prefix}${++count}`;
      live.add(mark);
      return mark;
    },
    release(mark) {
      live.delete(mark);
      schedule();
    },
    async finish() {
      clearTimeout(timer);
      if (count === 0) return;
      live.clear();
      await running;
      // A number may have been given anew since it was cleared.
      cleared = new Map();
      await sweep();
    },
  };
}
