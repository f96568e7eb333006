// The logs of a summary: each read once from its beginning, and then, if it is followed, what comes to it.

import { createReadStream } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { LineCutter } from "./read-log.ts";

/** Takes each line; undefined stands for one that is too long or no text. */
export type TakeLine = (line: string | undefined) => void;

const CHUNK_BYTES = 1 << 20;

/** Size of all logs together (bytes), as far as it is known. */
export async function sizeOf(paths: readonly string[]): Promise<number> {
  const sizes = await Promise.all(
    paths.map((path) =>
      stat(path).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Reads a log to its end, `-` from stdin. Gives the system's word for what went wrong. Never rejects. */
export async function readLog(
  path: string,
  take: TakeLine,
  onBytes: (count: number) => void,
  stop: AbortSignal,
): Promise<string | undefined> {
  const cutter = new LineCutter(take);
  const stream = path === "-" ? process.stdin : createReadStream(path, { highWaterMark: CHUNK_BYTES });
  try {
    for await (const chunk of stream) {
      if (stop.aborted) break;
      cutter.push(chunk as Buffer);
      onBytes((chunk as Buffer).length);
    }
    cutter.end();
    return undefined;
  } catch (error) {
    return codeOf(error);
  } finally {
    stream.destroy();
  }
}

/** A log that grows, is cut, is moved away and comes anew, or is not there yet. */
export class FollowedLog {
  readonly #path: string;
  readonly #take: TakeLine;
  #file: FileHandle | undefined;
  #inode: number | undefined;
  #position = 0;
  #cutter: LineCutter;

  constructor(path: string, take: TakeLine) {
    this.#path = path;
    this.#take = take;
    this.#cutter = new LineCutter(take);
  }

  /** Reads what has come since the last time. Rejects when the log is there and cannot be read. */
  async look(): Promise<void> {
    const there = await stat(this.#path).catch(() => undefined);
    if (there !== undefined && (this.#inode !== there.ino || this.#file === undefined)) {
      // What came to the old one before it was moved away.
      await this.#readOn();
      await this.#begin(await open(this.#path, "r"), there.ino);
    } else if (there !== undefined && there.size < this.#position) {
      this.#position = 0;
      this.#cutter = new LineCutter(this.#take);
    }
    await this.#readOn();
  }

  async close(): Promise<void> {
    this.#cutter.end();
    await this.#file?.close();
    this.#file = undefined;
  }

  async #begin(file: FileHandle, inode: number): Promise<void> {
    if (this.#file !== undefined) {
      this.#cutter.end();
      await this.#file.close();
    }
    this.#file = file;
    this.#inode = inode;
    this.#position = 0;
    this.#cutter = new LineCutter(this.#take);
  }

  async #readOn(): Promise<void> {
    if (this.#file === undefined) return;
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    for (;;) {
      const { bytesRead } = await this.#file.read(chunk, 0, CHUNK_BYTES, this.#position);
      if (bytesRead === 0) return;
      this.#position += bytesRead;
      this.#cutter.push(Buffer.from(chunk.subarray(0, bytesRead)));
    }
  }
}

export const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? "unknown error";
