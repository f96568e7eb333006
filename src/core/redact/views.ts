// Two ways to look at a text in which every spelling of a secret is the same: as characters, and as letters of an encoding.

import type { Unescaped } from "./unescape.ts";

/** What is searched: one character a byte, and where each stands among the unescaped bytes. */
export interface View {
  readonly text: string;
  readonly at: Uint32Array;
}

/** Which bytes a view leaves out; a secret may begin or end with such a one. */
export type LeftOut = (byte: number) => boolean;

const BACKSLASH = 0x5c;
const LETTER_OF: Readonly<Record<number, number>> = { 8: 0x62, 9: 0x74, 10: 0x6e, 12: 0x66, 13: 0x72, 43: 0x20 };
/** The letters of \b, \t, \n, \f and \r. */
const BLANK_LETTERS = new Set([0x62, 0x74, 0x6e, 0x66, 0x72]);

export const leftOutOfCharacters: LeftOut = (byte) => byte === BACKSLASH;

/**
 * Characters as JSON, a form and a URL may spell them: without backslashes, a line's end like the `n` of its escape, and `+` like a
 * blank.
 */
export function characters(of: Unescaped): View {
  return view(of, (byte) => (byte === BACKSLASH ? -1 : (LETTER_OF[byte] ?? byte)));
}

export const leftOutOfLetters: LeftOut = (byte) => byte === 0x2b || byte === 0x2d || byte === 0x20;

/**
 * Base64 and hexadecimal however the lines are broken, with either alphabet: `_` is `/`, while blanks, line ends, also escaped, and
 * `+`, for which a form has a blank, and `-` are left out.
 */
export function letters(of: Unescaped): View {
  return view(of, (byte, i) => {
    if (byte === BACKSLASH || byte <= 0x20 || byte === 0x2b || byte === 0x2d) return -1;
    if (i > 0 && of.bytes[i - 1] === BACKSLASH && BLANK_LETTERS.has(byte)) return -1;
    return byte === 0x5f ? 0x2f : byte;
  });
}

/** `shown` gives the byte to be seen, or -1 for none. */
function view({ bytes, length }: Unescaped, shown: (byte: number, i: number) => number): View {
  const kept = new Uint8Array(length);
  const at = new Uint32Array(length);
  let n = 0;
  for (let i = 0; i < length; i++) {
    const byte = shown(bytes[i]!, i);
    if (byte < 0) continue;
    kept[n] = byte;
    at[n++] = i;
  }
  const pieces: string[] = [];
  for (let i = 0; i < n; i += 8192) pieces.push(String.fromCharCode(...kept.subarray(i, Math.min(n, i + 8192))));
  return { text: pieces.join(""), at };
}
