// One direction of a session's wire: lines cut into pieces, whose end may wait for the next line.

import type { Style } from "./actions.ts";

export class Wire {
  readonly #deliver: (bytes: Buffer) => void;
  /** All lines so far, as they were written. */
  readonly lines: string[] = [];
  #rest: Buffer = Buffer.alloc(0);
  #whenWhole: (() => void)[] = [];

  constructor(deliver: (bytes: Buffer) => void) {
    this.#deliver = deliver;
  }

  /** `whole` is called once the last byte of the line is about to be delivered. */
  send(text: string, style: Style, whole: () => void = () => {}): void {
    const line = `${text}${style.crlf ? "\r\n" : "\n"}`;
    this.lines.push(line);
    const bytes = Buffer.concat([this.#rest, Buffer.from(line)]);
    const before = this.#whenWhole;
    const pieces: Buffer[] = [];
    for (let at = 0, i = 0; at < bytes.length; i++) {
      const length = style.cuts[i] ?? bytes.length;
      pieces.push(bytes.subarray(at, at + length));
      at += length;
    }
    this.#rest = style.waits && pieces.length > 1 ? pieces.pop()! : Buffer.alloc(0);
    const earlierWhole = this.#rest.length <= Buffer.byteLength(line);
    this.#whenWhole = earlierWhole ? [whole] : [...before, whole];
    // Before the pieces: nothing else happens in between.
    if (earlierWhole) for (const act of before) act();
    for (const piece of pieces) this.#deliver(piece);
    if (this.#rest.length === 0) this.flush();
  }

  /** The end of the last line, if it is still to come. */
  flush(): void {
    const rest = this.#rest;
    const acts = this.#whenWhole;
    this.#rest = Buffer.alloc(0);
    this.#whenWhole = [];
    for (const act of acts) act();
    if (rest.length > 0) this.#deliver(rest);
  }
}
