// Chance that a seed reproduces.

import { createHash } from "node:crypto";

export interface Random {
  /** A whole number from 0 up to, without, `below`. */
  int(below: number): number;
  pick<T>(from: readonly T[]): T;
  /** True once in `times`. */
  oneIn(times: number): boolean;
}

/** The same text, the same numbers. */
export function randomFrom(seed: string): Random {
  let state = createHash("sha256").update(seed).digest().readUInt32LE(0);
  // Tommy Ettinger's mulberry32: small, and good enough to choose moments.
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (below: number) => Math.floor(next() * below);
  return { int, pick: (from) => from[int(from.length)]!, oneIn: (times) => int(times) === 0 };
}
