// The life of a check: waiting for a place, running, deciding, recording, and letting the held line go.

import { HOLD_GRACE_MS, RECORD_WAIT_MS } from "../limits.ts";
import { decide } from "../verdict/decide.ts";
import type { Outcome, Reply } from "../verdict/types.ts";
import type { Check, HeldLine } from "./calls.ts";
import { releaseWhenSettled } from "./held.ts";
import { putVerdict } from "./put-verdict.ts";
import { record } from "./records.ts";
import type { Session } from "./state.ts";
import { taskDecided } from "./tasks.ts";
import type { Emit } from "./types.ts";

/** Queues a check and starts it if there is a place. */
export function addCheck(session: Session, check: Check, now: number, out: Emit): void {
  session.checks.set(check.number, check);
  session.waiting.push(check);
  session.nextDue = Math.min(session.nextDue, check.deadline);
  startChecks(session, now, out);
}

function startChecks(session: Session, now: number, out: Emit): void {
  while (session.running < session.options.maxParallelChecks) {
    const check = session.waiting.shift();
    if (!check) return;
    if (!session.checks.has(check.number)) continue;
    const budgetMs = Math.floor(check.deadline - now);
    if (budgetMs < 1) {
      settle(session, check, neverStarted(check), now, out);
      continue;
    }
    check.startedAt = now;
    session.running++;
    const { contract } = check.call;
    out.push({ type: "verify", check: check.number, tool: contract.tool, input: check.input, budgetMs });
  }
}

/** Its time was up before it had a place. */
function neverStarted({ call }: Check): Outcome {
  return { status: "unknown", reason: call.contract.readback ? "readback_timeout" : "verifier_timeout" };
}

/** Takes what became of a verifier. A check that was already settled otherwise only gives its place back. */
export function verifierDone(session: Session, number: number, reply: Reply, now: number, out: Emit): void {
  const check = session.checks.get(number);
  session.running--;
  if (check) settle(session, check, decide(reply, check.call.contract.allowedFailureReasons), now, out);
  startChecks(session, now, out);
}

/** Ends checks and waits whose time is over. */
export function checksDue(session: Session, now: number, out: Emit): void {
  if (now < session.nextDue) return;
  let next = Number.POSITIVE_INFINITY;
  for (const check of [...session.checks.values()]) {
    // A started verifier answers by its limit; only if we failed to run it does the outer bound act.
    const due = check.startedAt === undefined ? check.deadline : check.deadline + HOLD_GRACE_MS - RECORD_WAIT_MS;
    if (now < due) next = Math.min(next, due);
    else if (check.startedAt === undefined) {
      settle(session, check, neverStarted(check), now, out);
    } else abandonCheck(session, check, "internal_error", now, out);
  }
  for (const line of [...session.heldLines.values()]) {
    if (line.unrecorded === 0) continue;
    if (now < line.recordBy) next = Math.min(next, line.recordBy);
    else {
      line.unrecorded = 0;
      session.logLate = true;
      releaseWhenSettled(session, line, out);
    }
  }
  session.nextDue = next;
}

/** Settles a check without its verifier's answer. */
export function abandonCheck(session: Session, check: Check, reason: string, now: number, out: Emit): void {
  if (check.startedAt !== undefined) out.push({ type: "cancelVerify", check: check.number });
  settle(session, check, { status: "unknown", reason }, now, out);
}

function settle(session: Session, check: Check, decided: Outcome, now: number, out: Emit): void {
  session.checks.delete(check.number);
  const { call, task, deliveries } = check;
  const [first, ...later] = deliveries;
  let outcome = decided;
  if (outcome.status === "fail" && call.overlapped) outcome = { status: "unknown", reason: "overlapped" };
  let withheld = false;
  if (outcome.status === "fail" && session.options.mode === "enforce") {
    const put = putVerdict(session, call, outcome, first!);
    withheld = put === "too_long";
    if (put === "fault") {
      outcome = { status: "unknown", reason: "internal_error" };
      out.push({ type: "note", note: { code: "fault", where: "verdict" } });
    } else for (const delivery of later) putVerdict(session, call, outcome, delivery);
  }
  if (task) taskDecided(session, task, outcome);
  const verifyMs = check.startedAt === undefined ? undefined : now - check.startedAt;
  const { held } = first!;
  record(session, call, outcome, { now, verifyMs, gated: held !== undefined, withheld, line: held }, out);
  for (const delivery of deliveries) if (delivery.held) decidedIn(session, delivery.held, now, out);
}

/** One answer fewer to wait for in the line. */
function decidedIn(session: Session, held: HeldLine, now: number, out: Emit): void {
  held.undecided--;
  if (held.unrecorded > 0) {
    held.recordBy = now + RECORD_WAIT_MS;
    session.nextDue = Math.min(session.nextDue, held.recordBy);
  }
  releaseWhenSettled(session, held, out);
}
