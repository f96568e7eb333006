// Decides whether bytes are exactly one JSON value (RFC 8259), without building it: no recursion, no copy, any depth.

import type { Span } from "./json.ts";

/** The span of the JSON value that begins at `start`, whatever follows it; undefined when none does. */
export function jsonValueAt(bytes: Uint8Array, start: number, end: number): Span | undefined {
  const cursor = new Cursor(bytes, start, end);
  return cursor.value() ? { start, end: cursor.at } : undefined;
}

/** The span of the one JSON value in `bytes[start..end)`, white space around it allowed; undefined when that is not valid JSON. */
export function jsonValue(bytes: Uint8Array, start: number, end: number): Span | undefined {
  const cursor = new Cursor(bytes, start, end);
  cursor.space();
  const first = cursor.at;
  if (!cursor.value()) return undefined;
  const last = cursor.at;
  cursor.space();
  return cursor.at === end ? { start: first, end: last } : undefined;
}

class Cursor {
  at: number;
  readonly #bytes: Uint8Array;
  readonly #end: number;

  constructor(bytes: Uint8Array, start: number, end: number) {
    this.#bytes = bytes;
    this.at = start;
    this.#end = end;
  }

  space(): void {
    while (this.at < this.#end) {
      const byte = this.#bytes[this.at];
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return;
      this.at++;
    }
  }

  /** Reads one value with an explicit stack: true for "in an object", false for "in a list". */
  value(): boolean {
    const stack: boolean[] = [];
    for (;;) {
      const byte = this.#next();
      let closed = true;
      if (byte === 0x7b || byte === 0x5b) {
        this.at++;
        this.space();
        const object = byte === 0x7b;
        if (this.#next() === (object ? 0x7d : 0x5d)) this.at++;
        else {
          stack.push(object);
          if (object && !this.#key()) return false;
          closed = false;
        }
      } else if (!this.#scalar(byte)) return false;
      while (closed) {
        if (stack.length === 0) return true;
        this.space();
        const object = stack[stack.length - 1]!;
        const after = this.#next();
        this.at++;
        if (after === (object ? 0x7d : 0x5d)) stack.pop();
        else if (after === 0x2c) {
          this.space();
          if (object && !this.#key()) return false;
          closed = false;
        } else return false;
      }
    }
  }

  #next(): number {
    return this.at < this.#end ? this.#bytes[this.at]! : -1;
  }

  #key(): boolean {
    if (this.#next() !== 0x22 || !this.#string()) return false;
    this.space();
    if (this.#next() !== 0x3a) return false;
    this.at++;
    this.space();
    return true;
  }

  #scalar(byte: number): boolean {
    if (byte === 0x22) return this.#string();
    if (byte === 0x74) return this.#word("true");
    if (byte === 0x66) return this.#word("false");
    if (byte === 0x6e) return this.#word("null");
    return this.#number();
  }

  #word(word: string): boolean {
    for (let i = 0; i < word.length; i++)
      if (this.#next() !== word.charCodeAt(i)) return false;
      else this.at++;
    return true;
  }

  #number(): boolean {
    if (this.#next() === 0x2d) this.at++;
    if (this.#next() === 0x30) this.at++;
    else if (!this.#digits()) return false;
    if (this.#next() === 0x2e) {
      this.at++;
      if (!this.#digits()) return false;
    }
    if ((this.#next() | 0x20) === 0x65) {
      this.at++;
      if (this.#next() === 0x2b || this.#next() === 0x2d) this.at++;
      if (!this.#digits()) return false;
    }
    return true;
  }

  #digits(): boolean {
    const from = this.at;
    while (this.#next() >= 0x30 && this.#next() <= 0x39) this.at++;
    return this.at > from;
  }

  #string(): boolean {
    this.at++;
    while (this.at < this.#end) {
      const byte = this.#bytes[this.at]!;
      if (byte === 0x22) {
        this.at++;
        return true;
      }
      if (byte < 0x20) return false;
      if (byte !== 0x5c) this.at++;
      else if (!this.#escape()) return false;
    }
    return false;
  }

  #escape(): boolean {
    const letter = this.at + 1 < this.#end ? this.#bytes[this.at + 1]! : 0;
    this.at += 2;
    if (letter !== 0x75) return '"\\/bfnrt'.includes(String.fromCharCode(letter)) && letter !== 0;
    for (let i = 0; i < 4; i++, this.at++) if (!isHexDigit(this.#next())) return false;
    return true;
  }
}

function isHexDigit(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66);
}
