// Ids, validation, navigation and edits on the bytes of JSON text, against JSON.parse.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyEdits } from "../../../src/core/wire/edit.ts";
import { idKey, normalNumber } from "../../../src/core/wire/ids.ts";
import { eachScalar, itemsOf, membersNamed, textOf } from "../../../src/core/wire/json.ts";
import { jsonValue } from "../../../src/core/wire/validate.ts";

const key = (token: string) => idKey(Buffer.from(token), 0, Buffer.byteLength(token));

describe("ids", () => {
  test.each([
    ["1", "1.0"],
    ["10", "1e1"],
    ["0", "-0"],
    ["100000000000000000000000", "1E+23"],
    ["1.50", "15e-1"],
    ['"a"', '"\\u0061"'],
    ["120", "12e1"],
  ])("%s is %s", (one, other) => {
    expect(key(one)).toBe(key(other));
    expect(key(one)).toBeDefined();
  });

  test.each([
    ["1", '"1"'],
    ["9007199254740993", "9007199254740992"],
    ["1", "1.0000000000000000000001"],
    ['"a"', '"A"'],
    ["1", "-1"],
    ["1", "10"],
  ])("%s is not %s", (one, other) => expect(key(one)).not.toBe(key(other)));

  test.each(["true", "null", "{}", "[1]", "01", "1.", "1e99999999999", '"\\q"', "-", ""])("%s is not usable", (token) =>
    expect(key(token)).toBeUndefined(),
  );

  test("the normal form of a number is the same number", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const token = JSON.stringify(value);
        expect(Number(normalNumber(token))).toBe(value === 0 ? 0 : value);
        expect(normalNumber(value.toExponential(20))).toBe(
          normalNumber(BigInt.asIntN(64, 1n) ? value.toExponential(20) : ""),
        );
      }),
    );
  });
});

function valid(text: string): boolean {
  const bytes = Buffer.from(text);
  return jsonValue(bytes, 0, bytes.length) !== undefined;
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe("validation agrees with JSON.parse", () => {
  test("on JSON, and on JSON with one character changed", () => {
    const mutated = fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom(...'{}[]":,\\0123.eE+-tfn u\t\u0001\u0010é'.split("")), fc.boolean())
      .map(([text, at, character, insert]) => {
        const place = at % (text.length + 1);
        return text.slice(0, place) + character + text.slice(insert ? place : place + 1);
      });
    fc.assert(
      fc.property(fc.oneof(fc.json(), mutated), (text) => {
        expect(valid(text)).toBe(parses(text));
      }),
      { numRuns: 5000 },
    );
  });

  test.each([
    '"\\u00e9"',
    '"\\u00g9"',
    '"\\u\u0010000"',
    "1e400",
    "-",
    "- 1",
    "0123",
    "[1,]",
    "{,}",
    '{"a"}',
    '{"a":1,}',
    "nul",
    "nulll",
    " 1 ",
    "",
    " ",
    "[1 2]",
    '"a\\',
    '"',
    "[",
    "{",
    '{"a":',
    "[[]",
    "1.e1",
    ".5",
    "+1",
    "\ufeff1",
    '"\n"',
    "NaN",
  ])("on %j", (text) => expect(valid(text)).toBe(parses(text)));

  test("on a nesting of 100,000, without recursion", () => {
    expect(valid("[".repeat(100_000) + "]".repeat(100_000))).toBe(true);
    expect(valid("[".repeat(100_000))).toBe(false);
  });
});

describe("navigation", () => {
  test("finds every member and item as JSON.parse does", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true }),
        fc.boolean(),
        (value, spaced) => {
          const bytes = Buffer.from(JSON.stringify(value, null, spaced ? 2 : 0));
          const root = jsonValue(bytes, 0, bytes.length)!;
          for (const [name, member] of Object.entries(JSON.parse(bytes.toString()))) {
            const spans = membersNamed(bytes, root, name);
            expect(spans.map((span) => JSON.parse(textOf(bytes, span)))).toEqual([member]);
            if (Array.isArray(member)) {
              expect(itemsOf(bytes, spans[0]!).map((span) => JSON.parse(textOf(bytes, span)))).toEqual(member);
            }
          }
        },
      ),
    );
  });

  test("gives both values of a member that is given twice", () => {
    const bytes = Buffer.from('{"a":1, "\\u0061" : [2] }');
    expect(membersNamed(bytes, { start: 0, end: bytes.length }, "a").map((span) => textOf(bytes, span))).toEqual([
      "1",
      "[2]",
    ]);
  });

  test("visits every scalar and no key", () => {
    const bytes = Buffer.from('{"a":[1,{"b":"x"}],"c":null,"d":{},"e":[]}');
    const seen: string[] = [];
    eachScalar(bytes, { start: 0, end: bytes.length }, (span) => seen.push(textOf(bytes, span)));
    expect(seen.sort()).toEqual(['"x"', "1", "null"]);
  });

  test("ends on any bytes, valid or not", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 200 }), (bytes) => {
        membersNamed(bytes, { start: 0, end: bytes.length }, "a");
        itemsOf(bytes, { start: 0, end: bytes.length });
        eachScalar(bytes, { start: 0, end: bytes.length }, () => {});
      }),
    );
  });
});

test("edits change their own places and nothing else", () => {
  const line = Buffer.from("abcdef");
  const edits = [
    { at: 4, remove: 1, insert: Buffer.from("XYZ") },
    { at: 0, remove: 0, insert: Buffer.from("<") },
    { at: 6, remove: 0, insert: Buffer.from(">") },
  ];
  expect(Buffer.from(applyEdits(line, edits)).toString()).toBe("<abcdXYZf>");
});
