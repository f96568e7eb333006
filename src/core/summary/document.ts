// The summary as a document for programs. New keys may come; `summary_version` grows when one goes or changes its meaning.

import type { Changes } from "./change.ts";
import type { Figures } from "./figures.ts";
import type { Period } from "./period.ts";

export interface Summary extends Omit<Figures, "by_hour" | "latency_counts"> {
  readonly summary_version: 1;
  readonly generated_at_utc: string;
  readonly skipped_lines: number;
  /** Records outside the period. */
  readonly outside_period: number;
  /** ISO 8601; null where there is no border. */
  readonly period: { readonly since: string | null; readonly until: string | null };
  readonly changes?: Changes;
}

export interface Read {
  readonly figures: Figures;
  readonly skippedLines: number;
  readonly outsidePeriod: number;
  readonly period: Period;
  readonly changes: Changes | undefined;
}

/** Takes what was read and when it is told (milliseconds since 1970 UTC). */
export function summaryDocument(read: Read, nowMs: number): Summary {
  const { by_hour, latency_counts, ...figures } = read.figures;
  const instant = (timeMs: number) => (Number.isFinite(timeMs) ? new Date(timeMs).toISOString() : null);
  return {
    summary_version: 1,
    generated_at_utc: new Date(nowMs).toISOString(),
    ...figures,
    skipped_lines: read.skippedLines,
    outside_period: read.outsidePeriod,
    period: { since: instant(read.period.since), until: instant(read.period.until) },
    ...(read.changes === undefined ? {} : { changes: read.changes }),
  };
}
