// Ids of records: what may go into a call that removes, and what counts as named by the call itself.

import { describe, expect, test } from "vitest";
import { isBlank, isNamedIn, isPlainId } from "../../../src/core/scan/record-id.ts";

describe("one name or number goes into a call that removes", () => {
  test.each<[json: string]>([
    ["42"],
    ["-1"],
    ["12345678901234567890"],
    ['"R-1"'],
    ['"acme/notes#17"'],
    ['"https://api.example.com/issues/17"'],
    ['"auth0|507f191e"'],
    ['"MDU6SXNzdWUx+/=="'],
    ['"$event:example.org"'],
    ['"a page by name"'],
    ['"\\u00e9t\\u00e9"'],
    ['".env"'],
  ])("%s", (json) => {
    expect(isPlainId(json)).toBe(true);
  });

  test.each<[what: string, json: string]>([
    ["a structure", '{"$ne":null}'],
    ["a list", '["a","b"]'],
    ["true", "true"],
    ["null", "null"],
    ["nothing", '""'],
    ["blanks", '"  "'],
    ["any", '"*"'],
    ["a set of characters", '"R-[0-9]"'],
    ["a choice", '"{a,b}"'],
    ["two names", '"R-1,old"'],
    ["two names, otherwise", '"R-1;old"'],
    ["quotes", '"1\' or 1=1"'],
    ["a folder itself", '"."'],
    ["a folder itself, below", '"notes/./"'],
    ["the root", '"/"'],
    ["a way out", '"../x"'],
    ["a way out by other signs", '"a%2Fb"'],
    ["a way back", '"a\\\\b"'],
    ["a line end", '"a\\nb"'],
    ["a sign that is not seen", '"a\\u202eb"'],
    ["half a sign", '"a\\ud800"'],
    ["a text without end", `"${"x".repeat(513)}"`],
  ])("but not %s", (_, json) => {
    expect(isPlainId(json)).toBe(false);
  });

  test("missing, null and empty say nothing; false and 0 do", () => {
    expect([undefined, "null", '""'].map(isBlank)).toEqual([true, true, true]);
    expect(["false", "0", '" "'].map(isBlank)).toEqual([false, false, false]);
  });
});

describe("an id that the call's own arguments name", () => {
  test.each<[how: string, args: unknown, id: string]>([
    ["as it is", { key: "old1" }, "old1"],
    ["in other case", { key: "OLD1" }, "old1"],
    ["with a sign before it", { key: "#42" }, "42"],
    ["with a sign before the id", { key: 42 }, "#42"],
    ["as a part of a path", { path: "issues/old1/notes" }, "old1"],
    ["in an address", { url: "https://example.com/issues/42?x=1" }, "42"],
    ["in an address, encoded", { url: "https://example.com/a%20page" }, "a page"],
    ["with zeros before it", { key: "0042" }, "42"],
    ["with zeros before the id", { number: 42 }, "0042"],
    ["as a key", { labels: { old1: true } }, "old1"],
    ["as a key in a list", [{ "#42": [] }], "42"],
    ["by the end of the id, a number", { issue: 42 }, "https://example.com/acme/notes/issues/42"],
    ["by the end of the id, a text", { issue: "#42" }, "acme/notes#42"],
    ["by the same end of two addresses", { url: "https://example.com/issues/42/" }, "api/issues/42"],
    ["in signs of another width", { key: "\uff4f\uff4c\uff44\uff11" }, "old1"],
  ])("%s", (_how, args, id) => {
    expect(isNamedIn(JSON.stringify(args), id, "fg0run")).toBe(true);
  });

  test.each<[token: string, id: string]>([
    ["42.0", "42"],
    ["4.2e1", "42"],
    ["42", "42.0"],
    ["12345678901234567890.0", "12345678901234567890"],
  ])("by a number of the same value: %s against %s", (token, id) => {
    expect(isNamedIn(`{"n":${token}}`, id, "fg0run")).toBe(true);
  });

  test.each<[why: string, args: unknown, id: string]>([
    ["is a part of another number", { n: 142, key: "#421" }, "42"],
    ["is a part of the run's token", { title: "note fg0run" }, "0"],
    ["shares its owner only", { owner: "acme", repo: "notes" }, "acme/notes#17"],
    ["shares a digit only", { priority: 1 }, "R-1"],
    ["is not there", { title: "note fg0run", list: [null, true] }, "R-7"],
    ["differs in its last digit", { n: 0 }, "12345678901234567890"],
  ])("but not one that %s", (_why, args, id) => {
    expect(isNamedIn(JSON.stringify(args), id, "fg0run")).toBe(false);
  });

  test("numbers too large for a double are told apart", () => {
    expect(isNamedIn('{"n":12345678901234567891}', "12345678901234567890", "fg0run")).toBe(false);
  });

  test("what is hostile in length takes no time", () => {
    const begin = performance.now();
    isNamedIn(JSON.stringify({ a: `${"/".repeat(1 << 20)}x`, b: `${"y".repeat(1 << 20)}/x` }), "z/1", "fg0run");
    isNamedIn('{"a":"b"}', `a${"-".repeat(1 << 20)}b`, "fg0run");
    expect(performance.now() - begin).toBeLessThan(2000);
  });
});
