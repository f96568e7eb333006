// The open file behind an outcome log: how it ends, and whether it is still there. What is written to it is elsewhere.

import { close, constants, fstat, fstatSync, open, openSync, read, readSync, type Stats, write } from "node:fs";
import { promisify } from "node:util";
import { LOG_SETTLE_MS } from "../core/limits.ts";
import type { AppendTarget } from "./log-file.ts";

const { O_RDWR, O_WRONLY, O_CREAT, O_APPEND, O_NONBLOCK = 0, O_NOCTTY = 0 } = constants;
/** Non-blocking: what was a file a moment ago may be a pipe without a reader now. */
const APPENDING = O_CREAT | O_APPEND | O_NONBLOCK | O_NOCTTY;
const PRIVATE = 0o600;
const NEWLINE = 0x0a;

const openLater = promisify(open);
const closeLater = promisify(close);
const statLater = promisify(fstat) as (file: number) => Promise<Stats>;
const readLater = promisify(read);
const writeLater = promisify(write);

export interface LogDescriptor extends AppendTarget {
  close(): Promise<void>;
}

/** Opens a file to append to; also to read, where that is allowed, since only then its end can be told. Throws a system error. */
export function openAppending(path: string): number {
  try {
    return openSync(path, APPENDING | O_RDWR, PRIVATE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EACCES") throw error;
    return openSync(path, APPENDING | O_WRONLY, PRIVATE);
  }
}

/** Whether the file was left in the middle of a line by a session that is over; one that is just being written to is not. Never throws. */
export function wasLeftTorn(file: number, pause = aMoment): boolean {
  if (!endsTornNow(file)) return false;
  // Another session's write may be half to be seen. It is done in a moment, and only a torn log costs this one.
  pause();
  return endsTornNow(file);
}

function aMoment(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOG_SETTLE_MS);
}

function endsTornNow(file: number): boolean {
  try {
    const found = fstatSync(file);
    if (!found.isFile() || found.size === 0) return false;
    const last = new Uint8Array(1);
    return readSync(file, last, 0, 1, found.size - 1) === 1 && last[0] !== NEWLINE;
  } catch {
    return false;
  }
}

/** Appends to the open `file`. When `path` was removed, it is made anew, which `onRemoved` is told. */
export function logDescriptor(path: string, file: number, onRemoved: () => void): LogDescriptor {
  let current = file;
  /** The size up to which the file is known to end in a whole line, because we wrote it so. */
  let wholeTo = -1;
  /** The size that was seen last, before our own write. */
  let seen = -1;

  async function reopened(): Promise<Stats> {
    const anew = await openLater(path, APPENDING | O_RDWR, PRIVATE);
    const found = await statLater(anew);
    if (!found.isFile()) {
      await closeLater(anew);
      throw Object.assign(new Error("no file any more"), { code: "ENOENT" });
    }
    const old = current;
    current = anew;
    onRemoved();
    await closeLater(old).catch(() => {});
    return found;
  }

  return {
    async endsTorn() {
      let found = await statLater(current);
      if (!found.isFile()) return false;
      // What is written to a removed file is gone when we are.
      if (found.nlink === 0) found = await reopened();
      seen = found.size;
      if (found.size === 0 || found.size === wholeTo) return false;
      const last = new Uint8Array(1);
      try {
        const { bytesRead } = await readLater(current, last, 0, 1, found.size - 1);
        return bytesRead === 1 ? last[0] !== NEWLINE : undefined;
      } catch {
        return undefined;
      }
    },
    async write(bytes) {
      const { bytesWritten } = await writeLater(current, bytes);
      wholeTo = bytesWritten > 0 && bytes[bytesWritten - 1] === NEWLINE ? seen + bytesWritten : -1;
      return bytesWritten;
    },
    close: () => closeLater(current),
  };
}
