// fourgate's own lines on stderr: in order, bounded, and never able to hold up the relay or the exit when nobody reads them.

import { close, constants, fstatSync, openSync, write } from "node:fs";
import { Socket } from "node:net";
import { CLOSE_WAIT_MS, MAX_WAITING_NOTE_BYTES, MAX_WAITING_RECORD_BYTES, STDERR_RETRY_MS } from "../core/limits.ts";

export interface StderrWriter {
  /** Writes a line for people. Dropped, and counted, when too much waits already. */
  note(line: string): void;
  /** Writes a line that must not get lost lightly; settles when it is written or known to be lost. Never rejects. */
  record(line: string): Promise<void>;
  /** Waits for what is queued, at most CLOSE_WAIT_MS, then lets go. Never rejects. */
  close(): Promise<void>;
}

interface Line {
  readonly bytes: Buffer;
  readonly isNote: boolean;
  readonly settle: () => void;
}

/**
 * Opens stderr for writing. The wrapped server inherits the same stderr, so its blocking mode is not ours to change
 * (process.stderr would): a pipe or terminal is opened anew, non-blocking, where the system can; anything else is written
 * to from a thread.
 */
export function openStderr(fd = 2): StderrWriter {
  const target = openTarget(fd);
  const queue: Line[] = [];
  let waitingNoteBytes = 0;
  let waitingRecordBytes = 0;
  let droppedNotes = 0;
  let lostRecords = 0;
  let gone = target === undefined;
  let closed = false;
  let writing: Promise<void> | undefined;
  let inFlight = false;

  function enqueue(text: string, isNote: boolean, settle: () => void): void {
    const bytes = Buffer.from(`${text}\n`);
    const full = isNote
      ? waitingNoteBytes + bytes.length > MAX_WAITING_NOTE_BYTES
      : waitingRecordBytes + bytes.length > MAX_WAITING_RECORD_BYTES;
    if (gone || closed || full) {
      if (isNote) droppedNotes++;
      else lostRecords++;
      settle();
      return;
    }
    if (isNote) waitingNoteBytes += bytes.length;
    else waitingRecordBytes += bytes.length;
    queue.push({ bytes, isNote, settle });
    writing ??= writeAll();
  }

  async function writeAll(): Promise<void> {
    for (let line = queue[0]; line !== undefined; line = queue[0]) {
      const written = await writeLine(line.bytes);
      queue.shift();
      if (line.isNote) waitingNoteBytes -= line.bytes.length;
      else waitingRecordBytes -= line.bytes.length;
      if (!written && !line.isNote) lostRecords++;
      line.settle();
      if (queue.length === 0) await tellLosses();
    }
    // In the same breath as finding the queue empty, so that no line falls between two writers.
    writing = undefined;
  }

  async function tellLosses(): Promise<void> {
    if (droppedNotes + lostRecords === 0 || gone || closed) return;
    const told = `fourgate: stderr was not read fast enough: ${droppedNotes} notes dropped, ${lostRecords} outcome records lost\n`;
    if (await writeLine(Buffer.from(told))) droppedNotes = lostRecords = 0;
  }

  /** False when it could not be written whole. */
  async function writeLine(bytes: Buffer): Promise<boolean> {
    for (let at = 0; at < bytes.length; ) {
      if (gone || closed) return false;
      inFlight = true;
      const result = await writeOnce(target!.fd, bytes.subarray(at));
      inFlight = false;
      if (typeof result === "number") at += result;
      else if (result === "EAGAIN") await new Promise((resolve) => setTimeout(resolve, STDERR_RETRY_MS));
      else {
        // A full disk may have room again later; a reader that has gone does not come back.
        if (result !== "ENOSPC" && result !== "EFBIG" && result !== "EDQUOT") gone = true;
        return false;
      }
    }
    return true;
  }

  return {
    note: (line) => enqueue(line, true, () => {}),
    record: (line) => new Promise((resolve) => enqueue(line, false, resolve)),
    async close() {
      await within(writing, CLOSE_WAIT_MS);
      closed = true;
      for (const line of queue.splice(0)) line.settle();
      // A thread that hangs in write(2) would hang the exit; ending the socket's sending side makes that write return.
      if (inFlight && target?.isSocket === true) endSocket(target.fd);
      if (target?.own === true && !inFlight) close(target.fd, () => {});
    },
  };
}

interface Target {
  readonly fd: number;
  /** Opened by us, so ours to close. */
  readonly own: boolean;
  readonly isSocket: boolean;
}

/** Undefined when nothing can be written there. */
function openTarget(fd: number): Target | undefined {
  try {
    const stat = fstatSync(fd);
    const shared = { fd, own: false, isSocket: stat.isSocket() };
    // A file keeps one offset for all who inherited it, so there the shared descriptor is the right one.
    if (!stat.isFIFO() && !stat.isCharacterDevice()) return shared;
    const flags = constants.O_WRONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);
    try {
      return process.platform === "linux"
        ? { fd: openSync(`/proc/self/fd/${fd}`, flags), own: true, isSocket: false }
        : shared;
    } catch (error) {
      // ENXIO: a pipe without a reader.
      return (error as NodeJS.ErrnoException).code === "ENXIO" ? undefined : shared;
    }
  } catch {
    return undefined;
  }
}

function writeOnce(fd: number, bytes: Buffer): Promise<number | string> {
  return new Promise((resolve) => {
    write(fd, bytes, 0, bytes.length, null, (error, written) =>
      resolve(error === null ? written : (error.code ?? "EIO")),
    );
  });
}

function endSocket(fd: number): void {
  try {
    const socket = new Socket({ fd, readable: false, writable: true });
    socket.on("error", () => {});
    socket.end();
  } catch {
    // Then the exit waits for the reader; there is no other way to take the write back.
  }
}

async function within(work: Promise<void> | undefined, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, limit]);
  clearTimeout(timer);
}
