// The life of a check: waiting for a place, running, deciding, recording, and letting the held line go.

import { CLIENT_LINE_LIMIT_BYTES, HOLD_GRACE_MS, RECORD_WAIT_MS } from "../limits.ts";
import { needsErrorShape } from "../verdict/clients.ts";
import { decide } from "../verdict/decide.ts";
import { errorVerdict, prependVerdict } from "../verdict/rewrite.ts";
import type { Outcome, Reply } from "../verdict/types.ts";
import type { Verdict } from "../verdict/wording.ts";
import type { Edit } from "../wire/edit.ts";
import { releaseWhenSettled } from "./held.ts";
import { record } from "./records.ts";
import type { Check, HeldLine, Session } from "./state.ts";
import type { Command } from "./types.ts";

/** Queues a check and starts it if there is a place. */
export function addCheck(session: Session, check: Check, now: number, out: Command[]): void {
  session.checks.set(check.number, check);
  session.waiting.push(check);
  session.nextDue = Math.min(session.nextDue, check.deadline);
  startChecks(session, now, out);
}

function startChecks(session: Session, now: number, out: Command[]): void {
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
export function verifierDone(session: Session, number: number, reply: Reply, now: number, out: Command[]): void {
  const check = session.checks.get(number);
  session.running--;
  if (check) settle(session, check, decide(reply, check.call.contract.allowedFailureReasons), now, out);
  startChecks(session, now, out);
}

/** Ends checks and waits whose time is over. */
export function checksDue(session: Session, now: number, out: Command[]): void {
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
export function abandonCheck(session: Session, check: Check, reason: string, now: number, out: Command[]): void {
  if (check.startedAt !== undefined) out.push({ type: "cancelVerify", check: check.number });
  settle(session, check, { status: "unknown", reason }, now, out);
}

function settle(session: Session, check: Check, decided: Outcome, now: number, out: Command[]): void {
  session.checks.delete(check.number);
  const { call, held } = check;
  let outcome = decided;
  if (outcome.status === "fail" && call.overlapped) outcome = { status: "unknown", reason: "overlapped" };
  let withheld = false;
  if (outcome.status === "fail" && held && !held.dropped && session.options.mode === "enforce") {
    const edits = verdictEdits(session, check, outcome);
    if (edits === undefined) {
      outcome = { status: "unknown", reason: "internal_error" };
      out.push({ type: "note", note: { code: "fault", where: "verdict" } });
    } else if (tooLong(held, edits)) withheld = true;
    else held.edits.push(...edits);
  }
  const verifyMs = check.startedAt === undefined ? undefined : now - check.startedAt;
  record(session, call, outcome, { now, verifyMs, gated: held !== undefined, withheld, line: held }, out);
  if (!held) return;
  held.undecided--;
  if (held.unrecorded > 0) {
    held.recordBy = now + RECORD_WAIT_MS;
    session.nextDue = Math.min(session.nextDue, held.recordBy);
  }
  releaseWhenSettled(session, held, out);
}

function verdictEdits(session: Session, check: Check, outcome: Outcome): Edit[] | undefined {
  const { contract } = check.call;
  const verdict: Verdict = {
    label: session.options.label,
    tool: contract.tool,
    reason: outcome.reason,
    checkedFields: [...contract.extract.keys()].sort(),
    recovery: contract.recovery,
    unmetFields: outcome.unmetFields,
  };
  try {
    const { result, content, structured } = check.answer!;
    const { bytes } = check.held!;
    if (needsErrorShape(session.options.surface, session.clientName, structured)) {
      return errorVerdict(bytes, result, content, verdict);
    }
    return prependVerdict(bytes, content, verdict);
  } catch {
    // A fault of ours must not cost the user the answer (README, promise 3).
    return undefined;
  }
}

/** SDK clients close the connection at a line over their limit; a verdict must not be what pushes one over. */
function tooLong(held: HeldLine, edits: readonly Edit[]): boolean {
  let length = held.bytes.length;
  for (const edit of [...held.edits, ...edits]) length += edit.insert.length - edit.remove;
  return length > CLIENT_LINE_LIMIT_BYTES && length > held.bytes.length;
}
