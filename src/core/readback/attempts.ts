// Decides over attempts: PASS at the first match, FAIL only when every attempt saw the same failure, else UNKNOWN. What an
// attempt saw before the settle time is no proof, unless it is the expected record.

import type { Finding, Readback } from "./types.ts";

type Limits = Pick<Readback, "attempts" | "intervalMs" | "settleMs">;

/** What the attempts so far have shown. */
export interface Attempts {
  readonly limits: Limits;
  /** For all attempts together, milliseconds from the start. */
  readonly timeoutMs: number;
  /** How old the answer was at the start, milliseconds. */
  readonly ageMs: number;
  readonly made: number;
  /** The first failure that was seen; all later ones must be like it. */
  readonly failure: Extract<Finding, { type: "fail" }> | undefined;
  /** An attempt found the record gone before that was proof. */
  readonly goneEarly: boolean;
  readonly disagree: boolean;
  readonly doubt: Extract<Finding, { type: "doubt" }> | undefined;
  /** The longest attempt so far, milliseconds. */
  readonly longestMs: number;
}

export type Next =
  | { readonly type: "again"; readonly attempts: Attempts; readonly afterMs: number }
  | { readonly type: "done"; readonly attempts: Attempts; readonly finding: Finding };

/** Before the first attempt. */
export function startAttempts(limits: Limits, timeoutMs: number, ageMs: number): Attempts {
  const nothing = { made: 0, failure: undefined, goneEarly: false, disagree: false, doubt: undefined, longestMs: 0 };
  return { limits, timeoutMs, ageMs, ...nothing };
}

/**
 * Takes what an attempt found, when it began and when it ended (milliseconds from the start). Says whether to try again
 * and after which pause, or what is to be concluded. Another attempt is only begun when it can be expected to end in time.
 */
export function afterAttempt(before: Attempts, finding: Finding, beganMs: number, endedMs: number): Next {
  const attempts = count(before, finding, endedMs - beganMs);
  const early = mayBeLate(finding) && before.ageMs + beganMs < before.limits.settleMs;
  if (finding.type === "match" && !early) return { type: "done", attempts, finding };
  // What no further attempt can change.
  if (
    finding.type === "doubt" &&
    (finding.reason === "readback_selector_invalid" || finding.reason === "credential_missing")
  ) {
    return { type: "done", attempts, finding };
  }
  const { limits, ageMs, timeoutMs } = attempts;
  if (attempts.made < limits.attempts) {
    let afterMs = limits.intervalMs;
    // A system that asks for a pause gets it, or is not asked again.
    if (finding.type === "doubt") afterMs = Math.max(afterMs, finding.retryAfterMs ?? 0);
    // The last attempt is put where it can prove something, if there is time for that.
    const settledMs = limits.settleMs - ageMs;
    if (attempts.made === limits.attempts - 1 && mayBeLate(finding) && fits(attempts, settledMs)) {
      afterMs = Math.max(afterMs, settledMs - endedMs);
    }
    if (fits(attempts, endedMs + afterMs)) return { type: "again", attempts, afterMs: Math.max(0, Math.ceil(afterMs)) };
  }
  return { type: "done", attempts, finding: conclude(attempts, finding, early) };

  function fits(of: Attempts, startMs: number): boolean {
    return startMs + of.longestMs <= timeoutMs;
  }
}

function count(before: Attempts, finding: Finding, ms: number): Attempts {
  const attempts = { ...before, made: before.made + 1, longestMs: Math.max(before.longestMs, ms) };
  if (finding.type === "doubt")
    return { ...attempts, doubt: finding, disagree: before.disagree || !!before.failure || before.goneEarly };
  if (finding.type === "match") return { ...attempts, goneEarly: true };
  const { failure } = before;
  const like = failure === undefined || (failure.reason === finding.reason && failure.sight === finding.sight);
  return {
    ...attempts,
    failure: failure ?? finding,
    disagree: before.disagree || !like || !!before.doubt || before.goneEarly,
  };
}

function conclude(attempts: Attempts, last: Finding, early: boolean): Finding {
  // A record that is gone now was there, or could not be read, before: that is no contradiction.
  if (early && last.type === "match") return { type: "doubt", reason: "not_settled" };
  if (attempts.disagree) return { type: "doubt", reason: "readback_inconsistent" };
  return early ? { type: "doubt", reason: "not_settled" } : last;
}

/** What a later read may see otherwise: a record that is not there, still there, or not as it should be. */
function mayBeLate(finding: Finding): boolean {
  return finding.type === "fail" || (finding.type === "match" && finding.absence === true);
}
