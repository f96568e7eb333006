// What a flag's value may be, as far as a shell can help with it.

import type { OptionSpec } from "../options.ts";

export type Value =
  /** The flag takes no value. */
  | { readonly type: "none" }
  /** A value that only the user knows. */
  | { readonly type: "text" }
  | { readonly type: "file" }
  | { readonly type: "directory" }
  | { readonly type: "words"; readonly words: readonly string[] };

/** The names in help of what is a file. */
const FILES = ["FILE", "OLD", "KEY"];

export function valueKind({ value, words }: OptionSpec): Value {
  if (value === undefined) return { type: "none" };
  if (words) return { type: "words", words };
  if (FILES.includes(value)) return { type: "file" };
  if (value === "DIR") return { type: "directory" };
  return /^[a-z]+(\|[a-z]+)+$/.test(value) ? { type: "words", words: value.split("|") } : { type: "text" };
}
