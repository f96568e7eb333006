// The registry of comparators: the one list that contracts, schema and documentation are made from.

import { casefold } from "./casefold.ts";
import { contains } from "./contains.ts";
import { entityLeavesDoubt, plainText, plainValue } from "./encoding.ts";
import { exact } from "./exact.ts";
import { html } from "./html.ts";
import { instant } from "./instant.ts";
import { number } from "./number.ts";
import { oneOf } from "./one-of.ts";
import { prefix } from "./prefix.ts";
import { set } from "./set.ts";
import { sha256 } from "./sha256.ts";
import { trim } from "./trim.ts";
import type { Comparator, CompareOptions, Comparison } from "./types.ts";
import { equalValues, type Value } from "./value.ts";

/** All comparators in the order of the documentation; the first is the default. */
export const comparators: readonly Comparator[] = [
  exact,
  trim,
  casefold,
  html,
  number,
  instant,
  set,
  contains,
  oneOf,
  prefix,
  sha256,
];

const byName = new Map(comparators.map((comparator) => [comparator.name, comparator]));

/** The comparator of that name. */
export function comparatorNamed(name: string): Comparator | undefined {
  return byName.get(name);
}

/**
 * Compares by the comparator of that name. A difference is only called one when it is sure: not when the two values are equal
 * (then the comparator is at fault), and not when they differ in nothing but how texts are encoded.
 */
export function compareValues(
  name: string,
  expected: Value,
  observed: Value,
  options: CompareOptions = {},
): Comparison {
  const comparator = byName.get(name);
  if (comparator === undefined) return "undecided";
  const comparison = comparator.compare(expected, observed, options);
  if (comparison !== "different") return comparison;
  if (equalValues(expected, observed) && name !== "one_of") return "undecided";
  if (entityLeavesDoubt(expected, observed)) return "undecided";
  return differsPlain(comparator, expected, observed, options) ? "different" : "undecided";
}

/** Whether the two differ with all encoding undone, whichever of the two may have been an encoded form. */
function differsPlain(comparator: Comparator, expected: Value, observed: Value, options: CompareOptions): boolean {
  const plainOptions = options.by === undefined ? options : { ...options, by: plainText(options.by) };
  const [wanted, there] = [readings(expected), readings(observed)];
  return wanted.every((a) => there.every((b) => comparator.compare(a, b, plainOptions) === "different"));
}

function readings(value: Value): Value[] {
  const [plain, form] = [plainValue(value), plainValue(value, true)];
  return equalValues(plain, form) ? [plain] : [plain, form];
}
