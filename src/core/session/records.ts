// Builds the one record of a protected call.

import type { ToolContract } from "../contract/types.ts";
import type { OutcomeFields } from "../outcome/types.ts";
import type { Outcome } from "../verdict/types.ts";
import type { HeldLine, ProtectedCall } from "./calls.ts";
import { closeRecord } from "./overlap.ts";
import type { Session } from "./state.ts";
import type { Emit } from "./types.ts";

export interface RecordFacts {
  readonly now: number;
  readonly verifyMs?: number | undefined;
  /** The client waited for the decision. */
  readonly gated?: boolean;
  /** A verdict was due and could not be put before the client. */
  readonly withheld?: boolean;
  /** The line that must wait for this record. */
  readonly line?: HeldLine | undefined;
}

/** A call that is not tracked (any more) has no record id to forget. */
export type RecordedCall = ProtectedCall | { contract: ToolContract; calledAt: number; answeredAt: number | undefined };

/** What was kept of a call is not needed any more. */
export function forget(session: Session, call: ProtectedCall): void {
  closeRecord(session, call);
  session.heldBytes -= call.size;
}

/** Emits the record of a call. Whoever calls this makes sure that it happens once per call. */
export function record(session: Session, call: RecordedCall, outcome: Outcome, facts: RecordFacts, out: Emit): void {
  const { answeredAt, calledAt, contract } = call;
  if ("key" in call) forget(session, call);
  const decided = outcome.status !== "unknown";
  const fields: OutcomeFields = {
    server: session.options.label,
    tool: contract.tool,
    mode: session.options.mode,
    status: outcome.status,
    reason_code: outcome.reason,
    checked_fields: decided ? [...contract.extract.keys()].sort() : [],
    gate_ms: facts.gated && answeredAt !== undefined ? Math.max(0, Math.round(facts.now - answeredAt)) : 0,
    ...(facts.verifyMs === undefined ? {} : { verify_ms: Math.round(facts.verifyMs) }),
    ...(answeredAt === undefined ? {} : { call_ms: Math.round(answeredAt - calledAt) }),
    ...("markForged" in call && call.markForged ? { mark_forged: true } : {}),
    ...(facts.withheld ? { verdict_withheld: "line_too_long" as const } : {}),
  };
  if (facts.line && !facts.line.dropped) {
    if (!session.logLate) facts.line.unrecorded++;
    out.push({ type: "record", record: fields, line: facts.line.number });
  } else out.push({ type: "record", record: fields });
}
