// The session as one function: an event in, commands out. Everything else in this folder is its parts.

import { abandonCheck, checksDue, verifierDone } from "./checks.ts";
import { clientBytes, clientClosed } from "./client-lines.ts";
import { releaseWhenSettled } from "./held.ts";
import { record } from "./records.ts";
import { retriesOver } from "./retries.ts";
import { serverBytes, serverEnded } from "./server-lines.ts";
import type { Session } from "./state.ts";
import { tasksOver } from "./tasks.ts";
import type { Command, Emit, Event } from "./types.ts";

/** Feeds one event and gives what is to be done, in order. Total: malformed input is relayed, never thrown. */
export function step(session: Session, event: Event): Command[] {
  const out: Command[] = [];
  stepInto(session, event, out);
  return out;
}

/**
 * Feeds one event and hands on what is to be done as it arises: bytes that may go at once are on their way before they are
 * looked into. A fault of ours may throw; what was handed on until then holds.
 */
export function stepInto(session: Session, event: Event, out: Emit): void {
  const { now } = event;
  switch (event.type) {
    case "clientBytes":
      clientBytes(session, event.bytes, now, out);
      break;
    case "serverBytes":
      serverBytes(session, event.bytes, now, out);
      break;
    case "verifierDone":
      verifierDone(session, event.check, event.reply, now, out);
      break;
    case "recorded":
      recorded(session, event.line, out);
      break;
    case "tick":
      checksDue(session, now, out);
      break;
    case "clientClosed":
      clientClosed(session, now, out);
      break;
    case "serverExited":
      serverEnded(session, now, out);
      unanswered(session, now, out);
      break;
    case "stop":
      stop(session, now, out);
      break;
  }
  if (session.serverEnded && !session.exited && session.checks.size === 0 && session.heldLines.size === 0) {
    session.exited = true;
    out.push({ type: "exit" });
  }
}

/** The time (monotonic milliseconds) at which a `tick` is due; infinite when none is. */
export function nextDeadline(session: Session): number {
  return session.nextDue;
}

function recorded(session: Session, number: number, out: Emit): void {
  session.logLate = false;
  const line = session.heldLines.get(number);
  if (!line || line.unrecorded === 0) return;
  line.unrecorded--;
  releaseWhenSettled(session, line, out);
}

/** Calls that the server left without an answer, or without an outcome. */
function unanswered(session: Session, now: number, out: Emit): void {
  tasksOver(session, now, out);
  retriesOver(session, now, out);
  for (const [key, entry] of session.inFlight.entries()) {
    if (typeof entry === "number" || (entry.type !== "call" && entry.type !== "task") || entry.held) continue;
    session.inFlight.delete(key);
    session.awaited--;
    if (entry.type === "call") record(session, entry, { status: "unknown", reason: "no_response" }, { now }, out);
  }
}

/** Whatever waits for us goes out now, unchanged; answers that still come are not checked any more. */
function stop(session: Session, now: number, out: Emit): void {
  session.stopped = true;
  for (const check of [...session.checks.values()]) abandonCheck(session, check, "session_ended", now, out);
  for (const line of [...session.heldLines.values()]) {
    line.unrecorded = 0;
    releaseWhenSettled(session, line, out);
  }
}
