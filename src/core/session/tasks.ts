// Calls that the server turned into tasks: which messages carry their outcome, and what is remembered until then.
// Revision 2025-11-25: `tasks/result` brings it. Tasks extension: `tasks/get` and `notifications/tasks` carry it.

import { MAX_FOLLOWED_CALLS } from "../limits.ts";
import type { Outcome } from "../verdict/types.ts";
import type { Envelope } from "../wire/envelope.ts";
import { normalNumber } from "../wire/ids.ts";
import { kindOf, membersNamed, type Span, stringOf, textOf } from "../wire/json.ts";
import type { FollowedTask, ProtectedCall, TaskRequest } from "./calls.ts";
import { only } from "./params.ts";
import { record } from "./records.ts";
import type { Session } from "./state.ts";
import type { Emit } from "./types.ts";

/** JSON-RPC's code for parameters that are no good: there is no such task, or no longer. */
const INVALID_PARAMS = "-32602";
const ASKS: ReadonlyMap<string, TaskRequest["asks"]> = new Map([
  ["tasks/result", "result"],
  ["tasks/get", "state"],
  ["tasks/cancel", "state"],
]);

/** What a message says about a task. */
export type TaskNews =
  /** The object whose members `result` and `error` are the outcome of the call. */
  | { readonly type: "outcome"; readonly holder: Span }
  /** It ended without a result. */
  | { readonly type: "over"; readonly reason: string }
  /** Nothing yet. */
  | { readonly type: "going_on" };

/** Remembers the call until the outcome of its task is told. A second call under the same task id cannot be told apart. */
export function followTask(session: Session, call: ProtectedCall, taskId: string, now: number, out: Emit): void {
  const earlier = session.tasks.get(taskId);
  if (earlier) {
    session.tasks.delete(taskId);
    for (const one of [earlier.call, call]) {
      if (!earlier.check || one === call) recordTask(session, one, "request_id_ambiguous", now, out);
    }
    return;
  }
  session.tasks.set(taskId, { id: taskId, call, check: undefined, verdict: undefined });
  if (session.tasks.size <= MAX_FOLLOWED_CALLS) return;
  const oldest = session.tasks.values().next().value!;
  session.tasks.delete(oldest.id);
  if (undecided(oldest)) recordTask(session, oldest.call, "deferred", now, out);
}

/** The task that a request of the client asks about, if it is one that is followed. */
export function askedTask(
  session: Session,
  message: Envelope,
  line: Uint8Array,
  params: Span,
): { task: FollowedTask; asks: TaskRequest["asks"] } | undefined {
  const asks = message.methodCount === 1 ? ASKS.get(message.methods[0]!) : undefined;
  const task = asks && taskNamed(session, line, params);
  return asks && task ? { task, asks } : undefined;
}

/** The followed task that an object names. */
export function taskNamed(session: Session, line: Uint8Array, holder: Span): FollowedTask | undefined {
  const value = only(membersNamed(line, holder, "taskId"));
  const id = value && stringOf(line, value);
  return id === undefined ? undefined : session.tasks.get(id);
}

/** What the answer to a request about a task says. `response` is the message. */
export function newsInAnswer(line: Uint8Array, response: Span, asks: TaskRequest["asks"]): TaskNews {
  const error = only(membersNamed(line, response, "error"));
  if (error) return goneNews(line, error);
  if (asks === "result") return { type: "outcome", holder: response };
  const state = only(membersNamed(line, response, "result"));
  return state && kindOf(line, state) === "object" ? newsInState(line, state) : { type: "going_on" };
}

/** What a task object says, in an answer or a notification. */
export function newsInState(line: Uint8Array, state: Span): TaskNews {
  const value = only(membersNamed(line, state, "status"));
  const status = value && stringOf(line, value);
  if (status === "failed") return { type: "over", reason: "not_success_result" };
  if (status === "cancelled") return { type: "over", reason: "cancelled" };
  // Whatever the status, a result that stands here is what the client takes.
  if (membersNamed(line, state, "result").length > 0) return { type: "outcome", holder: state };
  return { type: "going_on" };
}

/** The outcome of a task is known; a confirmed FAIL stays, for whoever asks for the result again. */
export function taskDecided(session: Session, task: FollowedTask, outcome: Outcome): void {
  task.check = undefined;
  if (session.tasks.get(task.id) !== task) return;
  if (outcome.status === "fail" && session.options.mode === "enforce") task.verdict = outcome;
  else session.tasks.delete(task.id);
}

/** A task is over without an outcome that could be checked. */
export function closeTask(session: Session, task: FollowedTask, reason: string, now: number, out: Emit): void {
  if (!undecided(task)) return;
  session.tasks.delete(task.id);
  recordTask(session, task.call, reason, now, out);
}

/** The session ends: what never came to an end gets its record. */
export function tasksOver(session: Session, now: number, out: Emit): void {
  for (const task of [...session.tasks.values()]) closeTask(session, task, "deferred", now, out);
}

const undecided = (task: FollowedTask) => task.check === undefined && task.verdict === undefined;

function recordTask(session: Session, call: ProtectedCall, reason: string, now: number, out: Emit): void {
  record(session, call, { status: "unknown", reason }, { now }, out);
}

/** Any other error may be about the asking only, and the next answer may bring the outcome. */
function goneNews(line: Uint8Array, error: Span): TaskNews {
  const code = kindOf(line, error) === "object" ? only(membersNamed(line, error, "code")) : undefined;
  const gone = code && normalNumber(textOf(line, code)) === INVALID_PARAMS;
  return gone ? { type: "over", reason: "deferred" } : { type: "going_on" };
}
