// The part of a log that a summary is about.

/** Milliseconds since 1970 UTC: from `since`, before `until`. */
export interface Period {
  readonly since: number;
  readonly until: number;
}

export const ALWAYS: Period = { since: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY };

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };
const DAY = UNITS.d!;

/**
 * Reads a border of a period: an age (`90m`, `24h`, `7d`, `2w` before now), a day in UTC (`2026-11-30`: its beginning, for `until` its
 * end) or an instant of ISO 8601 with its zone. Gives milliseconds since 1970 UTC, or undefined for anything else.
 */
export function readInstant(text: string, border: "since" | "until", nowMs: number): number | undefined {
  const age = /^(\d{1,6})([mhdw])$/.exec(text);
  if (age) return nowMs - Number(age[1]) * UNITS[age[2]!]!;
  const instant = /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/.exec(text);
  if (!instant) return undefined;
  const timeMs = Date.parse(text);
  // 30 February is 2 March to some, and no day to us.
  const day = Date.parse(instant[1]!);
  if (Number.isNaN(timeMs) || Number.isNaN(day) || new Date(day).toISOString().slice(0, 10) !== instant[1])
    return undefined;
  return instant[0] === instant[1] && border === "until" ? timeMs + DAY : timeMs;
}

/** The period of the same length that ends where this one begins. */
export function before({ since, until }: Period): Period {
  return { since: since - (until - since), until: since };
}

export const within = ({ since, until }: Period, timeMs: number): boolean => timeMs >= since && timeMs < until;
