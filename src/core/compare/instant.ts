// `instant`: points in time that a system gives back in another offset or precision.

import type { Comparator } from "./types.ts";

const DATE_TIME =
  /^([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:[.,]([0-9]+))?)? ?(?:([Zz])|([+-])([0-9]{2}):?([0-9]{2})?)$/;

export const instant: Comparator = {
  name: "instant",
  summary: "Date-times that name the same point in time, whatever their offset.",
  notes: [
    "A date, a time and an offset are needed, like `2026-03-03T08:59:00-08:00`; `Z`, `+0200` and `+02` are offsets too. When one side has fewer digits of a second than the other, or no seconds at all, and is what cutting or rounding makes of the other, the system may have done that: UNKNOWN.",
    "A text without an offset says no point in time: it is equal only to the same text, and anything else is UNKNOWN.",
  ],
  options: [],
  compare(expected, observed) {
    if (expected.type !== "string") return "undecided";
    if (observed.type !== "string") return observed.type === "null" ? "different" : "undecided";
    if (expected.text === observed.text) return "equal";
    const [a, b] = [instantOf(expected.text), instantOf(observed.text)];
    if (a === undefined || b === undefined) return observed.text === "" ? "different" : "undecided";
    if (a.second === b.second && a.fraction === b.fraction) return "equal";
    return shortens(a, b) || shortens(b, a) ? "undecided" : "different";
  },
};

/** Whether the first may be the second, cut or rounded. A half that is rounded to even is either cut or rounded up. */
function shortens(short: Instant, long: Instant): boolean {
  if (long.toMinute) return false;
  if (short.toMinute) {
    const past = ((long.second % 60) + 60) % 60;
    const cut = long.second - past;
    return short.second === cut || (past >= 30 && short.second === cut + 60);
  }
  const digits = short.fraction.length;
  if (digits >= long.fraction.length) return false;
  const cut = long.fraction.slice(0, digits);
  if (short.second === long.second && short.fraction === cut) return true;
  if (long.fraction[digits]! < "5") return false;
  const nines = cut.length - withoutClosing("9", cut).length;
  // Nothing but nines is carried into the seconds. What ends in zeros then was given without them, and so is no longer than they are.
  if (nines === cut.length) return digits === 0 && short.second === long.second + 1;
  if (nines > 0 || short.second !== long.second) return false;
  return short.fraction === `${cut.slice(0, -1)}${Number(cut.at(-1)) + 1}`;
}

function withoutClosing(digit: string, digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === digit) end--;
  return digits.slice(0, end);
}

interface Instant {
  /** Seconds since 1970 UTC. */
  readonly second: number;
  /** The digits after the point, without closing zeros. */
  readonly fraction: string;
  /** Whether it was given without seconds. */
  readonly toMinute: boolean;
}

function instantOf(text: string): Instant | undefined {
  const match = DATE_TIME.exec(text.trim());
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second, fraction = "", , sign, offsetHours = "0", offsetMinutes = "0"] =
    match;
  const [h, m, s] = [Number(hour), Number(minute), Number(second ?? "0")];
  // 24:00 is the end of the day. A leap second has no place on the count of seconds, so it is left undecided.
  if (h > 24 || (h === 24 && (m > 0 || s > 0 || /[1-9]/.test(fraction)))) return undefined;
  if (m > 59 || s > 59 || Number(offsetHours) > 23 || Number(offsetMinutes) > 59) return undefined;
  const midnight = Date.UTC(Number(year), Number(month) - 1, Number(day));
  // The calendar must not have moved an impossible day, like the 30th of February, to another.
  if (new Date(midnight).toISOString().slice(0, 10) !== `${year}-${month}-${day}`) return undefined;
  const offset = (Number(offsetHours) * 3600 + Number(offsetMinutes) * 60) * (sign === "-" ? -1 : 1);
  return {
    second: midnight / 1000 + h * 3600 + m * 60 + s - offset,
    fraction: withoutClosing("0", fraction),
    toMinute: second === undefined,
  };
}
