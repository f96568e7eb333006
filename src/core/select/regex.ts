// Regular expressions of `parse: regex`, on a linear-time engine that is only loaded when a contract has one.

import type { TextMatcher } from "./types.ts";
import { patternProblem } from "./words.ts";

export type CompiledPattern =
  | { readonly ok: true; readonly match: TextMatcher }
  | { readonly ok: false; readonly fault: "pattern"; readonly message: string }
  /** The pattern is good but has no such group. */
  | { readonly ok: false; readonly fault: "group" };

/** Compiles a pattern (1..256 characters) with the group whose capture is the value: a number from 1, or a name. */
export type CompilePattern = (pattern: string, group: number | string) => CompiledPattern;

/**
 * Loads the engine. The matcher gives the group's text in the first match, and undefined when nothing matches or the group
 * is empty or took no part.
 */
export async function loadPatternCompiler(): Promise<CompilePattern> {
  const { RE2JS, RE2JSSyntaxException } = await import("./re2.ts");
  return (pattern, group) => {
    let regex: ReturnType<typeof RE2JS.compile>;
    try {
      regex = RE2JS.compile(pattern);
    } catch (error) {
      const name = error instanceof RE2JSSyntaxException ? error.getDescription() : "";
      return { ok: false, fault: "pattern", message: patternProblem(name) };
    }
    const number = typeof group === "number" ? group : regex.namedGroups()[group];
    if (number === undefined || number < 1 || number > regex.groupCount()) return { ok: false, fault: "group" };
    const match: TextMatcher = (text) => {
      const matcher = regex.matcher(text);
      return (matcher.find() && matcher.group(number)) || undefined;
    };
    return { ok: true, match };
  };
}
