// `contains`: what was asked for is among what is there.

import { covers, isEmpty, keyed } from "./items.ts";
import type { Comparator } from "./types.ts";
import { equalValues } from "./value.ts";

export const contains: Comparator = {
  name: "contains",
  summary: "What was read has at least all that is expected.",
  notes: [
    "A list has every expected item, in any order (a single expected value counts as one item); an object has every expected member, to any depth; a text has the expected text in it. An object in a list is compared on the members that the expected one has.",
    'With `"by": "name"` the items of both lists are compared by that member alone; an item that is no object stands for itself, so that `["bug"]` and `[{"name": "bug", "id": 7}]` can be compared.',
    "An empty expected list or text is in everything and so proves nothing: UNKNOWN. The same is true of an object without members, or with none but empty objects, also as an item of a list.",
  ],
  options: ["by"],
  compare(expected, observed, { by }) {
    const nothing =
      (expected.type === "string" && expected.text === "") ||
      (expected.type === "object" && expected.members.size === 0) ||
      (expected.type === "list" && expected.items.length === 0);
    if (nothing) return "undecided";
    if (expected.type === "string" && observed.type === "string") {
      return observed.text.includes(expected.text) ? "equal" : "different";
    }
    if (expected.type === "object" && observed.type === "object") {
      if (!covers(expected, observed)) return "different";
      return isEmpty(expected) ? "undecided" : "equal";
    }
    if (observed.type !== "list") return equalValues(expected, observed) ? "equal" : "different";
    const [wanted, there] = [
      keyed(expected.type === "list" ? expected.items : [expected], by),
      keyed(observed.items, by),
    ];
    if (wanted === undefined || there === undefined) return "undecided";
    const all = there.hasAll(wanted);
    return all === "equal" && wanted.anyEmpty ? "undecided" : all;
  },
};
