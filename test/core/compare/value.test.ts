// Lossless values: what is read, what is refused, and that equality is an equivalence.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { equalValues, parseValue } from "../../../src/core/compare/value.ts";

describe("a JSON text", () => {
  test.each([
    ["a key that is given twice", '{"a":1,"a":1}'],
    ["a key that is given twice by an escape", '{"a":1,"\\u0061":1}'],
    ["something that is not JSON", "{a:1}"],
    ["two values", "1 2"],
    ["nothing", ""],
    ["a list nested 101 deep", `${"[".repeat(102)}${"]".repeat(102)}`],
    ["a number whose exponent no one can work with", "1e99999999999"],
  ])("with %s has no value", (_, json) => {
    expect(parseValue(json)).toBeUndefined();
  });

  test("of 100,000 brackets has no value, and does not end the program", () => {
    expect(parseValue("[".repeat(100_000) + "]".repeat(100_000))).toBeUndefined();
  });

  test("keeps every digit of its numbers", () => {
    const token = "0.1000000000000000055511151231257827";
    expect(parseValue(` ${token} `)).toEqual({ type: "number", token });
  });
});

test("whatever JSON says equals itself, and does not depend on the order of members", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const reversed = JSON.stringify(value, (_, member) =>
        member !== null && typeof member === "object" && !Array.isArray(member)
          ? Object.fromEntries(Object.entries(member).reverse())
          : member,
      );
      const [a, b] = [parseValue(JSON.stringify(value)), parseValue(reversed)];
      expect(a !== undefined && b !== undefined && equalValues(a, b) && equalValues(b, a)).toBe(true);
    }),
  );
});
