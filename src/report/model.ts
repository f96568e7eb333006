// One run of `fourgate scan` as its report writers see it: filled by run/scan, already redacted.

/** What became of a case: proven, disproven, or in doubt. */
export type CaseStatus = "pass" | "fail" | "unknown";

/** Where a case is written. `file` is as the user gave it; the writers make it a relative URI. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A field that was read back otherwise than expected: JSON texts, already redacted ("[WITHHELD]" without --show-values). */
export interface MismatchedField {
  readonly path: string;
  readonly expected: string;
  readonly observed: string;
}

/** What was asked, answered and read back: kept when a case is not PASS, or not as expected. */
export interface CaseEvidence {
  readonly request: unknown;
  readonly tool_response: unknown;
  readonly readback: unknown;
}

/** What became of the clean-up after a case. */
export interface CaseCleanup {
  readonly status: "done" | "not_needed" | "failed";
  readonly reason_code: string;
}

/** One case, done. */
export interface CaseReport {
  /** From 1, in the order of the file. */
  readonly index: number;
  /** The case's `name`, or `TOOL #n`. */
  readonly name: string;
  /** Null: a failure before the cases. */
  readonly tool: string | null;
  readonly place: Place;
  /** The case's `expect_outcome`. */
  readonly expected: "pass" | "fail";
  readonly status: CaseStatus;
  readonly reason_code: string;
  readonly as_expected: boolean;
  readonly attempts: number;
  readonly duration_ms: number;
  readonly checked_fields: readonly string[];
  readonly mismatched_fields: readonly MismatchedField[];
  /** Only when not as expected, or not PASS. */
  readonly evidence?: CaseEvidence;
  /** For FAIL: how a person sees the same thing by hand. */
  readonly repro_steps?: readonly string[];
  readonly cleanup?: CaseCleanup;
}

/** A record that this run created and that is still there. */
export interface Leftover {
  readonly tool: string;
  readonly case: number;
  readonly id: string;
}

/** The server, as it named itself; null when it never did. */
export interface ServerNamed {
  readonly name: string | null;
  readonly version: string | null;
  readonly protocol_version: string | null;
}

/** How many cases came to what. `cases` are those of the file; `not_run` are those that a stop left out. */
export interface Totals {
  readonly cases: number;
  readonly pass: number;
  readonly fail: number;
  readonly unknown: number;
  readonly as_expected: number;
  readonly not_run: number;
}

/** Why no more writes were sent, and after which case. */
export interface Stopped {
  readonly reason_code: string;
  readonly after_case: number;
}

/** One run of `fourgate scan`. Redaction is done before it is filled; a writer only escapes for its format. */
export interface ScanReport {
  readonly scan_version: 1;
  readonly report_version: 1;
  readonly generated_at_utc: string;
  readonly fourgate: string;
  readonly scan_file: string;
  readonly test_account: string;
  readonly run_id: string;
  readonly server: ServerNamed;
  readonly duration_ms: number;
  readonly totals: Totals;
  readonly cases: readonly CaseReport[];
  readonly leftovers: readonly Leftover[];
  readonly stopped: Stopped | null;
  /** `--min-verified`: how many cases must be decided. */
  readonly min_verified?: number;
}

/** What a writer may know besides the report. */
export interface ReportContext {
  readonly color: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder that relative paths start from; without it, what `PWD` says. */
  readonly cwd?: string;
}

/** Writes a report in one format. Pure: text out, safe for any string in any field. */
export interface Reporter {
  readonly name: string;
  /** The file's name in --report-dir. */
  readonly file: string;
  write(report: ScanReport, context: ReportContext): string;
}

/** Progress while the scan runs. */
export interface LiveReporter {
  started(total: number): void;
  caseStarted(index: number, name: string): void;
  caseDone(one: CaseReport): void;
  finished(report: ScanReport): void;
}
