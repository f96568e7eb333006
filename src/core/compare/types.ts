// What a comparator is: a named, documented way to say whether what was read back is what the call asked for.

import type { Value } from "./value.ts";

/**
 * `undecided`: the two cannot be compared with certainty, or differ only in a way that storing and reading may cause.
 * It makes the check UNKNOWN, never PASS and never FAIL.
 */
export type Comparison = "equal" | "different" | "undecided";

/** What a contract may say beside the comparator's name. Plain values, so that it can travel between processes. */
export interface CompareOptions {
  /** The member that items of a list are compared by (`set`, `contains`). */
  readonly by?: string;
  /** How far two numbers may be apart (`number`): a JSON number token, not negative. */
  readonly tolerance?: string;
}

export interface Comparator {
  readonly name: string;
  /** One sentence for the documentation: when the two are equal. */
  readonly summary: string;
  /** Further sentences for the documentation, one a paragraph. */
  readonly notes: readonly string[];
  /** The options that it knows. */
  readonly options: readonly (keyof CompareOptions)[];
  /** Compares; never throws, and takes time that is linear in the size of the two, or bounded. */
  readonly compare: (expected: Value, observed: Value, options: CompareOptions) => Comparison;
}
