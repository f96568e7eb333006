// Verifier processes started ahead of their checks, waiting on stdin.

import { PREWARM_BACKOFF_MAX_MS, PREWARM_BACKOFF_MS } from "../core/limits.ts";

/** What the pool needs to know of a process that it keeps. */
export interface Waiting {
  readonly ended: Promise<unknown>;
  alive(): boolean;
}

export interface Pool<P extends Waiting> {
  /** Takes a process that is waiting, and has another started once that one has ended; undefined when none is ready. */
  take(): P | undefined;
  /** Gives up all that wait and starts no more. */
  close(): P[];
}

/**
 * Keeps `size` processes waiting. One that dies while it waits is handed to `discard` and replaced; when they die one
 * after the other the pause before a replacement doubles, so that a broken verifier does not keep the machine busy.
 */
export function createPool<P extends Waiting>(size: number, start: () => P, discard: (process: P) => void): Pool<P> {
  const waiting = new Set<P>();
  let deaths = 0;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  function fill(): void {
    timer = undefined;
    while (!closed && waiting.size < size) {
      const process = start();
      waiting.add(process);
      void process.ended.then(() => {
        if (!waiting.delete(process)) return;
        discard(process);
        deaths++;
        fillAfter(Math.min(PREWARM_BACKOFF_MAX_MS, PREWARM_BACKOFF_MS * 2 ** (deaths - 1)));
      });
    }
  }

  function fillAfter(pauseMs: number): void {
    if (closed || timer !== undefined) return;
    timer = setTimeout(fill, pauseMs);
    timer.unref();
  }

  fill();
  return {
    take() {
      for (const process of waiting) {
        if (!process.alive()) continue;
        waiting.delete(process);
        deaths = 0;
        // Not before: the check that takes it must not share the machine with the start of another.
        void process.ended.then(() => fillAfter(0));
        return process;
      }
      return undefined;
    },
    close() {
      closed = true;
      clearTimeout(timer);
      const rest = [...waiting];
      waiting.clear();
      return rest;
    },
  };
}
