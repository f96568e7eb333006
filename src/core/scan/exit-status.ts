// The exit status of a scan, from what its cases came to.

/** A case as far as the status depends on it. */
export interface CaseEnd {
  readonly status: "pass" | "fail" | "unknown";
  readonly as_expected: boolean;
}

export interface ExitRules {
  /** For a scan in which nothing was disproven and something is in doubt. */
  readonly unknownExitCode: number;
  /** How many cases must have been decided, PASS or FAIL. */
  readonly minVerified: number;
}

/**
 * 0 only when every case is as expected, none was left out, and enough were verified. A case that was decided against what was
 * expected wins over doubt.
 */
export function scanExitStatus(ends: readonly CaseEnd[], notRun: number, rules: ExitRules): number {
  if (ends.some((end) => end.status !== "unknown" && !end.as_expected)) return 1;
  if (ends.some((end) => end.status === "unknown") || notRun > 0) return rules.unknownExitCode;
  return ends.length >= Math.max(1, rules.minVerified) ? 0 : 1;
}
