// `one_of`: fields that may rightly have one of several values.

import type { Comparator } from "./types.ts";
import { equalValues } from "./value.ts";

export const oneOf: Comparator = {
  name: "one_of",
  summary: "The expected value is a list, and what was read is one of its items.",
  notes: [
    'Mostly with a fixed list, like `{"value": ["open", "reopened"], "compare": "one_of"}`. Items are compared exactly.',
  ],
  options: [],
  compare(expected, observed) {
    if (expected.type !== "list" || expected.items.length === 0) return "undecided";
    return expected.items.some((item) => equalValues(item, observed)) ? "equal" : "different";
  },
};
