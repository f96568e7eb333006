// `prefix`: short forms, like the first characters of a commit hash.

import type { Comparator } from "./types.ts";

export const prefix: Comparator = {
  name: "prefix",
  summary: "What was read begins with the expected text.",
  notes: [
    "For short forms, like the first characters of a commit hash. An empty expected text proves nothing: UNKNOWN.",
  ],
  options: [],
  compare(expected, observed) {
    if (expected.type !== "string" || expected.text === "") return "undecided";
    return observed.type === "string" && observed.text.startsWith(expected.text) ? "equal" : "different";
  },
};
