// Held lines: taking one, letting it go between two lines of the client's stream, and dropping it after a cancel.

import { applyEdits } from "../wire/edit.ts";
import type { HeldLine } from "./calls.ts";
import type { Session } from "./state.ts";
import type { Emit } from "./types.ts";

/** Keeps a line back. `alone`: it is one message, not a batch. `last`: the server's output ended with it. */
export function holdLine(session: Session, bytes: Uint8Array, alone: boolean, last: boolean): HeldLine {
  const line: HeldLine = {
    number: ++session.numbers,
    // A copy, so that a short line does not keep the whole chunk in memory that it came in.
    bytes: new Uint8Array(bytes),
    keys: [],
    edits: [],
    droppable: alone,
    last,
    undecided: 0,
    unrecorded: 0,
    recordBy: Number.POSITIVE_INFINITY,
    dropped: false,
    followers: [],
  };
  session.heldLines.set(line.number, line);
  session.heldBytes += bytes.length;
  return line;
}

/** Lets the line go once all its answers are decided and their records are safe. */
export function releaseWhenSettled(session: Session, line: HeldLine, out: Emit): void {
  if (line.undecided > 0 || line.unrecorded > 0 || !session.heldLines.delete(line.number)) return;
  session.heldBytes -= line.bytes.length;
  for (const follower of line.followers) session.heldBytes -= follower.length;
  for (const key of line.keys) session.inFlight.delete(key);
  if (line.last && !line.dropped) session.lastLine = edited(line);
  else if (!line.dropped) session.released.push(edited(line));
  for (const follower of line.followers) session.released.push(follower);
  flushReleased(session, out);
}

function edited(line: HeldLine): Uint8Array {
  if (line.edits.length === 0) return line.bytes;
  try {
    return applyEdits(line.bytes, line.edits);
  } catch {
    // A fault of ours must not cost the user the answer (README, promise 3).
    return line.bytes;
  }
}

/** Sends released lines as soon as the client is not in the middle of another line. */
export function flushReleased(session: Session, out: Emit): void {
  if (session.released.length > 0 && (!session.clientMidLine || session.serverEnded)) {
    // The server ended inside an overlong line: a newline keeps what it left behind apart from whole answers.
    if (session.clientMidLine) out.push({ type: "toClient", bytes: new Uint8Array([0x0a]) });
    session.clientMidLine = false;
    for (const bytes of session.released) out.push({ type: "toClient", bytes });
    session.released = [];
  }
  if (session.lastLine && session.heldLines.size === 0 && session.serverEnded) {
    out.push({ type: "toClient", bytes: session.lastLine });
    session.lastLine = undefined;
  }
}
