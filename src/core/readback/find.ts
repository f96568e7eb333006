// Picks the one element of a list that is the record: by its key, never by its place.

import { follow } from "../select/select.ts";
import type { Fields } from "../select/types.ts";
import { itemsOf, kindOf, type Span } from "../wire/json.ts";
import { judgeKey } from "./expectation.ts";
import type { Find, Finding } from "./types.ts";

export type Found =
  | { readonly type: "one"; readonly element: Span }
  /** No element of so many is the record. */
  | { readonly type: "none"; readonly count: number }
  | Extract<Finding, { type: "doubt" }>;

/**
 * Looks through the list. Two elements that match, one that cannot be judged, and one that nearly matches when none does, are
 * doubts. An element with one value that is another's is none of these, whatever its other values.
 */
export function findElement(bytes: Uint8Array, root: Span, find: Find, fields: Fields): Found {
  const list = follow(bytes, root, find.in, 0);
  if (list === undefined || !("start" in list) || kindOf(bytes, list) !== "list") {
    return { type: "doubt", reason: "readback_shape_invalid", note: "there is no list where find looks for it" };
  }
  const matching: Span[] = [];
  let nearly: Found | undefined;
  const elements = itemsOf(bytes, list);
  for (const element of elements) {
    const judged = find.where.map((expectation) => judgeKey(expectation, bytes, element, fields));
    if (judged.includes("different")) continue;
    const doubts = judged.filter((one) => typeof one === "object");
    if (doubts.length === 0) matching.push(element);
    else nearly ??= doubts[0];
  }
  if (matching.length > 1) {
    return { type: "doubt", reason: "readback_unconfirmed", note: "more than one element of the list matches" };
  }
  if (matching.length === 1) return { type: "one", element: matching[0]! };
  return nearly ?? { type: "none", count: elements.length };
}
