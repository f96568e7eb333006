// Moving bytes between streams with back-pressure: a slow reader makes the other side wait and never fills our memory.

import { writeSync } from "node:fs";
import { Socket } from "node:net";
import type { Readable, Writable } from "node:stream";
import { MAX_UNSENT_BYTES } from "../core/limits.ts";

export interface Sink {
  /** Sends bytes, now or as soon as the reader takes them, in order. Bytes for a closed sink are dropped. */
  send(bytes: Uint8Array): void;
  /** Says that nothing follows. */
  end(): void;
  /** Settles when all bytes are with the system, or can no longer get there. */
  flushed(): Promise<void>;
}

/** A writing end that makes `source` wait while too much is unsent. `onGone` is called once when the reader has gone. */
export function sinkTo(stream: Writable, source: Pick<Readable, "pause" | "resume">, onGone: () => void): Sink {
  let gone = false;
  let paused = false;
  const lose = () => {
    if (gone) return;
    gone = true;
    // A source that waits for a reader that has gone would wait for ever.
    if (paused) source.resume();
    onGone();
  };
  stream.on("error", lose);
  stream.on("close", lose);
  stream.on("drain", () => {
    if (!paused) return;
    paused = false;
    source.resume();
  });
  return {
    send(bytes) {
      if (gone) return;
      const taken = writeNow(stream, bytes);
      if (taken === bytes.length) return;
      stream.write(taken === 0 ? bytes : bytes.subarray(taken));
      // What the system took at once does not count, so a reader that keeps up never makes anybody wait.
      if (!paused && stream.writableLength > MAX_UNSENT_BYTES) {
        paused = true;
        source.pause();
      }
    },
    end() {
      if (!gone) stream.end();
    },
    flushed() {
      if (gone || stream.writableLength === 0) return Promise.resolve();
      return new Promise((resolve) => {
        stream.once("close", resolve);
        stream.once("error", () => resolve());
        stream.write("", () => resolve());
      });
    },
  };
}

/**
 * Writes what the system takes at once, past the stream, when nothing is queued in it; gives how many bytes that were. A
 * stream makes a request object and a turn of its own of each write, as many as there are messages. What fails here is
 * left to the stream, which tells it as it always does.
 */
function writeNow(stream: Writable, bytes: Uint8Array): number {
  if (!(stream instanceof Socket) || stream.writableLength > 0 || stream.writableEnded || stream.destroyed) return 0;
  const fd = (stream as Socket & { _handle?: { fd?: number } })._handle?.fd;
  // Windows has none, and there a pipe is written by requests only.
  if (fd === undefined || fd < 0) return 0;
  try {
    return writeSync(fd, bytes);
  } catch {
    return 0;
  }
}
