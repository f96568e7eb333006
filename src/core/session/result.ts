// What kind of thing an answer to `tools/call` is; the one place that knows how the protocol revisions differ in this.

import type { Envelope } from "../wire/envelope.ts";
import { normalNumber } from "../wire/ids.ts";
import { kindOf, membersNamed, type Span, stringOf, textOf } from "../wire/json.ts";
import type { Answer } from "./state.ts";

export type AnswerKind =
  /** A finished call that reports success. */
  | { readonly type: "success"; readonly answer: Answer }
  /** An error, or nothing that counts as the result of a tool. */
  | { readonly type: "no_success" }
  /** Not an outcome yet: a task handle, a request for input, or a result type that is not known. */
  | { readonly type: "deferred" };

const NO_SUCCESS: AnswerKind = { type: "no_success" };

/** Sorts the answer `message` in a valid line. Whatever is given twice is no success: readers differ in what they take. */
export function answerKind(line: Uint8Array, envelope: Envelope, message: Span): AnswerKind {
  if (envelope.errorCount > 0 || envelope.resultCount !== 1) return NO_SUCCESS;
  const result = membersNamed(line, message, "result")[0];
  if (!result || kindOf(line, result) !== "object") return NO_SUCCESS;
  const flags = membersNamed(line, result, "isError");
  if (flags.length > 1 || (flags[0] && truthy(line, flags[0]))) return NO_SUCCESS;
  if (!finished(line, result)) return { type: "deferred" };
  const contents = membersNamed(line, result, "content");
  // `content` is required in every revision, and there must be one list to put a verdict into.
  if (contents.length !== 1 || kindOf(line, contents[0]!) !== "list") return NO_SUCCESS;
  const structured = membersNamed(line, result, "structuredContent").length > 0;
  return { type: "success", answer: { result, content: contents[0]!, structured } };
}

/** docs/architecture.md: `resultType` absent or `complete`, and no task handle. */
function finished(line: Uint8Array, result: Span): boolean {
  const types = membersNamed(line, result, "resultType");
  if (types.length > 1 || (types[0] && stringOf(line, types[0]) !== "complete")) return false;
  return !membersNamed(line, result, "task").some(
    (task) => kindOf(line, task) === "object" && membersNamed(line, task, "taskId").length > 0,
  );
}

/** Servers have been seen to send strings and numbers here; anything that is not plainly "no error" is an error. */
function truthy(line: Uint8Array, value: Span): boolean {
  const text = textOf(line, value);
  return !(text === "false" || text === "null" || text === '""' || normalNumber(text) === "0");
}
