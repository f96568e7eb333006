// The fast way to read a pipe: into large slabs instead of a fresh buffer for each read.
//
// Node gives each read of a pipe 64 KiB of its own and shrinks it afterwards; for messages of a hundred bytes that is most of
// what relaying costs, and the collector's pauses are most of its late answers. A slab is never written twice at the same
// place, so what was handed out stays as it is for whoever keeps it.

import { Socket } from "node:net";
import type { Readable } from "node:stream";

/** Memory of one slab (bytes). */
const SMALL_SLAB_BYTES = 32 * 1024;
const LARGE_SLAB_BYTES = 256 * 1024;

/** The least that a read is offered (bytes). */
const LEAST_ROOM_BYTES = 8 * 1024;

/** A process's end of a pipe, as Node keeps it inside a stream. */
interface Handle {
  reading?: boolean;
  readStop(): void;
}

interface SlabOptions {
  readonly onread: { buffer: () => Uint8Array; callback: (count: number, buffer: Uint8Array) => boolean };
}

/** What node:net takes beyond its types: a handle that another stream had before. */
const SocketOnHandle = Socket as unknown as new (
  options: SlabOptions & { handle?: Handle; fd?: number; readable: true; writable: false; manualStart: true },
) => Socket;

/**
 * A stream on descriptor `fd`, a pipe or socket, that reads into slabs. It emits "data" as any other once somebody listens,
 * but keeps nothing itself: bytes that nobody listened for would be lost, so it does not read before. Undefined where the
 * descriptor is neither.
 */
export function slabReader(fd: number): Readable | undefined {
  try {
    return reading({ fd });
  } catch {
    return undefined;
  }
}

/** The same on the pipe of a stream of which nothing was read yet, which is of no use from then on. Undefined when it has no pipe. */
export function slabReaderOf(stream: Readable): Readable | undefined {
  const owner = stream as Readable & { _handle?: Handle | null };
  const handle = owner._handle;
  if (!(stream instanceof Socket) || !handle || typeof handle.readStop !== "function") return undefined;
  handle.readStop();
  handle.reading = false;
  // Its former stream must neither read from it nor close it.
  owner._handle = null;
  return reading({ handle });
}

function reading(source: { fd: number } | { handle: Handle }): Readable {
  const slab = slabs();
  const socket: Socket = new SocketOnHandle({
    ...source,
    readable: true,
    writable: false,
    manualStart: true,
    onread: {
      buffer: slab.room,
      callback(count, buffer) {
        socket.emit("data", slab.take(buffer, count));
        return true;
      },
    },
  });
  return socket;
}

/** Memory for reads, one after the other: of a small slab that stays in the processor's cache, or, while reads fill their room, of a large one. */
function slabs(): { room(): Uint8Array; take(buffer: Uint8Array, count: number): Uint8Array } {
  let slab = Buffer.allocUnsafeSlow(SMALL_SLAB_BYTES);
  let used = 0;
  let filled = false;
  return {
    room() {
      if (slab.length - used < (filled ? LARGE_SLAB_BYTES : LEAST_ROOM_BYTES)) {
        slab = Buffer.allocUnsafeSlow(filled ? LARGE_SLAB_BYTES : SMALL_SLAB_BYTES);
        used = 0;
      }
      return slab.subarray(used);
    },
    take(buffer, count) {
      used += count;
      filled = count === buffer.length || (filled && count > LEAST_ROOM_BYTES);
      return buffer.subarray(0, count);
    },
  };
}
