// The items of two lists against each other, for `set` and `contains`: scalars by look-up, objects one by one within a bound.

import { MAX_ITEM_COMPARISONS } from "../limits.ts";
import { normalNumber } from "../wire/ids.ts";
import type { Comparison } from "./types.ts";
import { equalValues, type Value } from "./value.ts";

export interface Items {
  readonly scalars: ReadonlySet<string>;
  readonly others: readonly Value[];
  /** Whether one of them is in every list that has an object. */
  readonly anyEmpty: boolean;
  /** Whether each wanted item is among these. */
  hasAll(wanted: Items): Comparison;
  /** Whether each of these is wanted. */
  hasOnly(wanted: Items): Comparison;
}

/** Items by what they are compared by; undefined when an object lacks the member `by`. */
export function keyed(items: readonly Value[], by: string | undefined): Items | undefined {
  const scalars = new Set<string>();
  const others: Value[] = [];
  for (const item of items) {
    const value = by !== undefined && item.type === "object" ? item.members.get(by) : item;
    if (value === undefined) return undefined;
    const key = scalarKey(value);
    if (key === undefined) others.push(value);
    else scalars.add(key);
  }
  return {
    scalars,
    others,
    anyEmpty: others.some(isEmpty),
    hasAll: (wanted) =>
      holds(wanted.scalars, scalars, wanted.others, others, (expected, observed) => covers(expected, observed)),
    hasOnly: (wanted) =>
      holds(scalars, wanted.scalars, others, wanted.others, (observed, expected) => covers(expected, observed)),
  };
}

/** Whether all of the one side are in the other. */
function holds(
  keys: ReadonlySet<string>,
  inKeys: ReadonlySet<string>,
  values: readonly Value[],
  inValues: readonly Value[],
  matches: (value: Value, inValue: Value) => boolean,
): Comparison {
  for (const key of keys) if (!inKeys.has(key)) return "different";
  if (values.length * inValues.length > MAX_ITEM_COMPARISONS) return "undecided";
  return values.every((value) => inValues.some((other) => matches(value, other))) ? "equal" : "different";
}

/** Whether an object has every member that another one gives, to any depth; anything else must be equal. */
export function covers(expected: Value, observed: Value): boolean {
  if (expected.type !== "object" || observed.type !== "object") return equalValues(expected, observed);
  for (const [name, member] of expected.members) {
    const other = observed.members.get(name);
    if (other === undefined || !covers(member, other)) return false;
  }
  return true;
}

/** Whether it is an object that every other one covers: without members, or with none but such objects. */
export function isEmpty(value: Value): boolean {
  return value.type === "object" && [...value.members.values()].every(isEmpty);
}

/** Equal for scalars that are equal, by exact value. */
function scalarKey(value: Value): string | undefined {
  switch (value.type) {
    case "null":
      return "null";
    case "boolean":
      return String(value.is);
    case "number":
      return `n:${normalNumber(value.token) ?? value.token}`;
    case "string":
      return `s:${value.text}`;
    default:
      return undefined;
  }
}
