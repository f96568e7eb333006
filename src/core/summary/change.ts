// Two periods side by side: which counts are not what they were.

import type { Figures, Totals } from "./figures.ts";

export interface Change {
  /** `SERVER/TOOL`, or a reason as `status reason_code`. */
  readonly name: string;
  readonly before: number;
  readonly now: number;
}

export interface Changes {
  readonly totals: { readonly before: Totals; readonly now: Totals };
  /** FAIL and UNKNOWN by tool: the greatest change first; only what changed. */
  readonly trouble_by_tool: readonly Change[];
  readonly calls_by_tool: readonly Change[];
  readonly reasons: readonly Change[];
  readonly p95_ms: { readonly before: number | null; readonly now: number | null };
}

/** Takes the figures of the earlier and of the later period. */
export function changes(before: Figures, now: Figures): Changes {
  const counts = (figures: Figures, of: (totals: Totals) => number) =>
    Object.entries(figures.by_tool).map(([name, totals]) => [name, of(totals)] as const);
  const between = (of: (totals: Totals) => number) => changed(counts(before, of), counts(now, of));
  const reasons = (figures: Figures) =>
    figures.reasons.map(({ status, reason_code, count }) => [`${status} ${reason_code}`, count] as const);
  return {
    totals: { before: before.totals, now: now.totals },
    trouble_by_tool: between(({ fail, unknown }) => fail + unknown),
    calls_by_tool: between(({ pass, fail, unknown }) => pass + fail + unknown),
    reasons: changed(reasons(before), reasons(now)),
    p95_ms: { before: before.latency?.p95_ms ?? null, now: now.latency?.p95_ms ?? null },
  };
}

type Counted = readonly (readonly [name: string, count: number])[];

function changed(before: Counted, now: Counted): Change[] {
  const [earlier, later] = [new Map(before), new Map(now)];
  return [...new Set([...earlier.keys(), ...later.keys()])]
    .map((name) => ({ name, before: earlier.get(name) ?? 0, now: later.get(name) ?? 0 }))
    .filter((one) => one.before !== one.now)
    .sort((a, b) => Math.abs(b.now - b.before) - Math.abs(a.now - a.before) || (a.name < b.name ? -1 : 1));
}
