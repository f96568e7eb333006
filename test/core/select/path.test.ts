// Path texts: what each means, and where and why one is refused.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parsePath } from "../../../src/core/select/path.ts";
import { pathProblem } from "../../../src/core/select/words.ts";

const key = (name: string) => ({ type: "key", name }) as const;
const index = (number: number) => ({ type: "index", index: number }) as const;
const digits = (name: string) => ({ type: "keyOrIndex", name, index: Number(name) }) as const;
const each = { type: "each" } as const;

describe("a path means", () => {
  test.each([
    ["", []],
    [".", []],
    ["$", []],
    ["title", [key("title")]],
    ["a.0.b", [key("a"), digits("0"), key("b")]],
    ["a.007", [key("a"), digits("007")]],
    ["result.structuredContent.id", [key("result"), key("structuredContent"), key("id")]],
    ["with blank.@odata-id", [key("with blank"), key("@odata-id")]],
    [`a.${"9".repeat(30)}`, [key("a"), key("9".repeat(30))]],
    ["$.a.b", [key("a"), key("b")]],
    ["$.a[0]", [key("a"), index(0)]],
    ["$.a.0", [key("a"), digits("0")]],
    ["$[*]", [each]],
    ["$[ * ][ 12 ]", [each, index(12)]],
    ["$['a.b']", [key("a.b")]],
    ['$["@odata.id"]', [key("@odata.id")]],
    ["$['']", [key("")]],
    ["$['it\\'s'][\"\\u00e9\\n\\\\\"]", [key("it's"), key("\u00e9\n\\")]],
    ["$['$ref'][0]", [key("$ref"), index(0)]],
    ["$['0']", [key("0")]],
    ["$.dash-ed.über", [key("dash-ed"), key("über")]],
    ["$['__proto__'].constructor", [key("__proto__"), key("constructor")]],
  ])("%j", (text, path) => {
    expect(parsePath(text)).toEqual({ ok: true, path });
  });
});

describe("a path is refused at the character that is wrong", () => {
  test.each([
    ["$.list[", 6, "unclosed"],
    ["$.list[0", 6, "unclosed"],
    ["$.list[*", 6, "unclosed"],
    ["$['a", 2, "unclosedQuote"],
    ["$['a'", 1, "unclosed"],
    ["$[?(@.x)]", 2, "filter"],
    ["$[(@.length-1)]", 2, "script"],
    ["$..id", 1, "descent"],
    ["$.a^", 3, "parentOrName"],
    ["$.a.~", 4, "parentOrName"],
    ["$[0,1]", 2, "union"],
    ["$['a','b']", 5, "union"],
    ["$[1:2]", 2, "slice"],
    ["$[:2]", 2, "slice"],
    ["$[-1]", 2, "negativeIndex"],
    ["$[01]", 2, "index"],
    ["$[]", 2, "emptyBracket"],
    ["$[id]", 2, "bracketNeedsQuotes"],
    ["$.*", 2, "dotStar"],
    ["$.[0]", 2, "dotBracket"],
    ["$.", 2, "endsWithDot"],
    ["$id", 1, "afterRoot"],
    ["$ ", 1, "afterRoot"],
    ["$.a b", 3, "nameNeedsQuotes"],
    ["$.@type", 2, "nameNeedsQuotes"],
    ["$['\\x']", 3, "escape"],
    ["$['\\u12']", 3, "escape"],
    ["a..b", 2, "emptyPart"],
    [".a", 0, "emptyPart"],
    ["a.", 2, "emptyPart"],
    ["items[0].id", 5, "bracketInDotPath"],
    ["items.*.id", 6, "starInDotPath"],
  ] as const)("%j at %i: %s", (text, at, problem) => {
    expect(parsePath(text)).toEqual({ ok: false, at, message: pathProblem(problem) });
  });
});

test("any text is a path or is refused inside itself", () => {
  const text = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(..."$.[]'\"\\*?()@^~,:01a- u") }));
  fc.assert(
    fc.property(text, (some) => {
      const parsed = parsePath(some);
      if (!parsed.ok) expect(parsed.at >= 0 && parsed.at <= some.length).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

test("any names can be written in quotes", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary" }), { minLength: 1 }), (names) => {
      const text = `$${names.map((name) => `[${JSON.stringify(name)}]`).join("")}`;
      expect(parsePath(text)).toEqual({ ok: true, path: names.map(key) });
    }),
  );
});
