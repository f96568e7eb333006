// Finds the value at a path of a record.

import { type Value, valueAt } from "../compare/value.ts";
import { follow } from "../select/select.ts";
import type { Path } from "../select/types.ts";
import { itemsOf, kindOf, membersNamed, type Span } from "../wire/json.ts";

/**
 * The value at a path, `[*]` making a list. A null on the way is a definite statement that nothing is below it, so it is the
 * value. Undefined when the path leads nowhere or to two places.
 */
export function locate(bytes: Uint8Array, record: Span, path: Path): Value | undefined {
  const found = follow(bytes, record, path, 0);
  if (found !== undefined) return toValue(bytes, found);
  return endsInNull(bytes, record, path) ? { type: "null" } : undefined;
}

type Found = NonNullable<ReturnType<typeof follow>>;

function toValue(bytes: Uint8Array, found: Found): Value | undefined {
  if ("start" in found) return valueAt(bytes, found);
  const items: Value[] = [];
  for (const item of found.items) {
    const value = toValue(bytes, item);
    if (value === undefined) return undefined;
    items.push(value);
  }
  return { type: "list", items };
}

function endsInNull(bytes: Uint8Array, record: Span, path: Path): boolean {
  let span: Span | undefined = record;
  for (const step of path) {
    if (span === undefined || step.type === "each") return false;
    const kind = kindOf(bytes, span);
    if (kind === "null") return true;
    if (kind === "object" && step.type !== "index") {
      const named: Span[] = membersNamed(bytes, span, step.name);
      span = named.length === 1 ? named[0] : undefined;
    } else if (kind === "list" && step.type !== "key") span = itemsOf(bytes, span)[step.index];
    else return false;
  }
  return false;
}
