// `sha256`: contents too large or too private to be read back whole, of which the system tells a digest.

import { MAX_HASHED_CHARACTERS } from "../limits.ts";
import { hasHalfPair } from "./encoding.ts";
import { reencoded } from "./reencoded.ts";
import type { Comparator } from "./types.ts";

export const sha256: Comparator = {
  name: "sha256",
  summary: "What was read is the SHA-256 digest, in hexadecimal, of the expected text in UTF-8.",
  notes: [
    "Upper and lower case do not count, and a leading `sha256:` is left out. Anything else that was read is UNKNOWN, and so is the digest of the same text in another encoding: with other line ends or one more or less at its end, composed or decomposed letters, a byte order mark, HTML entities.",
  ],
  options: [],
  compare(expected, observed) {
    if (expected.type !== "string" || observed.type !== "string") return "undecided";
    const digest = observed.text.toLowerCase().replace(/^sha256:/, "");
    if (!/^[0-9a-f]{64}$/.test(digest)) return "undecided";
    if (hasHalfPair(expected.text)) return "undecided";
    if (digest === digestOf(expected.text)) return "equal";
    let hashed = 0;
    for (const text of reencoded(expected.text)) {
      hashed += text.length;
      if (hashed > MAX_HASHED_CHARACTERS || digest === digestOf(text)) return "undecided";
    }
    return "different";
  },
};

function digestOf(text: string): string {
  return hexDigest(new TextEncoder().encode(text));
}

/** The first 32 bits of the fractional parts of a root of the first primes: FIPS 180-4 sections 4.2.2 and 5.3.3. */
const fraction = (prime: number, root: number) => Math.floor((prime ** (1 / root) % 1) * 2 ** 32);
const primes: number[] = [];
for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);

/** SHA-256 (FIPS 180-4) of bytes, as 64 lower-case hexadecimal digits. The core has no crypto of its own, and needs only this. */
export function hexDigest(bytes: Uint8Array): string {
  const constants = primes.map((prime) => fraction(prime, 3));
  const state = primes.slice(0, 8).map((prime) => fraction(prime, 2));
  const padded = new Uint8Array((Math.floor((bytes.length + 8) / 64) + 1) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(padded.length - 4, (bytes.length << 3) >>> 0);
  const words = new Uint32Array(64);
  for (let at = 0; at < padded.length; at += 64) {
    for (let i = 0; i < 16; i++) words[i] = view.getUint32(at + i * 4);
    for (let i = 16; i < 64; i++) {
      const [a, b] = [words[i - 15]!, words[i - 2]!];
      const s0 = turn(a, 7) ^ turn(a, 18) ^ (a >>> 3);
      const s1 = turn(b, 17) ^ turn(b, 19) ^ (b >>> 10);
      words[i] = words[i - 16]! + s0 + words[i - 7]! + s1;
    }
    round(state, words, constants);
  }
  return state.map((word) => word.toString(16).padStart(8, "0")).join("");
}

function round(state: number[], words: Uint32Array, constants: readonly number[]): void {
  let [a, b, c, d, e, f, g, h] = state as [number, number, number, number, number, number, number, number];
  for (let i = 0; i < 64; i++) {
    const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const one = (h + s1 + ((e & f) ^ (~e & g)) + constants[i]! + words[i]!) >>> 0;
    const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) >>> 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) >>> 0, c, b, a, (one + two) >>> 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => {
    state[i] = (state[i]! + word) >>> 0;
  });
}

function turn(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}
