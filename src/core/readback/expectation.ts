// Judges one value of a record against what is expected of it.

import { compareValues } from "../compare/index.ts";
import { parseValue } from "../compare/value.ts";
import type { Fields } from "../select/types.ts";
import type { Span } from "../wire/json.ts";
import { locate } from "./locate.ts";
import { nearlyEqual } from "./nearly.ts";
import type { DoubtReason, Expectation, Finding } from "./types.ts";

export type Judged = "equal" | "different" | ReturnType<typeof doubt>;

/** Judges the value at the expectation's path. A doubt names the path, never a value. */
export function judgeOne(expectation: Expectation, bytes: Uint8Array, record: Span, fields: Fields): Judged {
  const { written, path, expected, compare, options } = expectation;
  const json = "json" in expected ? expected.json : fields.get(expected.field);
  const wanted = json === undefined ? undefined : parseValue(json);
  if (wanted === undefined) return doubt("readback_selector_invalid", `${written} has no value to be compared with`);
  const observed = locate(bytes, record, path);
  if (observed === undefined) return doubt("readback_shape_invalid", `${written} is not in what was read`);
  const comparison = compareValues(compare, wanted, observed, options);
  if (comparison !== "undecided") return comparison;
  return doubt("readback_unconfirmed", `${written} cannot be compared with certainty by ${compare}`);
}

/** The same for a value that tells one element from the others: one that only nearly is the expected one is a doubt. */
export function judgeKey(expectation: Expectation, bytes: Uint8Array, record: Span, fields: Fields): Judged {
  const judged = judgeOne(expectation, bytes, record, fields);
  if (judged !== "different") return judged;
  const { written, path, expected, compare, options } = expectation;
  const json = "json" in expected ? expected.json : fields.get(expected.field);
  const wanted = json === undefined ? undefined : parseValue(json);
  const observed = locate(bytes, record, path);
  if (wanted === undefined || observed === undefined || !nearlyEqual(compare, wanted, observed, options)) return judged;
  return doubt(
    "readback_unconfirmed",
    `an element's ${written} differs from the expected one in its JSON type, letter case or blanks only`,
  );
}

/** A finding that proves nothing, with a few words for people. */
export function doubt(reason: DoubtReason, note: string) {
  return { type: "doubt", reason, note } as const satisfies Finding;
}
