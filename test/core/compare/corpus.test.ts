// Every comparator does what the cases in test/corpus/compare say; the cases are the specification.

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { comparators, compareValues } from "../../../src/core/compare/index.ts";
import type { CompareOptions } from "../../../src/core/compare/types.ts";
import { parseValue, type Value } from "../../../src/core/compare/value.ts";

const corpus = fileURLToPath(new URL("../../corpus/compare/", import.meta.url));

interface Case {
  readonly why: string;
  readonly comparator: string;
  readonly expected: Value;
  readonly observed: Value;
  readonly options: CompareOptions;
  readonly wanted: string;
}

/** Reads the cases without losing a digit, which JSON.parse would. */
function casesOf(file: string): Case[] {
  const list = parseValue(readFileSync(`${corpus}${file}`, "utf8"));
  if (list?.type !== "list") throw new Error(`${file} is no list`);
  return list.items.map((item) => {
    if (item.type !== "object") throw new Error(`${file} holds something else than cases`);
    const text = (name: string) => (item.members.get(name) as { text: string }).text;
    const equal = item.members.get("equal")!;
    const options = item.members.get("options") as { members: Map<string, Value> } | undefined;
    const by = options?.members.get("by") as { text: string } | undefined;
    const tolerance = options?.members.get("tolerance") as { token: string } | undefined;
    return {
      why: text("why"),
      comparator: text("comparator"),
      expected: item.members.get("expected")!,
      observed: item.members.get("observed")!,
      options: { ...(by && { by: by.text }), ...(tolerance && { tolerance: tolerance.token }) },
      wanted: equal.type === "boolean" ? (equal.is ? "equal" : "different") : "undecided",
    };
  });
}

const files = readdirSync(corpus);
const all = files.flatMap(casesOf);

describe.each(files)("%s", (file) => {
  test.each(casesOf(file).map((one, index) => [index + 1, one.why, one] as const))("%i: %s", (_, _why, one) => {
    expect(compareValues(one.comparator, one.expected, one.observed, one.options)).toBe(one.wanted);
  });
});

test("every comparator has its cases, of each outcome that it can give, and in a file of its name", () => {
  expect(files.map((file) => file.replace(".json", "")).sort()).toEqual(comparators.map(({ name }) => name).sort());
  for (const { name } of comparators) {
    const outcomes = new Set(all.filter(({ comparator }) => comparator === name).map(({ wanted }) => wanted));
    expect([name, [...outcomes].sort()]).toEqual([name, ["different", "equal", "undecided"]]);
  }
  expect(all.length).toBeGreaterThanOrEqual(150);
});

test("no comparator calls two equal values different, however odd they are", () => {
  for (const { name } of comparators.filter((comparator) => comparator.name !== "one_of")) {
    for (const { expected, options } of all) {
      expect([name, compareValues(name, expected, expected, options)]).not.toEqual([name, "different"]);
    }
  }
});

test("a comparator that nobody knows decides nothing", () => {
  expect(compareValues("soundex", { type: "null" }, { type: "null" })).toBe("undecided");
});
