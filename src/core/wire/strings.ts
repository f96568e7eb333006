// Strings on the wire, found and read without making more of them than needed.

import { stringToken, tokenIs } from "./ids.ts";

/** The text of string tokens that are mostly the same one again, as methods and tool names are: no new string for those. */
export class LastText {
  #last = "";

  read(bytes: Uint8Array, start: number, end: number): string | undefined {
    if (this.#last !== "" && end - start === this.#last.length && tokenIs(bytes, start, end, this.#last))
      return this.#last;
    const text = stringToken(bytes, start, end);
    // Only plain ASCII can be compared byte by byte, and a plain token is as long as its text.
    this.#last = text !== undefined && text.length === end - start && /^[\x20-\x7e]*$/.test(text) ? text : "";
    return text;
  }
}

/** The next quote that is not escaped; -1 when there is none before `to`, -2 when the last byte there begins an escape. */
export function closingQuote(bytes: Uint8Array, from: number, to: number): number {
  let quote = bytes.indexOf(0x22, from);
  if (quote < 0 || quote > to) quote = to;
  let slashes = 0;
  while (quote - 1 - slashes >= from && bytes[quote - 1 - slashes] === 0x5c) slashes++;
  if (quote === to) return slashes % 2 === 1 ? -2 : -1;
  // Text full of escaped quotes is faster byte by byte: let the caller step on from there.
  return slashes % 2 === 0 ? quote : quote + 1;
}
