// `instant`: points in time that a system gives back in another offset or precision.

import type { Comparator } from "./types.ts";

const DATE_TIME =
  /^([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:[.,]([0-9]+))?)? ?(?:([Zz])|([+-])([0-9]{2}):?([0-9]{2})?)$/;

export const instant: Comparator = {
  name: "instant",
  summary: "Date-times that name the same point in time, whatever their offset.",
  notes: [
    "A date, a time and an offset are needed, like `2026-03-03T08:59:00-08:00`; `Z`, `+0200` and `+02` are offsets too. When one side has more digits of a second than the other and they agree as far as both go, the system may have cut them: UNKNOWN.",
    "A text without an offset says no point in time: it is equal only to the same text, and anything else is UNKNOWN.",
  ],
  options: [],
  compare(expected, observed) {
    if (expected.type !== "string") return "undecided";
    if (observed.type !== "string") return observed.type === "null" ? "different" : "undecided";
    if (expected.text === observed.text) return "equal";
    const [a, b] = [instantOf(expected.text), instantOf(observed.text)];
    if (a === undefined || b === undefined) return observed.text === "" ? "different" : "undecided";
    if (a.second !== b.second) return "different";
    if (a.fraction === b.fraction) return "equal";
    return a.fraction.startsWith(b.fraction) || b.fraction.startsWith(a.fraction) ? "undecided" : "different";
  },
};

interface Instant {
  /** Seconds since 1970 UTC. */
  readonly second: number;
  /** The digits after the point, without closing zeros. */
  readonly fraction: string;
}

function instantOf(text: string): Instant | undefined {
  const match = DATE_TIME.exec(text.trim());
  if (!match) return undefined;
  const [
    ,
    year,
    month,
    day,
    hour,
    minute,
    second = "0",
    fraction = "",
    ,
    sign,
    offsetHours = "0",
    offsetMinutes = "0",
  ] = match;
  const [h, m, s] = [Number(hour), Number(minute), Number(second)];
  // 24:00 is the end of the day. A leap second has no place on the count of seconds, so it is left undecided.
  if (h > 24 || (h === 24 && (m > 0 || s > 0 || /[1-9]/.test(fraction)))) return undefined;
  if (m > 59 || s > 59 || Number(offsetHours) > 23 || Number(offsetMinutes) > 59) return undefined;
  const midnight = Date.UTC(Number(year), Number(month) - 1, Number(day));
  // The calendar must not have moved an impossible day, like the 30th of February, to another.
  if (new Date(midnight).toISOString().slice(0, 10) !== `${year}-${month}-${day}`) return undefined;
  const offset = (Number(offsetHours) * 3600 + Number(offsetMinutes) * 60) * (sign === "-" ? -1 : 1);
  return { second: midnight / 1000 + h * 3600 + m * 60 + s - offset, fraction: fraction.replace(/0+$/, "") };
}
