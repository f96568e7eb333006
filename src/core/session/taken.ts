// Request ids that are used again while an answer under them may still come.

import { MAX_DOUBTFUL_IDS } from "../limits.ts";
import type { IdKey } from "../wire/ids.ts";
import { leaveUnsettled } from "./overlap.ts";
import { record } from "./records.ts";
import type { Session } from "./state.ts";
import type { Emit } from "./types.ts";

/** What a call is recorded as whose answer could not be told from another's. */
export const AMBIGUOUS = { status: "unknown", reason: "request_id_ambiguous" } as const;

/** From now on an answer under this id proves nothing: whether one to an earlier request still comes is for the server to say. */
export function doubtId(session: Session, key: IdKey): void {
  const { doubtfulIds } = session;
  doubtfulIds.add(key);
  if (doubtfulIds.size > MAX_DOUBTFUL_IDS) doubtfulIds.delete(doubtfulIds.values().next().value!);
}

/**
 * Whether an answer under this id could belong to an earlier request too. If so, that request can no longer be told
 * apart either, unless its answer is already here.
 */
export function taken(session: Session, key: IdKey, now: number, out: Emit): boolean {
  const earlier = session.inFlight.get(key);
  if (earlier === undefined) return session.doubtfulIds.size > 0 && session.doubtfulIds.has(key);
  doubtId(session, key);
  if (typeof earlier === "number") {
    session.inFlight.set(key, { type: "shared", seq: earlier, answers: 2 });
    return true;
  }
  if (earlier.type === "shared") earlier.answers++;
  else if (earlier.type === "list") session.lists--;
  // Its answer is here and only held; a cancel of the id may now mean the later request.
  else if (earlier.held) earlier.held.droppable = false;
  else {
    session.awaited--;
    if (earlier.type === "call") {
      leaveUnsettled(session, earlier, now);
      record(session, earlier, AMBIGUOUS, { now }, out);
    }
  }
  if (earlier.type === "list" || (earlier.type !== "shared" && !earlier.held)) {
    session.inFlight.set(key, { type: "shared", seq: earlier.seq, answers: 2 });
  }
  return true;
}
