// Turns what became of a verifier process into an outcome, by the table in docs/verdicts.md; no other place does.

import type { ReadbackOutcome } from "../readback/types.ts";
import type { FixedReason } from "./reasons.ts";
import { readVerifierAnswer } from "./reply-text.ts";
import type { Outcome, Reply } from "./types.ts";

/**
 * Takes the end of a verifier and the contract's `allowed_failure_reasons`. PASS and FAIL need a clean exit and exactly
 * one well-formed answer; FAIL also an approved reason. Everything else is UNKNOWN. Never throws.
 */
export function decide(reply: Reply, allowed: ReadonlySet<string>): Outcome {
  switch (reply.ended) {
    case "timeout":
      return unknown("verifier_timeout");
    case "not_started":
      return unknown("verifier_error");
    case "cancelled":
      return unknown("cancelled");
    case "fault":
      return unknown("internal_error");
    case "read":
      return decideRead(reply.outcome, allowed);
    case "exit": {
      // First: past the limit we end it ourselves, so the signal says nothing about the verifier.
      if (reply.overflow) return unknown("verifier_malformed");
      if (reply.code !== 0) return unknown("verifier_error");
      const answer = readVerifierAnswer(reply.stdout);
      if (answer === undefined) return unknown("verifier_malformed");
      if (answer.status === "pass") return { status: "pass", reason: "postcondition_satisfied" satisfies FixedReason };
      return allowed.has(answer.reason) ? { status: "fail", reason: answer.reason } : unknown("verifier_malformed");
    }
  }
}

function decideRead(outcome: ReadbackOutcome, allowed: ReadonlySet<string>): Outcome {
  if (outcome.type === "pass") return { status: "pass", reason: "postcondition_satisfied" satisfies FixedReason };
  if (outcome.type === "unknown") return unknown(outcome.reason);
  if (!allowed.has(outcome.reason)) return unknown("readback_unconfirmed");
  return { status: "fail", reason: outcome.reason, unmetFields: outcome.fields };
}

function unknown(reason: FixedReason): Outcome {
  return { status: "unknown", reason };
}
