// One call of a tool, sent exactly once, and the task that it may become.

import { SCAN_TASK_POLL_MS } from "../../core/limits.ts";
import { newsInAnswer } from "../../core/session/tasks.ts";
import type { Span } from "../../core/wire/json.ts";
import type { Answer } from "./answer.ts";
import type { ScanContext } from "./context.ts";

/** Where the outcome of a call stands, or why it is not known. `fatal`: nothing may be written any more. */
export type CallEnd =
  | { readonly type: "outcome"; readonly bytes: Uint8Array; readonly holder: Span }
  | { readonly type: "unknown"; readonly reason: string; readonly fatal: boolean };

type Context = Pick<ScanContext, "client" | "session">;

/** Makes the call. Never rejects, and never sends it again. */
export async function callTool(
  { client, session }: Context,
  tool: string,
  argumentsJson: string,
  limitMs: number,
  stop?: AbortSignal,
): Promise<CallEnd> {
  if (stop?.aborted) return unknown("session_ended", true);
  const params = session.params(`"name":${JSON.stringify(tool)},"arguments":${argumentsJson}`);
  const answer = await client.ask("tools/call", params, limitMs, stop);
  if (answer.type === "timeout" || answer.type === "stopped") {
    client.notify("notifications/cancelled", session.params(`"requestId":${client.lastId()}`));
  }
  return endOf(answer);
}

function endOf(answer: Answer): CallEnd {
  if (answer.type === "response") return { type: "outcome", bytes: answer.bytes, holder: answer.message };
  if (answer.type === "too_large") return unknown("response_too_large", false);
  if (answer.type === "ambiguous") return unknown("request_id_ambiguous", false);
  if (answer.type === "closed") return unknown("server_closed", true);
  if (answer.type === "stopped") return unknown("session_ended", true);
  return unknown(answer.broken ? "bad_answer" : "call_timeout", true);
}

/** Waits for the outcome of a task that a call became. Asking about a task writes nothing, so it may be done again. */
export async function followTask(
  { client, session }: Context,
  taskId: string,
  limitMs: number,
  stop: AbortSignal,
): Promise<CallEnd> {
  const end = performance.now() + limitMs;
  const params = session.params(`"taskId":${JSON.stringify(taskId)}`);
  const [method, asks] = session.modern ? (["tasks/get", "state"] as const) : (["tasks/result", "result"] as const);
  for (;;) {
    const answer = await client.ask(method, params, end - performance.now(), stop);
    // The call itself was answered in time; what never came is the task's end.
    if (answer.type === "timeout") return unknown("deferred", true);
    if (answer.type !== "response") return endOf(answer);
    const news = newsInAnswer(answer.bytes, answer.message, asks);
    if (news.type === "outcome") return { type: "outcome", bytes: answer.bytes, holder: news.holder };
    if (news.type === "over") return unknown(news.reason, false);
    if (performance.now() + SCAN_TASK_POLL_MS >= end) return unknown("deferred", true);
    await new Promise((resolve) => setTimeout(resolve, SCAN_TASK_POLL_MS));
  }
}

function unknown(reason: string, fatal: boolean): CallEnd {
  return { type: "unknown", reason, fatal };
}
