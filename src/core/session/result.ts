// What kind of thing an answer to `tools/call` is; the one place that knows how the protocol revisions differ in this.

import { normalNumber } from "../wire/ids.ts";
import { kindOf, membersNamed, type Span, stringOf, textOf } from "../wire/json.ts";
import type { Answer } from "./calls.ts";

export type AnswerKind =
  /** A finished call that reports success. */
  | { readonly type: "success"; readonly answer: Answer }
  /** An error, or nothing that counts as the result of a tool. */
  | { readonly type: "no_success" }
  /** A task does the work; its outcome is told under this id. */
  | { readonly type: "task"; readonly taskId: string }
  /** The server asks for input; the client sends the call again with the answers and this state, if one is given. */
  | { readonly type: "input_required"; readonly state: string | undefined }
  /** A result type that is not known: no outcome that anything could be said about. */
  | { readonly type: "deferred" };

const NO_SUCCESS: AnswerKind = { type: "no_success" };
const DEFERRED: AnswerKind = { type: "deferred" };

/**
 * Sorts the members `result` and `error` of an object in a valid line: of a response, or of a task that carries its outcome.
 * Whatever is given twice is no success: readers differ in what they take.
 */
export function answerKind(line: Uint8Array, outcome: Span): AnswerKind {
  const results = membersNamed(line, outcome, "result");
  const result = results[0];
  if (results.length !== 1 || membersNamed(line, outcome, "error").length > 0) return NO_SUCCESS;
  if (!result || kindOf(line, result) !== "object") return NO_SUCCESS;
  const flags = membersNamed(line, result, "isError");
  if (flags.length > 1 || (flags[0] && truthy(line, flags[0]))) return NO_SUCCESS;
  const unfinished = unfinishedKind(line, result);
  if (unfinished) return unfinished;
  const contents = membersNamed(line, result, "content");
  // `content` is required in every revision, and there must be one list to put a verdict into.
  if (contents.length !== 1 || kindOf(line, contents[0]!) !== "list") return NO_SUCCESS;
  const structured = membersNamed(line, result, "structuredContent").length > 0;
  return { type: "success", answer: { result, content: contents[0]!, structured } };
}

/** docs/architecture.md: finished is what has `resultType` absent or `complete`, and no task handle. */
function unfinishedKind(line: Uint8Array, result: Span): AnswerKind | undefined {
  const types = membersNamed(line, result, "resultType");
  if (types.length > 1) return DEFERRED;
  const type = types[0] ? stringOf(line, types[0]) : "complete";
  const handles = membersNamed(line, result, "task").filter((task) => kindOf(line, task) === "object");
  // Revision 2025-11-25 wraps the handle; the tasks extension of 2026-07-28 names it in the result itself.
  const holders = type === "task" ? [result] : handles;
  const ids = holders.flatMap((holder) => membersNamed(line, holder, "taskId"));
  if (type === "task" || ids.length > 0) {
    const taskId = ids.length === 1 ? stringOf(line, ids[0]!) : undefined;
    return taskId === undefined ? DEFERRED : { type: "task", taskId };
  }
  if (type === "input_required") {
    const states = membersNamed(line, result, "requestState");
    const state = states[0] && stringOf(line, states[0]);
    return states.length > 1 || (states[0] && state === undefined) ? DEFERRED : { type: "input_required", state };
  }
  return type === "complete" ? undefined : DEFERRED;
}

/** Servers have been seen to send strings and numbers here; anything that is not plainly "no error" is an error. */
function truthy(line: Uint8Array, value: Span): boolean {
  const text = textOf(line, value);
  return !(text === "false" || text === "null" || text === '""' || normalNumber(text) === "0");
}
