// `trim`: texts that a system stores without, or with added, white space at their ends.

import type { Comparator } from "./types.ts";

export const trim: Comparator = {
  name: "trim",
  summary: "Texts that are the same once white space at both ends is left out.",
  notes: ["White space within the text counts, but for line ends: CR LF is LF."],
  options: [],
  compare(expected, observed) {
    if (expected.type !== "string") return "undecided";
    if (observed.type !== "string") return "different";
    return trimmed(expected.text) === trimmed(observed.text) ? "equal" : "different";
  },
};

function trimmed(text: string): string {
  return text.replace(/\r\n?/g, "\n").trim();
}
