// `number`: numbers that a system gives back as text, or the other way round.

import { normalNumber } from "../wire/ids.ts";
import { within } from "./decimal.ts";
import type { Comparator } from "./types.ts";
import { sameNumber, type Value } from "./value.ts";

export const number: Comparator = {
  name: "number",
  summary: "Numbers of the same exact value, whether written as a number or as a text that holds one.",
  notes: [
    '`7`, `7.0` and `"7"` are equal; other spellings, like `"007"` and `"1,000"`, are UNKNOWN. With `"tolerance": 0.01` two numbers are equal when they are at most that far apart.',
  ],
  options: ["tolerance"],
  compare(expected, observed, { tolerance }) {
    const [a, b] = [tokenOf(expected), tokenOf(observed)];
    if (a === undefined) return "undecided";
    if (b === undefined) return readsLikeOne(observed) ? "undecided" : "different";
    if (sameNumber(a, b)) return "equal";
    if (tolerance === undefined) return "different";
    const near = within(a, b, tolerance);
    return near === undefined ? "undecided" : near ? "equal" : "different";
  },
};

/** A text with digits may be the number in another spelling, like 1,000. */
function readsLikeOne(value: Value): boolean {
  return value.type === "string" && /\p{Nd}/u.test(value.text);
}

function tokenOf(value: Value): string | undefined {
  if (value.type === "number") return value.token;
  return value.type === "string" && normalNumber(value.text.trim()) !== undefined ? value.text.trim() : undefined;
}
