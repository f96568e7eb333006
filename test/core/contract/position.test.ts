// Lines and columns of issues are those that an editor shows; columns count UTF-16 units.

import fc from "fast-check";
import { expect, test } from "vitest";
import { goodContract, linesOf, read } from "./reading.ts";

test("whatever line ends, blanks, comments and wide characters stand before it, a problem has its place", () => {
  const before = fc.array(
    fc.constantFrom("\n", "\r\n", "\r", " ", "\t", "/* \u{1F600}é */", "// \u{1F600}\n", "/*\r\n*/"),
    {
      maxLength: 20,
    },
  );
  return fc.assert(
    fc.asyncProperty(before, before, fc.boolean(), async (outer, inner, mark) => {
      const text = `${outer.join("")}{${inner.join("")}"tolls": 1, ${JSON.stringify(goodContract()).slice(1)}`;
      const lines = text.slice(0, text.indexOf('"tolls"')).split(/\r\n|\r|\n/);
      const result = await read(`${mark ? "\ufeff" : ""}${text}`, "c.jsonc");
      expect(result).toMatchObject({
        ok: false,
        issues: [{ line: lines.length, column: lines.at(-1)!.length + 1, place: "tolls", code: "unknown_key" }],
      });
    }),
  );
});

test("a character outside the basic plane counts as two columns", async () => {
  expect(await linesOf('{"\u{1F600}": 1, "contract_version": 1, "tools": 2}')).toEqual([
    expect.stringMatching(/^contract\.json:1:2: /),
    expect.stringMatching(/^contract\.json:1:43: tools: is a number/),
  ]);
});

test.each([
  ["double quotes", "c.json", '"$.list["', 7],
  ["an escape before it", "c.json", '"$.l\\u0069st["', 12],
  ["double quotes", "c.yaml", '"$.list["', 7],
  ["single quotes", "c.yaml", "'$.list['", 7],
  ["no quotes", "c.yaml", "$.list[", 6],
  ["a folded text, at whose sign it begins", "c.yaml", ">-\n          $.list[", 0],
])("a broken path is pointed at inside its string: %s in %s", async (_, name, written, offset) => {
  const text = name === "c.json" ? JSON_CONTRACT : YAML_CONTRACT;
  const before = text.slice(0, text.indexOf("PATH")).split("\n");
  const place = `${name}:${before.length}:${before.at(-1)!.length + 1 + offset}: tools["t"].extract["f"].path: `;
  expect(
    await linesOf(
      text.replace("PATH", () => written),
      name,
    ),
  ).toEqual([`${place}the [ is not closed; a ] is missing`]);
});

const JSON_CONTRACT = `{
  "contract_version": 1,
  "tools": {
    "t": {
      "extract": {"f": {"source": "arguments", "path": PATH}},
      "verifier": {"command": ["x"], "timeout_ms": 1},
      "allowed_failure_reasons": ["a"]
    }
  }
}`;

const YAML_CONTRACT = `contract_version: 1
tools:
  t:
    extract:
      f:
        path: PATH
        source: arguments
    verifier: {command: [x], timeout_ms: 1}
    allowed_failure_reasons: [a]
`;
