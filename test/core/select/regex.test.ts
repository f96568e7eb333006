// `parse: regex`: what a pattern finds, what it refuses, and that no text makes it slow.

import { beforeAll, describe, expect, test } from "vitest";
import { type CompilePattern, loadPatternCompiler } from "../../../src/core/select/regex.ts";
import type { TextMatcher } from "../../../src/core/select/types.ts";

let compile: CompilePattern;
beforeAll(async () => {
  compile = await loadPatternCompiler();
});

function matcher(pattern: string, group: number | string = 1): TextMatcher {
  const compiled = compile(pattern, group);
  if (!compiled.ok) throw new Error(compiled.fault);
  return compiled.match;
}

describe("a pattern finds", () => {
  test.each([
    ["the first match", "#([0-9]+)", 1, "Created #12 and #13", "12"],
    ["a group by number", "(a)(b)", 2, "xxab", "b"],
    ["a named group, Python's way", "id=(?P<id>\\w+)", "id", "id=x9", "x9"],
    ["a named group, JavaScript's way", "id=(?<id>\\w+)", "id", "id=x9", "x9"],
    ["without regard to case", "(?i)created (\\w+)", 1, "CREATED it", "it"],
    ["characters of more than one unit", "<(.)>", 1, "<\u{1F600}>", "\u{1F600}"],
  ])("%s", (_, pattern, group, text, found) => {
    expect(matcher(pattern, group)(text)).toBe(found);
  });

  test.each([
    ["no match", "#([0-9]+)", "Created"],
    ["an empty capture", "#([0-9]*)", "Created #"],
    ["a group that took no part", "a|(b)", "a"],
    ["an empty text", "(a)", ""],
  ])("nothing: %s", (_, pattern, text) => {
    expect(matcher(pattern)(text)).toBeUndefined();
  });
});

test("a matcher has no memory: the same text gives the same answer", () => {
  const match = matcher("#([0-9]+)");
  expect([match("#1 #2"), match("#1 #2"), match("x"), match("#3")]).toEqual(["1", "1", undefined, "3"]);
});

test.each([
  ["(a)", 2],
  ["(a)", 0],
  ["a", 1],
  ["(?P<n>a)", "m"],
  ["(a)", "1"],
  ["(a)", "__proto__"],
  ["(a)", "constructor"],
])("a pattern without the group is refused: %s, %s", (pattern, group) => {
  expect(compile(pattern, group)).toEqual({ ok: false, fault: "group" });
});

test.each(["(?=a)(b)", "(?<!a)(b)", "(a)\\1", "(", "[a(b)", "(a)**", "(a{1001})"])("%s is no RE2 syntax", (pattern) => {
  expect(compile(pattern, 1)).toMatchObject({
    ok: false,
    fault: "pattern",
    message: expect.stringMatching(/^not a regular expression in RE2 syntax: ./),
  });
});

test("a pattern that takes other engines minutes is quick, as time grows with the text only", () => {
  const match = matcher("((?:a+)+)b");
  const start = performance.now();
  expect(match("a".repeat(8192))).toBeUndefined();
  // Backtracking would need about 2^8192 steps; any bound that a person would notice will do.
  expect(performance.now() - start).toBeLessThan(5000);
});
