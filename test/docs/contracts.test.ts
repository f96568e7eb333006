// Every example of docs/contracts.md and docs/selectors.md does what the page says.

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parsePath } from "../../src/core/select/path.ts";
import { linesOf } from "../core/contract/reading.ts";

const page = (name: string) => readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), "utf8");

/** The code blocks of a page: the word after the fence, what else stands on its line, and the text. */
function blocks(text: string) {
  return [...text.matchAll(/^```(\w+)(?: (\S+))?\n(.*?)^```$/gms)].map(([, format, title, code]) => ({
    format: format!,
    title,
    code: code!,
  }));
}

/** The first cells of the rows of the table below a header. */
function firstCells(text: string, header: string): string[] {
  const tables = text.split(header).slice(1);
  return tables
    .flatMap((table) => table.split("\n\n")[0]!.split("\n").slice(2))
    .map((row) => /^\| `(.*?)` \|/.exec(row)![1]!);
}

describe("docs/contracts.md", () => {
  const all = blocks(page("contracts"));
  const good = all.filter(({ format, title }) => format !== "text" && title === undefined);

  test.each(good.map(({ format, code }, index) => [index + 1, format, code] as const))(
    "example %i, %s, loads",
    async (_, format, code) => {
      expect(await linesOf(code, `contract.${format}`)).toEqual([]);
    },
  );

  test("has an example in each format", () => {
    expect(new Set(good.map(({ format }) => format))).toEqual(new Set(["json", "jsonc", "yaml"]));
  });

  test("shows the problems of its bad example as they are shown", async () => {
    const bad = all.find(({ title }) => title === "contract.json")!;
    const shown = all.find(({ format }) => format === "text")!;
    expect(await linesOf(bad.code)).toEqual(shown.code.trimEnd().split("\n"));
  });
});

describe("docs/selectors.md", () => {
  const text = page("selectors");

  test.each(blocks(text).map(({ code }, index) => [index + 1, code] as const))("example %i loads", async (_, code) => {
    const tool = {
      extract: JSON.parse(code),
      verifier: { command: ["x"], timeout_ms: 1 },
      allowed_failure_reasons: ["a"],
    };
    expect(await linesOf(JSON.stringify({ contract_version: 1, tools: { tool } }))).toEqual([]);
  });

  test.each(firstCells(text, "| path | means |"))("%s is a path", (path) => {
    expect(parsePath(path)).toMatchObject({ ok: true });
  });

  test.each(firstCells(text, "| path | why |"))("%s is refused", (path) => {
    expect(parsePath(path)).toMatchObject({ ok: false });
  });
});
