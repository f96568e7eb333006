// Path templates: what may stand in one, and that no value leads out of the root.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fillPath, parsePathTemplate } from "../../../src/core/readback/path-template.ts";

function fill(text: string, json: string, windows = false) {
  const parsed = parsePathTemplate(text);
  if (!parsed.ok) throw new Error(parsed.problem);
  return fillPath(parsed.template, new Map([["v", json]]), windows);
}

test.each([
  ["a/{v}.md", '"x"', ["a", "x.md"]],
  ["{v}", "1915883588174806058", ["1915883588174806058"]],
  ["{v}", "0.1000000000000000055511151231257827", ["0.1000000000000000055511151231257827"]],
  ["{v}", '"..."', ["..."]],
  ["{v}", '".hidden"', [".hidden"]],
  ["{v}", '"ünïcödé \\u0065"', ["ünïcödé e"]],
  ["{+v}", '"a/b/c.txt"', ["a", "b", "c.txt"]],
  ["{+v}", '"./a/./b"', ["a", "b"]],
  ["{+v}", '"a/b/"', ["a", "b"]],
  ["d/{+v}/e", '"a/b"', ["d", "a", "b", "e"]],
  ["{v}", '"a\\\\b"', ["a\\b"]],
])("%s with %s", (template, json, parts) => {
  expect(fill(template, json)).toEqual({ type: "below", parts });
});

test("a whole template may be an absolute path", () => {
  expect(fill("{+v}", '"/srv/a/b"')).toEqual({ type: "absolute", parts: ["srv", "a", "b"] });
  expect(fill("{+v}", '"C:\\\\srv\\\\a"', true)).toEqual({ type: "absolute", parts: ["C:", "srv", "a"] });
  expect(fill("x/{+v}", '"/srv/a"')).toBeUndefined();
});

describe("never a path:", () => {
  test.each([
    ["{v}", "null"],
    ["{v}", '""'],
    ["{v}", "{}"],
    ["{v}", '["a"]'],
    ["{v}", '"."'],
    ["{v}", '".."'],
    ["{v}", '"a/b"'],
    ["{v}", '"a\\u0000b"'],
    ["{v}", '"a\\nb"'],
    ["{+v}", '"../a"'],
    ["{+v}", '"a/../../b"'],
    ["{+v}", '"a/.."'],
    ["{+v}", '"a//b"'],
    ["{+v}", '"/"'],
    ["{+v}", '"."'],
    ["{+v}", '"/../etc/passwd"'],
    [".{v}", '"."'],
    ["{v}.", '"."'],
  ])("%s with %s", (template, json) => {
    expect(fill(template, json)).toBeUndefined();
  });

  test.each(['"a\\\\b"', '"C:x"', '"con"', '"NUL.txt"', '"a."', '"a "', '"a:stream"', '"a*"', '"com1"'])(
    "on Windows %s",
    (json) => {
      expect(fill("{v}", json, true)).toBeUndefined();
    },
  );
});

test.each([
  ["a/{v", "brace"],
  ["a/v}", "brace"],
  ["{}", "brace"],
  ["{+}", "brace"],
  ["/a/{v}", "absolute"],
  ["C:/a", "absolute"],
  ["a/../{v}", "part"],
  ["./a", "part"],
  ["a//b", "part"],
  ["", "part"],
  ["a/", "part"],
  ["a\\b", "characters"],
  ["x{+v}", "whole"],
  ["{+v}.md", "whole"],
])("the template %s is refused", (text, problem) => {
  expect(parsePathTemplate(text)).toEqual({ ok: false, problem });
});

test("no value makes a part that is more than a name", () => {
  const value = fc.oneof(
    fc.string(),
    fc.string({ unit: fc.constantFrom("a", ".", "/", "\\", ":", "~", " ", "\u0000") }),
  );
  fc.assert(
    fc.property(
      value,
      fc.constantFrom("{v}", "{+v}", "a/{v}.md", "a/{+v}"),
      fc.boolean(),
      (text, template, windows) => {
        const filled = fill(template, JSON.stringify(text), windows);
        for (const part of filled?.parts ?? []) {
          expect(part).not.toMatch(windows ? /^\.{0,2}$|[/\\\0]/ : /^\.{0,2}$|[/\0]/);
        }
      },
    ),
  );
});
