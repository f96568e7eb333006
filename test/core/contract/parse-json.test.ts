// Our own JSON parser accepts what JSON.parse accepts, with the same values, and nothing else.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseJson } from "../../../src/core/contract/parse-json.ts";
import type { Node } from "../../../src/core/contract/tree.ts";

/** The plain value, as JSON.parse would make it; a check of every offset on the way. */
function plainValue(node: Node, text: string): unknown {
  const source = text.slice(node.at, node.end);
  switch (node.type) {
    case "object": {
      const entries = node.members.map(({ key, at, value }) => {
        expect(text[at]).toBe('"');
        return [key, plainValue(value, text)];
      });
      return Object.fromEntries(entries);
    }
    case "list":
      return node.items.map((item) => plainValue(item, text));
    case "string":
      expect(JSON.parse(source)).toBe(node.text);
      return node.text;
    case "number":
      expect(source).toBe(node.token);
      return Number(node.token);
    case "boolean":
      return node.is;
    case "null":
      return null;
  }
}

function compare(text: string): void {
  let expected: { value: unknown } | undefined;
  try {
    expected = { value: JSON.parse(text) };
  } catch {
    expected = undefined;
  }
  const { root, findings } = parseJson(text, false);
  expect(root !== undefined && findings.length === 0).toBe(expected !== undefined);
  if (root !== undefined && expected !== undefined) expect(plainValue(root, text)).toEqual(expected.value);
}

test("any JSON has the same value as with JSON.parse", () => {
  fc.assert(fc.property(fc.json({ stringUnit: "binary" }), compare));
});

test("JSON with one character put in, taken out or changed is accepted exactly when JSON.parse accepts it", () => {
  const signs = fc.constantFrom(..."{}[]:,\"'\\/*-+.0179eEtfnu \t\n\r\u0000\u00a0\u2028a".split(""));
  fc.assert(
    fc.property(fc.json(), fc.nat(), signs, fc.nat(2), (json, at, sign, kind) => {
      const place = at % (json.length + 1);
      compare(json.slice(0, place) + (kind === 1 ? "" : sign) + json.slice(place + (kind === 0 ? 0 : 1)));
    }),
    { numRuns: 3000 },
  );
});

test("text made of JSON's own signs is accepted exactly when JSON.parse accepts it", () => {
  const parts = fc.constantFrom(
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    '"a"',
    "1",
    "-0.5e+3",
    "01",
    "true",
    "null",
    " ",
    '"\\u00e9"',
    "nul",
  );
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 8 }), (some) => compare(some.join(""))),
    { numRuns: 3000 },
  );
});

describe("comments and trailing commas", () => {
  const text = '/* a */ {"a": [1, /* b */ 2,], // c\n "b": "// no comment",} // end';
  test("are fine in JSONC", () => {
    const { root, findings } = parseJson(text, true);
    expect(findings).toEqual([]);
    expect(plainValue(root!, text)).toEqual({ a: [1, 2], b: "// no comment" });
  });

  test("are each named in JSON, which is read all the same", () => {
    const { root, findings } = parseJson(text, false);
    expect(root).toBeDefined();
    expect(findings.map(({ code, at }) => [code, text.slice(at, at + 2)])).toEqual([
      ["comment", "/*"],
      ["comment", "/*"],
      ["trailing_comma", ",]"],
      ["comment", "//"],
      ["trailing_comma", ",}"],
      ["comment", "//"],
    ]);
  });

  test.each(["[,]", "{,}", "[1,,]", '{"a":1,,}', '{"a":,}', "[1,,2]"])(
    "a comma too many is no trailing comma: %s",
    (json) => {
      expect(parseJson(json, true).root).toBeUndefined();
    },
  );
});
