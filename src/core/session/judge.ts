// Judges the outcome of a protected call: there is something to check, or a reason why nothing can be checked.

import { select } from "../select/select.ts";
import type { Span } from "../wire/json.ts";
import type { Answer, ProtectedCall } from "./calls.ts";
import { openRecord, recordKey } from "./overlap.ts";
import { type AnswerKind, answerKind } from "./result.ts";
import type { Session } from "./state.ts";

export type Judged =
  /** `input` is what the check is given. */
  | { readonly type: "check"; readonly input: string; readonly answer: Answer }
  | { readonly type: "undecidable"; readonly reason: string }
  /** Not finished: the outcome comes later. */
  | Extract<AnswerKind, { readonly type: "task" | "input_required" }>;

/**
 * Judges what stands in the members `result` and `error` of `outcome`. `line` is valid JSON, or undefined when it was not
 * kept. A fault of ours must not cost the user the answer (README, promise 3).
 */
export function judge(session: Session, call: ProtectedCall, line: Uint8Array | undefined, outcome: Span): Judged {
  try {
    return judged(session, call, line, outcome);
  } catch {
    return undecidable("internal_error");
  }
}

const undecidable = (reason: string): Judged => ({ type: "undecidable", reason });

function judged(session: Session, call: ProtectedCall, line: Uint8Array | undefined, outcome: Span): Judged {
  if (session.stopped) return undecidable("session_ended");
  if (!line) return undecidable("response_too_large");
  const kind = answerKind(line, outcome);
  if (kind.type === "no_success") return undecidable("not_success_result");
  if (kind.type === "deferred") return undecidable("deferred");
  if (kind.type !== "success") return kind;
  const { extract, recordIdField } = call.contract;
  const members: string[] = [];
  let missing = false;
  for (const [name, selector] of extract) {
    const text = selector.source === "arguments" ? call.fields.get(name) : select(selector, line, outcome);
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
