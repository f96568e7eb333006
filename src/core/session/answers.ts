// Finds the answers to protected calls in a server's line and turns each into a check or, where nothing can be checked, a record.

import { checkLimitMs } from "../contract/check.ts";
import { select } from "../select/select.ts";
import type { Envelope } from "../wire/envelope.ts";
import { itemsOf, kindOf, membersNamed, type Span, stringOf, textOf } from "../wire/json.ts";
import { jsonValue } from "../wire/validate.ts";
import { addCheck } from "./checks.ts";
import { openRecord, recordKey } from "./overlap.ts";
import { only } from "./params.ts";
import { record } from "./records.ts";
import { answerKind } from "./result.ts";
import type { Answer, Check, HeldLine, LineState, ProtectedCall, Session } from "./state.ts";
import type { Command } from "./types.ts";

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
  out: Command[],
): "held" | HeldLine | undefined {
  let held: HeldLine | undefined;
  let follows: HeldLine | undefined;
  let valid: boolean | undefined;
  const checks: Check[] = [];
  for (const message of line.scanner.messages) {
    if (message.methodCount > 0 || message.resultCount + message.errorCount === 0) continue;
    for (const key of message.ids) {
      const entry = session.inFlight.get(key);
      if (!entry || entry.seq > line.seq) continue;
      if (entry.type === "other") {
        if (--entry.answers === 0) session.inFlight.delete(key);
        continue;
      }
      if (entry.type === "call" && entry.held) {
        follows = entry.held;
        continue;
      }
      // Clients skip what is not JSON, so that is no answer; it must not use the call up.
      valid ??= !bytes || isJson(bytes);
      if (!valid) continue;
      session.inFlight.delete(key);
      if (entry.type === "list") {
        session.lists--;
        if (bytes) learnHints(session, bytes, message);
        continue;
      }
      session.awaited--;
      entry.answeredAt = now;
      entry.answeredSeq = session.seq;
      const judged = judgeSafely(session, entry, message, bytes);
      if (judged.type === "undecidable") {
        record(session, entry, { status: "unknown", reason: judged.reason }, { now }, out);
        continue;
      }
      held ??= hold?.();
      if (held) {
        held.keys.push(key);
        held.undecided++;
        entry.held = held;
        session.inFlight.set(key, entry);
      }
      checks.push({
        number: ++session.numbers,
        call: entry,
        input: judged.input,
        deadline: now + checkLimitMs(entry.contract),
        startedAt: undefined,
        answer: judged.answer,
        held,
      });
    }
  }
  for (const check of checks) addCheck(session, check, now, out);
  return held ? "held" : follows;
}

/** A fault of ours in here must not cost the user the answer (README, promise 3). */
function judgeSafely(session: Session, call: ProtectedCall, message: Envelope, line: Uint8Array | undefined): Judged {
  try {
    return judge(session, call, message, line);
  } catch {
    return { type: "undecidable", reason: "internal_error" };
  }
}

function isJson(bytes: Uint8Array): boolean {
  return jsonValue(bytes, 0, bytes.length) !== undefined;
}

type Judged =
  | { readonly type: "check"; readonly input: string; readonly answer: Answer }
  | { readonly type: "undecidable"; readonly reason: string };

function judge(session: Session, call: ProtectedCall, message: Envelope, line: Uint8Array | undefined): Judged {
  const undecidable = (reason: string): Judged => ({ type: "undecidable", reason });
  if (session.stopped) return undecidable("session_ended");
  if (message.idCount !== 1) return undecidable("request_id_ambiguous");
  if (!line) return undecidable("response_too_large");
  const kind = answerKind(line, message, message);
  if (kind.type === "no_success") return undecidable("not_success_result");
  if (kind.type === "deferred") return undecidable("deferred");
  const { extract, recordIdField } = call.contract;
  const members: string[] = [];
  let missing = false;
  for (const [name, selector] of extract) {
    const text = selector.source === "arguments" ? call.fields.get(name) : select(selector, line, message);
    if (name === recordIdField && !(text === undefined && selector.source === "arguments" && call.unread)) {
      if (text === undefined || text === "null" || text === '""') return undecidable("success_without_record_id");
      openRecord(session, call, recordKey(text));
    }
    if (text === undefined) missing = true;
    else members.push(`${JSON.stringify(name)}:${text}`);
  }
  if (missing) return undecidable("required_field_missing");
  return { type: "check", input: `{${members.join(",")}}`, answer: kind.answer };
}

/** Remembers which tools the server says only read: a call of one cannot disturb a check. */
function learnHints(session: Session, line: Uint8Array, message: Span): void {
  const result = only(membersNamed(line, message, "result"));
  const tools = result && kindOf(line, result) === "object" ? only(membersNamed(line, result, "tools")) : undefined;
  if (!tools || kindOf(line, tools) !== "list") return;
  for (const tool of itemsOf(line, tools)) {
    if (kindOf(line, tool) !== "object") continue;
    const name = only(membersNamed(line, tool, "name"));
    const text = name && stringOf(line, name);
    if (text === undefined) continue;
    const annotations = only(membersNamed(line, tool, "annotations"));
    const hint =
      annotations && kindOf(line, annotations) === "object" && only(membersNamed(line, annotations, "readOnlyHint"));
    if (hint && textOf(line, hint) === "true") session.readOnlyTools.add(text);
    else session.readOnlyTools.delete(text);
  }
}
