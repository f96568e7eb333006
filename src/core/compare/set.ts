// `set`: lists whose order means nothing.

import { keyed } from "./items.ts";
import type { Comparator } from "./types.ts";

export const set: Comparator = {
  name: "set",
  summary: "Lists that have the same items, in any order and however often.",
  notes: [
    "An object is compared on the members that the expected one has, so that what the system adds to it does not count. One without members, or with none but empty objects, is like any other and so proves nothing: UNKNOWN.",
    'With `"by": "name"` the items of both lists are compared by that member alone; an item that is no object stands for itself, so that `["bug"]` and `[{"name": "bug", "id": 7}]` are equal. An object without that member makes the check UNKNOWN.',
  ],
  options: ["by"],
  compare(expected, observed, { by }) {
    if (expected.type !== "list") return "undecided";
    if (observed.type !== "list") return "different";
    const [wanted, there] = [keyed(expected.items, by), keyed(observed.items, by)];
    if (wanted === undefined || there === undefined) return "undecided";
    const all = there.hasAll(wanted);
    const same = all === "equal" ? there.hasOnly(wanted) : all;
    return same === "equal" && wanted.anyEmpty ? "undecided" : same;
  },
};
