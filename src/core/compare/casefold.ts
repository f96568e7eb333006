// `casefold`: names that a system stores in lower or upper case.

import type { Comparator } from "./types.ts";

export const casefold: Comparator = {
  name: "casefold",
  summary: "Texts that are the same when upper and lower case do not count.",
  notes: [
    "The same in every language setting; `STRASSE`, `Straße` and `strasse` are equal. Texts that differ only in the dots of an i, which Turkish systems change together with the case, are neither equal nor a proven difference: UNKNOWN.",
  ],
  options: [],
  compare(expected, observed) {
    if (expected.type !== "string") return "undecided";
    if (observed.type !== "string") return "different";
    const [a, b] = [folded(expected.text), folded(observed.text)];
    if (a === b) return "equal";
    return withoutDots(a) === withoutDots(b) ? "undecided" : "different";
  },
};

/** Lower, upper, lower: what brings together letters that have several forms in one case. The dotless i is kept apart. */
function folded(text: string): string {
  const fold = (part: string) => part.toLowerCase().toUpperCase().toLowerCase();
  return text.normalize("NFC").split("\u0131").map(fold).join("\u0131").normalize("NFC");
}

function withoutDots(foldedText: string): string {
  return foldedText.replaceAll("\u0131", "i").replaceAll("i\u0307", "i");
}
