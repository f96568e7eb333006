// `fourgate verify` as a verifier command: the fields on stdin, one object on stdout for PASS and FAIL, a reason on stderr for doubt.

import type { Readback, ReadbackOutcome } from "../../core/readback/types.ts";
import type { Adapter } from "../../readback/adapter.ts";
import { meaningOf } from "./hints.ts";

export interface Said {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The protocol's answer to an outcome (docs/verifiers.md). */
export function verifierAnswer(readback: Readback, { method }: Adapter, outcome: ReadbackOutcome): Said {
  const { attempts, status } = outcome;
  if (outcome.type === "pass") return { code: 0, stdout: `${JSON.stringify({ status: "pass" })}\n`, stderr: "" };
  if (outcome.type === "unknown") {
    const tried = `${attempts} ${attempts === 1 ? "attempt" : "attempts"}`;
    const { remedy } = meaningOf(outcome);
    return {
      code: 1,
      stdout: "",
      stderr: `fourgate verify: UNKNOWN ${outcome.reason} after ${tried}: ${outcome.note}. ${remedy}\n`,
    };
  }
  const paths = readback.expected.flatMap((group) => group.map(({ written }) => written)).sort();
  const compared = outcome.reason === "field_mismatch";
  const evidence = {
    attempts,
    ...(compared && { checked_fields: paths }),
    ...(method !== undefined && { method }),
    ...(compared && { mismatched_fields: [...outcome.unmet].sort() }),
    ...(status !== undefined && { status }),
  };
  const answer = { evidence, reason_code: outcome.reason, status: "fail" };
  return { code: 0, stdout: `${JSON.stringify(answer)}\n`, stderr: "" };
}
