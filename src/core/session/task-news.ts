// What a server's line says about followed tasks: an outcome is checked once, and every telling of it gets the same verdict.

import type { Envelope } from "../wire/envelope.ts";
import type { Answer, FollowedTask, TaskRequest } from "./calls.ts";
import { holdsMark } from "./forged.ts";
import { judge } from "./judge.ts";
import { type Judging, keptBack, makeCheck } from "./judging.ts";
import { paramsOf } from "./params.ts";
import { putVerdict } from "./put-verdict.ts";
import { answerKind } from "./result.ts";
import { closeTask, newsInAnswer, newsInState, type TaskNews, taskNamed } from "./tasks.ts";

/** The answer to a request about a task. */
export function taskAnswer(judging: Judging, request: TaskRequest, message: Envelope): void {
  const { session, bytes, now, out } = judging;
  const { task, asks } = request;
  if (bytes && message.idCount === 1) taskNews(judging, task, newsInAnswer(bytes, message, asks), request);
  // The outcome it is, all the same; a task object too large to look into may be anything.
  else if (!bytes && asks === "result" && session.tasks.get(task.id) === task)
    closeTask(session, task, "response_too_large", now, out);
}

/** A notification or request of the server: of a task it may carry the outcome. */
export function announcement(judging: Judging, message: Envelope): void {
  const { session, bytes } = judging;
  if (session.tasks.size === 0 || !bytes || message.methodCount !== 1 || message.idCount > 0) return;
  if (message.methods[0] !== "notifications/tasks" && message.methods[0] !== "notifications/tasks/status") return;
  if (!judging.valid()) return;
  const state = paramsOf(bytes, message);
  const task = state && taskNamed(session, bytes, state);
  if (state && task) taskNews(judging, task, newsInState(bytes, state), undefined);
}

function taskNews(judging: Judging, task: FollowedTask, news: TaskNews, request: TaskRequest | undefined): void {
  const { session, bytes, now, out } = judging;
  const { call } = task;
  // Its call has its record; a request from before may still be answered.
  if (session.tasks.get(task.id) !== task) return;
  if (news.type === "over") closeTask(session, task, news.reason, now, out);
  if (news.type !== "outcome") return;
  if (task.check || task.verdict) {
    // It is told again: whatever its check says, or has said, holds for this line too.
    const kind = answerKind(bytes!, news.holder);
    if (kind.type === "success") again(judging, task, kind.answer, request);
    return;
  }
  call.answeredAt = now;
  call.answeredSeq = session.seq;
  call.markForged ||= bytes !== undefined && holdsMark(bytes, news.holder);
  const judged = judge(session, call, bytes, news.holder);
  if (judged.type === "undecidable") closeTask(session, task, judged.reason, now, out);
  else if (judged.type === "check") makeCheck(judging, call, judged, task, request);
}

function again(judging: Judging, task: FollowedTask, answer: Answer, request: TaskRequest | undefined): void {
  if (task.check) {
    const held = keptBack(judging, request);
    if (held) task.check.deliveries.push({ answer, held });
    return;
  }
  judging.held ??= judging.hold?.();
  if (judging.held) putVerdict(judging.session, task.call, task.verdict!, { answer, held: judging.held });
}
