// Calls that the server answered with a request for input: the client sends them again as new requests (revision 2026-07-28).

import { MAX_FOLLOWED_CALLS } from "../limits.ts";
import { membersNamed, type Span, stringOf } from "../wire/json.ts";
import type { ProtectedCall } from "./calls.ts";
import { only } from "./params.ts";
import { forget, record } from "./records.ts";
import type { Session } from "./state.ts";
import type { Emit } from "./types.ts";

/** The call is over without an outcome of its own; `state` is what its retry has to bring back. */
export function awaitRetry(
  session: Session,
  call: ProtectedCall,
  state: string | undefined,
  now: number,
  out: Emit,
): void {
  forget(session, call);
  session.retries.push({ call, state });
  if (session.retries.length > MAX_FOLLOWED_CALLS) giveUp(session, session.retries.shift()!.call, now, out);
}

/** If this call is the retry of an earlier one, the earlier one needs no record: the outcome is this call's. */
export function takeRetry(session: Session, tool: string, line: Uint8Array, params: Span): void {
  if (session.retries.length === 0) return;
  const value = only(membersNamed(line, params, "requestState"));
  const state = value && stringOf(line, value);
  if (state === undefined && membersNamed(line, params, "inputResponses").length === 0) return;
  const at = session.retries.findIndex((retry) => retry.state === state && retry.call.contract.tool === tool);
  if (at >= 0) session.retries.splice(at, 1);
}

/** The session ends: what was never sent again gets its record. */
export function retriesOver(session: Session, now: number, out: Emit): void {
  for (const { call } of session.retries.splice(0)) giveUp(session, call, now, out);
}

function giveUp(session: Session, { contract, calledAt, answeredAt }: ProtectedCall, now: number, out: Emit): void {
  record(session, { contract, calledAt, answeredAt }, { status: "unknown", reason: "deferred" }, { now }, out);
}
