// Plays attempts: what each saw and when, and what is to happen after each; nothing may be left over.

import { expect } from "vitest";
import { type Attempts, afterAttempt, type Next, startAttempts } from "../../../src/core/readback/attempts.ts";
import type { DoubtReason, Finding } from "../../../src/core/readback/types.ts";

export const match: Finding = { type: "match" };
/** A match because the record is not there. */
export const gone: Finding = { type: "match", absence: true };
export const doubt = (reason: DoubtReason, retryAfterMs?: number): Finding => ({
  type: "doubt",
  reason,
  ...(retryAfterMs !== undefined && { retryAfterMs }),
});
/** A failure; `sight` tells apart what was seen. */
export const fail = (
  reason: "record_missing" | "field_mismatch" | "record_present" = "record_missing",
  sight = "",
): Finding => ({ type: "fail", reason, unmet: [], fields: [], sight });

export interface Limits {
  readonly attempts?: number;
  readonly intervalMs?: number;
  readonly settleMs?: number;
  readonly timeoutMs?: number;
  /** How old the answer is at the start. */
  readonly ageMs?: number;
}

/** Begins; every attempt takes `ms`, ten without it. */
export function play(limits: Limits = {}) {
  const { attempts = 3, intervalMs = 100, settleMs = 0, timeoutMs = 1500, ageMs = 0 } = limits;
  let state: Attempts = startAttempts({ attempts, intervalMs, settleMs }, timeoutMs, ageMs);
  let now = 0;
  let next: Next | undefined;
  const script = {
    sees(finding: Finding, ms = 10) {
      if (next?.type === "done") throw new Error("it was over");
      next = afterAttempt(state, finding, now, now + ms);
      state = next.attempts;
      now += ms;
      return script;
    },
    again(afterMs: number) {
      expect(next).toMatchObject({ type: "again", afterMs });
      now += afterMs;
      return script;
    },
    /** The end, after so many attempts. */
    ends(finding: Partial<Finding>, made: number) {
      expect(next).toMatchObject({ type: "done", finding, attempts: { made } });
    },
  };
  return script;
}
