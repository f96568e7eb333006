// Reads an outcome log of any size line by line: one chunk is held, and of a line that is too long nothing.

import { isUtf8 } from "node:buffer";
import { MAX_SUMMARY_LINE_BYTES } from "../../core/summary/limits.ts";

const NEWLINE = 10;
const BOM = "\ufeff";

/** Cuts bytes into lines. A line that is too long or no UTF-8 is given as undefined. */
export class LineCutter {
  readonly #take: (line: string | undefined) => void;
  #rest: Buffer = Buffer.alloc(0);
  #tooLong = false;
  #begun = false;

  constructor(take: (line: string | undefined) => void) {
    this.#take = take;
  }

  push(chunk: Buffer): void {
    const last = chunk.lastIndexOf(NEWLINE);
    if (last < 0) {
      this.#keep(chunk);
      return;
    }
    const first = chunk.indexOf(NEWLINE);
    this.#keep(chunk.subarray(0, first));
    this.#end();
    if (first < last) this.#lines(chunk.subarray(first + 1, last));
    this.#keep(chunk.subarray(last + 1));
  }

  /** The last line, when no newline ends it. */
  end(): void {
    if (this.#rest.length > 0 || this.#tooLong) this.#end();
  }

  #keep(part: Buffer): void {
    if (this.#tooLong || this.#rest.length + part.length > MAX_SUMMARY_LINE_BYTES) {
      this.#tooLong = true;
      this.#rest = Buffer.alloc(0);
    } else if (part.length > 0) {
      this.#rest = Buffer.concat([this.#rest, part]);
    }
  }

  #end(): void {
    if (this.#tooLong) this.#give(undefined);
    else this.#give(isUtf8(this.#rest) ? this.#rest.toString() : undefined);
    this.#rest = Buffer.alloc(0);
    this.#tooLong = false;
  }

  /** Whole lines, decoded at once where they are all UTF-8 and none can be too long. */
  #lines(bytes: Buffer): void {
    if (!isUtf8(bytes)) {
      for (let at = 0; at <= bytes.length; ) {
        const newline = bytes.indexOf(NEWLINE, at);
        const end = newline < 0 ? bytes.length : newline;
        this.#keep(bytes.subarray(at, end));
        this.#end();
        at = end + 1;
      }
      return;
    }
    for (const line of bytes.toString().split("\n")) {
      const tooLong = line.length * 3 > MAX_SUMMARY_LINE_BYTES && Buffer.byteLength(line) > MAX_SUMMARY_LINE_BYTES;
      this.#give(tooLong ? undefined : line);
    }
  }

  #give(line: string | undefined): void {
    const start = !this.#begun;
    this.#begun = true;
    this.#take(start && line?.startsWith(BOM) ? line.slice(1) : line);
  }
}
