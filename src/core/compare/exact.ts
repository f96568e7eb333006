// `exact`, the default: typed equality without any leniency.

import type { Comparator } from "./types.ts";
import { equalValues } from "./value.ts";

export const exact: Comparator = {
  name: "exact",
  summary: "The same value of the same type.",
  notes: [
    'Numbers are compared by exact value: `1`, `1.0` and `10e-1` are equal, and no digit is ever dropped. `1` is not `true` and not `"1"`. Lists are compared in order, objects by their members in any order.',
  ],
  options: [],
  compare: (expected, observed) => (equalValues(expected, observed) ? "equal" : "different"),
};
