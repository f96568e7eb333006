// A log that grows, is cut, is moved away and comes anew, or is not there yet.

import type { Stats } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { LineCutter } from "./read-log.ts";
import { CHUNK_BYTES, codeOf, type TakeLine } from "./sources.ts";

/** Called after each piece of a log; no more is read when it gives false. */
export type Between = () => Promise<boolean>;

export class FollowedLog {
  readonly #path: string;
  readonly #take: TakeLine;
  #open: { readonly file: FileHandle; readonly dev: number; readonly ino: number } | undefined;
  #position = 0;
  #cutter: LineCutter;

  constructor(path: string, take: TakeLine) {
    this.#path = path;
    this.#take = take;
    this.#cutter = new LineCutter(take);
  }

  /** Reads what has come since the last time. Rejects when the log is there and cannot be read. */
  async look(between: Between): Promise<void> {
    const there = await stat(this.#path).catch(undefinedIfGone);
    if (there !== undefined && !this.#holds(there)) {
      // What came to the old one before it was moved away.
      await this.#readOn(between);
      await this.#begin();
    } else if (there !== undefined && there.size < this.#position) {
      this.#again();
    }
    await this.#readOn(between);
  }

  async close(): Promise<void> {
    this.#cutter.end();
    await this.#open?.file.close();
    this.#open = undefined;
  }

  #holds({ dev, ino }: Stats): boolean {
    return this.#open !== undefined && this.#open.dev === dev && this.#open.ino === ino;
  }

  /** Opens what is there now; it may be gone again, or another than a moment ago. */
  async #begin(): Promise<void> {
    const file = await open(this.#path, "r").catch(undefinedIfGone);
    if (file === undefined) return;
    await this.close();
    const { dev, ino } = await file.stat();
    this.#open = { file, dev, ino };
    this.#again();
  }

  #again(): void {
    this.#position = 0;
    this.#cutter = new LineCutter(this.#take);
  }

  async #readOn(between: Between): Promise<void> {
    if (this.#open === undefined) return;
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    do {
      const { bytesRead } = await this.#open.file.read(chunk, 0, CHUNK_BYTES, this.#position);
      if (bytesRead === 0) return;
      this.#position += bytesRead;
      this.#cutter.push(chunk.subarray(0, bytesRead));
    } while (await between());
  }
}

function undefinedIfGone(error: unknown): undefined {
  if (codeOf(error) !== "ENOENT") throw error;
}
