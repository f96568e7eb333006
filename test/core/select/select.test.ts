// Selected values: digit for digit, in ASCII and on one line, and missing wherever there is doubt.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parsePath } from "../../../src/core/select/path.ts";
import { select } from "../../../src/core/select/select.ts";
import type { Selector } from "../../../src/core/select/types.ts";

function path(text: string) {
  const read = parsePath(text);
  if (!read.ok) throw new Error(text);
  return read.path;
}

function at(json: string, where: string, parse?: Selector["parse"]): string | undefined {
  const bytes = Buffer.from(json);
  const selector: Selector = { source: "result", path: path(where), ...(parse ? { parse } : {}) };
  return select(selector, bytes, { start: 0, end: bytes.length });
}

describe("values", () => {
  test.each([
    ['{"a":{"b":1915883588174806058}}', "a.b", "1915883588174806058"],
    ['{"a":0.1000000000000000055511151231257827}', "a", "0.1000000000000000055511151231257827"],
    ['{"a":1E400}', "a", "1E400"],
    ['{"a":null}', "a", "null"],
    ['{"a":""}', "a", '""'],
    ['{"a":[1,{"b":2}]}', "a.1.b", "2"],
    ['{"a":{"1":"x"}}', "a.1", '"x"'],
    ['{"a.b":{"@odata.id":7}}', "$['a.b'][\"@odata.id\"]", "7"],
    ['{"a":[{"n":1},{"n":2}]}', "$.a[*].n", "[1,2]"],
    ['{"a":[[1],[2,3]]}', "$.a[*][*]", "[[1],[2,3]]"],
    ['{"a":[]}', "$.a[*]", "[]"],
    ['{"a":"é😀"}', "a", '"\\u00e9\\ud83d\\ude00"'],
    ['{"a":{ "x" : "b \\" c" ,\r"y":[ 1 ] }}', "a", '{"x":"b \\" c","y":[1]}'],
    ['{"a":"\\ud800"}', "a", '"\\ud800"'],
    ['{"\\u0061":1}', "a", "1"],
    ['{"__proto__":{"constructor":1}}', "__proto__.constructor", "1"],
    ["5", "", "5"],
  ])("%s at %s is %s", (json, where, expected) => expect(at(json, where)).toBe(expected));

  test.each([
    ["a member that is not there", '{"a":1}', "b"],
    ["a member that is given twice", '{"a":1,"a":1}', "a"],
    ["an index past the end", '{"a":[1]}', "a.1"],
    ["a step into a scalar", '{"a":1}', "a.b"],
    ["one of several that has no such member", '{"a":[{"n":1},{}]}', "$.a[*].n"],
    ["all items of what is no list", '{"a":{}}', "$.a[*]"],
    ["an index into an object", '{"a":{"0":1}}', "$.a[0]"],
    ["inherited names", '{"a":{}}', "a.constructor"],
  ])("%s is missing", (_what, json, where) => expect(at(json, where)).toBeUndefined());

  test("invalid UTF-8 is missing, since nobody knows what it was", () => {
    const bytes = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from('"}')]);
    expect(select({ source: "result", path: path("a") }, bytes, { start: 0, end: bytes.length })).toBeUndefined();
  });

  test("a string of 20 million characters in a list", () => {
    const text = `["${'x\\"'.repeat(7_000_000)}", 1]`;
    expect(at(`{"a":${text}}`, "a")).toBe(text.replace(" ", ""));
  });

  test("any JSON comes back as the same value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat({ max: 3 }), (value, indent) => {
        const text = at(`{"a":${JSON.stringify(value, null, indent)}}`, "a")!;
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(text).toMatch(/^[\x20-\x7e]*$/);
        expect(text).toBe(
          JSON.stringify(JSON.parse(text)).replace(
            /[\u007f-\uffff]/g,
            (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
          ),
        );
      }),
    );
  });
});

describe("JSON in text", () => {
  const embedded = (text: string, field: string) =>
    at(JSON.stringify({ t: text }), "t", { type: "embedded_json", field: path(field) });

  test.each([
    ['{"id":12}', "id", "12"],
    ['Created:\n{"id": 1915883588174806058}\nDone {"id":2}', "id", "1915883588174806058"],
    ['{not json} {} {"a":{"id":5}}', "a.id", "5"],
    ['{"a":1} {"id":2}', "id", "2"],
    ['[{"id":3}]', "id", "3"],
    ['{"a":{"id":4}}', "id", "4"],
    ['{"id": {"x" : "é"}}', "id", '{"x":"\\u00e9"}'],
  ])("%s has %s: %s", (text, field, expected) => expect(embedded(text, field)).toBe(expected));

  test.each(["no json", '{"id":', '{"id":1', "{}", '{"id":1,"id":2}', "{".repeat(8000), '{"a":'.repeat(1600)])(
    "%s has none",
    (text) => expect(embedded(text, "id")).toBeUndefined(),
  );

  test("text over 8192 characters is not searched", () => {
    const text = (length: number) => `{"id":1}${" ".repeat(length - 8)}`;
    expect(embedded(text(8192), "id")).toBe("1");
    expect(embedded(text(8193), "id")).toBeUndefined();
  });
});

describe("regular expressions", () => {
  const match = (text: string) => /#(\d+)/.exec(text)?.[1];

  test("give the capture as text", () => {
    expect(at('{"t":"Created #12"}', "t", { type: "regex", match })).toBe('"12"');
    expect(at('{"t":"Created"}', "t", { type: "regex", match })).toBeUndefined();
    expect(at('{"t":12}', "t", { type: "regex", match })).toBeUndefined();
  });
});
