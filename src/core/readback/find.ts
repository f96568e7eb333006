// Picks the one element of a list that is the record: by its key, never by its place.

import { follow } from "../select/select.ts";
import type { Fields } from "../select/types.ts";
import { itemsOf, kindOf, type Span } from "../wire/json.ts";
import { judgeOne } from "./expectation.ts";
import type { Find, Finding } from "./types.ts";

export type Found =
  | { readonly type: "one"; readonly element: Span }
  /** No element of so many is the record. */
  | { readonly type: "none"; readonly count: number }
  | Extract<Finding, { type: "doubt" }>;

/** Looks through the list. Two elements that match, or one that cannot be judged, are doubts. */
export function findElement(bytes: Uint8Array, root: Span, find: Find, fields: Fields): Found {
  const list = follow(bytes, root, find.in, 0);
  if (list === undefined || !("start" in list) || kindOf(bytes, list) !== "list") {
    return { type: "doubt", reason: "readback_shape_invalid", note: "there is no list where find looks for it" };
  }
  const matching: Span[] = [];
  const elements = itemsOf(bytes, list);
  for (const element of elements) {
    let matches = true;
    for (const expectation of find.where) {
      const judged = judgeOne(expectation, bytes, element, fields);
      if (typeof judged === "object") return judged;
      if (judged === "different") {
        matches = false;
        break;
      }
    }
    if (matches) matching.push(element);
  }
  if (matching.length > 1) {
    return { type: "doubt", reason: "readback_unconfirmed", note: "more than one element of the list matches" };
  }
  return matching.length === 1 ? { type: "one", element: matching[0]! } : { type: "none", count: elements.length };
}
