// `notifications/cancelled`: what becomes of the call that the client has given up.

import { idKey } from "../wire/ids.ts";
import { membersNamed, type Span } from "../wire/json.ts";
import { abandonCheck } from "./checks.ts";
import { leaveUnsettled } from "./overlap.ts";
import { only } from "./params.ts";
import { record } from "./records.ts";
import type { Session } from "./state.ts";
import { doubtId } from "./taken.ts";
import type { Emit } from "./types.ts";

/** Forgets the call; a late answer would only confuse the client, so one that is held is not sent. */
export function cancel(session: Session, line: Uint8Array, params: Span, now: number, out: Emit): void {
  const id = only(membersNamed(line, params, "requestId"));
  const key = id && idKey(line, id.start, id.end);
  const entry = key === undefined ? undefined : session.inFlight.get(key);
  if (entry === undefined || key === undefined) return;
  if (typeof entry === "number") {
    session.inFlight.delete(key);
    doubtId(session, key);
    return;
  }
  if (entry.type === "task" && entry.held) {
    // Only the asking is given up: the task has its outcome, and who asks again gets what its check says.
    if (entry.held.droppable) entry.held.dropped = true;
    return;
  }
  if (entry.type === "call" && entry.held) {
    const check = [...session.checks.values()].find((found) => found.call === entry);
    // Decided, and only the log is waited for: the answer goes out as its record says.
    if (!check) return;
    // One call alone on its line: the line is dropped. In a batch the other answers still have to go out.
    if (entry.held.droppable) entry.held.dropped = true;
    abandonCheck(session, check, "cancelled", now, out);
    return;
  }
  if (entry.type === "call") {
    session.awaited--;
    leaveUnsettled(session, entry, now);
    record(session, entry, { status: "unknown", reason: "cancelled" }, { now }, out);
  } else if (entry.type === "task") session.awaited--;
  else if (entry.type === "list") session.lists--;
  session.inFlight.delete(key);
  doubtId(session, key);
}
