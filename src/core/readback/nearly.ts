// Tells values that are not the same but may mean the same record: a guess neither way, so it makes a doubt.

import { compareValues } from "../compare/index.ts";
import type { CompareOptions } from "../compare/types.ts";
import type { Value } from "../compare/value.ts";
import { normalNumber } from "../wire/ids.ts";

/** The comparators for which case and the blanks around a text may be all that is different. */
const BY_TEXT: readonly string[] = ["exact", "trim", "casefold", "one_of"];

/** Whether two values that are different by a comparator differ in their JSON type only, or in letter case or surrounding blanks. */
export function nearlyEqual(compare: string, wanted: Value, observed: Value, options: CompareOptions = {}): boolean {
  const [a, b] = [numberIn(wanted), numberIn(observed)];
  if (wanted.type !== observed.type && a !== undefined && a === b) return true;
  const text = BY_TEXT.includes(compare) ? (of: string) => of.trim().toUpperCase().toLowerCase() : (of: string) => of;
  return compareValues(compare, asTexts(wanted, text), asTexts(observed, text), options) !== "different";
}

/** The number that a scalar is or is written like; true is 1 where a system has no truth values. */
function numberIn(value: Value): string | undefined {
  if (value.type === "number") return normalNumber(value.token);
  if (value.type === "boolean") return value.is ? "1" : "0";
  return value.type === "string" ? normalNumber(value.text.trim().replace(/^\+?0*(?=[0-9])/, "")) : undefined;
}

/** The same value with every scalar in it as a text. */
function asTexts(value: Value, text: (of: string) => string): Value {
  switch (value.type) {
    case "list":
      return { type: "list", items: value.items.map((item) => asTexts(item, text)) };
    case "object":
      return {
        type: "object",
        members: new Map([...value.members].map(([name, member]) => [name, asTexts(member, text)])),
      };
    case "null":
      return { type: "string", text: "null" };
    case "boolean":
      return { type: "string", text: String(value.is) };
    case "number":
      return { type: "string", text: text(normalNumber(value.token) ?? value.token) };
    case "string":
      return { type: "string", text: text(value.text) };
  }
}
