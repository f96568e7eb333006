// A few things that are kept open between reads, each used by one read at a time.

import { MAX_READBACK_TIMEOUT_MS } from "../core/limits.ts";

export interface Lease<T> {
  readonly item: T;
  /** It has served before, so that a failure may only say that it has died since. */
  readonly used: boolean;
}

export interface Pool<T> {
  /** Takes a free one, or opens one, or waits for one. Rejects as `open` does, and with `PoolTimeout` when none was free in time. */
  take(limitMs: number): Promise<Lease<T>>;
  /** Gives one back; it is closed when it is not to be kept. */
  give(lease: Lease<T>, keep: boolean): void;
  /** Forgets one that has died by itself while it was free. */
  forget(item: T): void;
  /** Closes all that are free: when one has died unseen, the others may have too. */
  clear(): void;
  /** Opens one ahead. */
  warm(): void;
  close(): void;
}

export class PoolTimeout extends Error {}

/** Creates a pool of at most `most`. `open` is told how long it may take. */
export function createPool<T>(
  most: number,
  open: (limitMs: number) => Promise<T>,
  closeItem: (item: T) => void,
): Pool<T> {
  const free: Lease<T>[] = [];
  const waiting: ((lease: Lease<T> | undefined) => void)[] = [];
  let out = 0;
  let closed = false;

  async function openOne(limitMs: number): Promise<Lease<T>> {
    out++;
    try {
      return { item: await open(limitMs), used: false };
    } catch (error) {
      out--;
      // Whoever waits tries for itself.
      waiting.shift()?.(undefined);
      throw error;
    }
  }

  const pool: Pool<T> = {
    async take(limitMs) {
      const end = performance.now() + limitMs;
      for (;;) {
        const lease = free.pop();
        if (lease !== undefined) {
          out++;
          return lease;
        }
        const leftMs = end - performance.now();
        if (leftMs <= 0) throw new PoolTimeout();
        if (out < most) return openOne(leftMs);
        const given = await waitFor(leftMs);
        if (given !== undefined) return given;
      }
    },
    give({ item }, keep) {
      const lease = { item, used: true };
      if (keep && !closed) {
        const next = waiting.shift();
        if (next !== undefined) return next(lease);
        free.push(lease);
      } else {
        closeItem(item);
        waiting.shift()?.(undefined);
      }
      out--;
    },
    forget(item) {
      const at = free.findIndex((lease) => lease.item === item);
      if (at >= 0) free.splice(at, 1);
    },
    clear() {
      for (const { item } of free.splice(0)) closeItem(item);
    },
    warm() {
      if (out > 0 || free.length > 0) return;
      openOne(MAX_READBACK_TIMEOUT_MS).then(
        (lease) => pool.give(lease, true),
        () => {},
      );
    },
    close() {
      closed = true;
      pool.clear();
    },
  };
  return pool;

  function waitFor(limitMs: number): Promise<Lease<T> | undefined> {
    return new Promise((resolve) => {
      const got = (lease: Lease<T> | undefined): void => {
        clearTimeout(timer);
        resolve(lease);
      };
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(got), 1);
        resolve(undefined);
      }, limitMs);
      waiting.push(got);
    });
  }
}
