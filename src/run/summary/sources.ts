// The logs of a summary, each read once from its beginning to its end.

import { open, stat } from "node:fs/promises";
import { addAbortSignal } from "node:stream";
import { LineCutter } from "./read-log.ts";

/** Takes each line; undefined stands for one that is too long or no text. */
export type TakeLine = (line: string | undefined) => void;

/** What is read in one go: small enough that its text is gone before the next is looked at closely. */
export const CHUNK_BYTES = 128 * 1024;

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

/** Two of the paths that lead to one file, whose records would be counted twice. */
export async function sameLog(paths: readonly string[]): Promise<readonly [string, string] | undefined> {
  const seen = new Map<string, string>();
  for (const path of paths) {
    const there = path === "-" ? undefined : await stat(path, { bigint: true }).catch(() => undefined);
    if (!there?.isFile()) continue;
    const place = `${there.dev} ${there.ino}`;
    const earlier = seen.get(place);
    if (earlier !== undefined) return [earlier, path];
    seen.set(place, path);
  }
  return undefined;
}

/** Reads a log to its end, `-` from stdin. Gives the system's word for what went wrong. Never rejects. */
export async function readLog(
  path: string,
  take: TakeLine,
  onBytes: (count: number) => void,
  stop: AbortSignal,
): Promise<string | undefined> {
  const cutter = new LineCutter(take);
  try {
    for await (const chunk of path === "-" ? stdin(stop) : piecesOf(path)) {
      if (stop.aborted) return undefined;
      cutter.push(chunk);
      onBytes(chunk.length);
    }
    cutter.end();
    return undefined;
  } catch (error) {
    return stop.aborted ? undefined : codeOf(error);
  }
}

/** Told to stop, it does not wait for what a silent stdin may say some day. */
const stdin = (stop: AbortSignal): AsyncIterable<Buffer> => addAbortSignal(stop, process.stdin);

/** Each piece is there until the next is asked for. */
async function* piecesOf(path: string): AsyncGenerator<Buffer> {
  const file = await open(path, "r");
  try {
    // One buffer for all of them: new ones would pile up until they are collected.
    const room = Buffer.allocUnsafe(CHUNK_BYTES);
    for (;;) {
      const { bytesRead } = await file.read(room, 0, CHUNK_BYTES, null);
      if (bytesRead === 0) return;
      yield room.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

export const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? "unknown error";
