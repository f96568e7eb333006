// Finds in a server's line what belongs to protected calls and turns each outcome into a check or, where nothing can be
// checked, a record.

import type { Envelope } from "../wire/envelope.ts";
import type { IdKey } from "../wire/ids.ts";
import { jsonValue } from "../wire/validate.ts";
import type { HeldLine, ProtectedCall } from "./calls.ts";
import { addCheck } from "./checks.ts";
import { holdsMark } from "./forged.ts";
import { releaseWhenSettled } from "./held.ts";
import { type Judged, judge } from "./judge.ts";
import { type Judging, makeCheck } from "./judging.ts";
import { record } from "./records.ts";
import { awaitRetry } from "./retries.ts";
import type { LineState, Session } from "./state.ts";
import { announcement, taskAnswer } from "./task-news.ts";
import { followTask } from "./tasks.ts";
import { learnTools } from "./tool-list.ts";
import type { Emit } from "./types.ts";

/**
 * Judges a complete line. `bytes` is undefined when the line was not kept. `hold` keeps the line back, and is called once if
 * a check has to be made. Gives `held` if it was, a held line if this line repeats an answer that is held there, else undefined.
 */
export function judgeLine(
  session: Session,
  line: LineState,
  bytes: Uint8Array | undefined,
  hold: (() => HeldLine) | undefined,
  now: number,
  out: Emit,
): "held" | HeldLine | undefined {
  let valid: boolean | undefined;
  const judging: Judging = {
    session,
    bytes,
    valid: () => {
      valid ??= !bytes || jsonValue(bytes, 0, bytes.length) !== undefined;
      return valid;
    },
    hold,
    now,
    out,
    held: undefined,
    follows: undefined,
    checks: [],
  };
  for (const message of line.scanner.messages) {
    if (message.methodCount > 0) announcement(judging, message);
    else if (message.resultCount + message.errorCount > 0) {
      for (const key of message.ids) response(judging, message, key, line.seq);
    }
  }
  for (const check of judging.checks) addCheck(session, check, now, out);
  const { held } = judging;
  // Only verdicts that were known already: nothing is left to wait for.
  if (held?.undecided === 0) releaseWhenSettled(session, held, out);
  return held ? "held" : judging.follows;
}

/** `seq`: the number of requests when the line began; a later one cannot be answered by it. */
function response(judging: Judging, message: Envelope, key: IdKey, seq: number): void {
  const { session, bytes } = judging;
  const entry = session.inFlight.get(key);
  if (entry === undefined) return;
  if (typeof entry === "number") {
    if (entry <= seq) session.inFlight.delete(key);
    return;
  }
  if (entry.seq > seq) return;
  if (entry.type === "shared") {
    if (--entry.answers === 0) session.inFlight.delete(key);
    return;
  }
  if (entry.type !== "list" && entry.held) {
    judging.follows = entry.held;
    return;
  }
  // It must not use the request up.
  if (!judging.valid()) return;
  session.inFlight.delete(key);
  if (entry.type === "list") {
    session.lists--;
    if (bytes) learnTools(session, entry, bytes, message, judging.out);
    return;
  }
  session.awaited--;
  if (entry.type === "task") taskAnswer(judging, entry, message);
  else callAnswer(judging, entry, message);
}

function callAnswer(judging: Judging, call: ProtectedCall, message: Envelope): void {
  const { session, bytes, now, out } = judging;
  call.answeredAt = now;
  call.answeredSeq = session.seq;
  call.markForged ||= bytes !== undefined && holdsMark(bytes, message);
  const judged: Judged =
    message.idCount === 1
      ? judge(session, call, bytes, message)
      : { type: "undecidable", reason: "request_id_ambiguous" };
  if (judged.type === "undecidable") {
    record(session, call, { status: "unknown", reason: judged.reason }, { now }, out);
  } else if (judged.type === "task") followTask(session, call, judged.taskId, now, out);
  else if (judged.type === "input_required") awaitRetry(session, call, judged.state, now, out);
  else makeCheck(judging, call, judged, undefined, call);
}
