// Every example of docs/read-back.md loads, and the page names every key that the format has, and no other.

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { kinds } from "../../src/core/readback/kinds/index.ts";
import { readbackNode } from "../../src/core/readback/schema.ts";
import { reasons } from "../../src/core/verdict/reasons.ts";
import { linesOf } from "../core/contract/reading.ts";
import { readback } from "../readback/reading.ts";

const page = readFileSync(new URL("../../docs/read-back.md", import.meta.url), "utf8");
const examples = [...page.matchAll(/^```json(?: (\S+))?\n(.*?)^```$/gms)].map(([, title, code]) => ({
  title,
  code: code!,
}));

test.each(examples.map((one, index) => [index + 1, one] as const))("example %i loads", async (_, { title, code }) => {
  if (title === "contract") expect(await linesOf(code)).toEqual([]);
  else expect((await readback(JSON.parse(code))).attempts).toBe(3);
});

/** The first cells of the tables of a section. */
function cells(section: string): string[] {
  return [...section.matchAll(/^\| `([a-z_]+)` \|/gm)].map(([, name]) => name!);
}

const sections = new Map(page.split(/^## /m).map((text) => [text.split("\n")[0]!.replaceAll("`", ""), text] as const));
type Branch = { then: { properties: Record<string, { properties?: object }> } };
const keysOf = (type: string) =>
  (
    readbackNode.allOf.find((branch) =>
      JSON.stringify((branch as { if?: unknown }).if ?? "").includes(`"${type}"`),
    ) as Branch
  ).then.properties;

describe("the keys", () => {
  const own = (type: string) => Object.keys(kinds.find((kind) => kind.type === type)!.properties);
  const shared = Object.keys(keysOf("http")).filter((key) => !own("http").includes(key));
  const expectation = ["field", "value", "compare", "by", "tolerance"];

  test("that all types share", () => {
    expect(cells(sections.get("Keys of every type")!).sort()).toEqual([...shared, ...expectation].sort());
  });

  test.each(kinds.map(({ type }) => type))("of %s", (type) => {
    const http = own("http").filter((key) => key !== "url_template" && key !== "missing_statuses");
    const named = cells(sections.get(type)!);
    expect([...named, ...(type === "graphql" ? http : [])].sort()).toEqual(own(type).sort());
  });
});

test("the page names every reason that a read-back gives", () => {
  const given = Object.keys(reasons).filter((code) => /^readback_|^not_settled$|^credential_missing$/.test(code));
  for (const code of given) expect(page).toContain(`\`${code}\``);
});
