// The charts of a summary, drawn when the page is written. Each is a picture of numbers that stand beside it as text.

import type { Figures, Totals } from "../core/summary/figures.ts";
import { type Html, join, markup } from "./html-text.ts";
import { sum } from "./summary-words.ts";

export interface Bucket {
  /** What stands in the table. */
  readonly label: string;
  readonly totals: Totals;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const MAX_BUCKETS = 60;
const KINDS = [
  ["pass", "pass"],
  ["fail", "fail"],
  ["unknown", "doubt"],
] as const;

/** Outcomes in order of time, in hours or days or as many of them together as it takes; times without a call between others are there too. */
export function timeBuckets({ by_hour, by_day }: Figures): Bucket[] {
  const hours = points(by_hour, (key) => Date.parse(`${key}:00:00Z`));
  const byHours = hours.length > 0 && hours.at(-1)![0] - hours[0]![0] < 3 * DAY;
  const from = byHours ? hours : points(by_day, (key) => Date.parse(key));
  if (from.length === 0) return [];
  const unit = byHours ? HOUR : DAY;
  const [begin, end] = [from[0]![0], from.at(-1)![0]];
  const each = Math.ceil(((end - begin) / unit + 1) / MAX_BUCKETS);
  const buckets = Array.from({ length: Math.floor((end - begin) / unit / each) + 1 }, (_, at) => ({
    label: bucketLabel(begin + at * each * unit, each, byHours),
    totals: { pass: 0, fail: 0, unknown: 0 },
  }));
  for (const [time, totals] of from) {
    const bucket = buckets[Math.floor((time - begin) / unit / each)]!;
    for (const [kind] of KINDS) bucket.totals[kind] += totals[kind];
  }
  return buckets;
}

function points(by: Readonly<Record<string, Totals>>, timeOf: (key: string) => number): (readonly [number, Totals])[] {
  return Object.entries(by).flatMap(([key, totals]) => {
    const time = timeOf(key);
    return Number.isNaN(time) ? [] : [[time, totals] as const];
  });
}

function bucketLabel(time: number, each: number, byHours: boolean): string {
  const iso = new Date(time).toISOString();
  const name = byHours ? `${iso.slice(0, 10)} ${iso.slice(11, 13)}:00` : iso.slice(0, 10);
  return each === 1 ? name : `${name} and ${each - 1} ${byHours ? "hours" : "days"} on`;
}

/** A bar a bucket, the parts on each other. */
export function timeChart(buckets: readonly Bucket[]): Html {
  const most = Math.max(1, ...buckets.map(({ totals }) => sum(totals)));
  const bars = buckets.flatMap(({ totals }, at) => {
    const heights = seen(totals, most);
    let top = 100;
    return KINDS.filter(([kind]) => totals[kind] > 0).map(([kind, look]) => {
      const height = heights[kind];
      top -= height;
      return markup`<rect class="${look}" x="${number(at + 0.1)}" y="${number(top)}" width="0.8" height="${number(height)}"/>`;
    });
  });
  return markup`<svg class="chart" viewBox="0 0 ${String(buckets.length)} 100" preserveAspectRatio="none" role="img" aria-label="Outcomes over time; the table below has the numbers">${join(bars, "")}</svg>`;
}

/** The parts of one count beside each other; `whole` is as long as the line. */
export function partsBar(totals: Totals, whole: number): Html {
  const widths = seen(totals, whole);
  let x = 0;
  const bars = KINDS.filter(([kind]) => totals[kind] > 0).map(([kind, look]) => {
    const width = widths[kind];
    const bar = markup`<rect class="${look}" x="${number(x)}" y="0" width="${number(width)}" height="1"/>`;
    x += width;
    return bar;
  });
  return markup`<svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">${join(bars, "")}</svg>`;
}

/** No part is thinner, so that one FAIL among thousands of calls is seen (percent of the chart). */
const THINNEST = 1.5;

/** The parts in percent of `whole`; what the thin ones get more, the thickest has less. */
function seen(totals: Totals, whole: number): Record<keyof Totals, number> {
  const exact = (kind: keyof Totals): number => (totals[kind] / whole) * 100;
  const shown = (kind: keyof Totals): number => (totals[kind] > 0 ? Math.max(THINNEST, exact(kind)) : 0);
  const parts = { pass: shown("pass"), fail: shown("fail"), unknown: shown("unknown") };
  const thickest = KINDS.map(([kind]) => kind).reduce((a, b) => (parts[a] >= parts[b] ? a : b));
  const excess = KINDS.reduce((all, [kind]) => all + parts[kind] - exact(kind), 0);
  parts[thickest] = Math.max(THINNEST, parts[thickest] - excess);
  return parts;
}

/** One bar of one colour. */
export function bar(count: number, whole: number, look: string): Html {
  return markup`<svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect class="${look}" x="0" y="0" width="${number((count / whole) * 100)}" height="1"/></svg>`;
}

const STEPS = [0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000];

/** Calls by added milliseconds, without the empty ends. */
export function latencySteps({ latency_counts }: Figures): { label: string; count: number }[] {
  const counts = STEPS.map(() => 0);
  for (const [ms, count] of latency_counts) {
    let at = STEPS.length - 1;
    while (STEPS[at]! > ms) at--;
    counts[at]! += count;
  }
  const used = counts.map((count) => count > 0);
  const [first, last] = [used.indexOf(true), used.lastIndexOf(true)];
  return STEPS.map((from, at) => ({ label: stepLabel(from, STEPS[at + 1]), count: counts[at]! })).slice(
    first,
    last + 1,
  );
}

function stepLabel(from: number, next: number | undefined): string {
  if (next === undefined) return `${from} ms or more`;
  return next === from + 1 ? `${from} ms` : `${from} to ${next - 1} ms`;
}

/** Short, and never in the way that SVG does not know. */
const number = (value: number): string => String(Number(value.toFixed(3)));
