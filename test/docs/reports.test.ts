// docs/reports.md shows what the writers write: its examples are lines of the reports in test/corpus/report.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { reporters } from "../../src/report/index.ts";

const page = readFileSync("docs/reports.md", "utf8");
const folder = "test/corpus/report";
const written = new Set(readdirSync(folder).flatMap((file) => readFileSync(join(folder, file), "utf8").split("\n")));

test("every example is a piece of a real report", () => {
  const examples = [...page.matchAll(/^```(?:text|json|xml)\n([\s\S]*?)^```/gm)].map(([, example]) => example!);
  expect(examples.length).toBeGreaterThanOrEqual(6);
  const lines = examples.flatMap((example) => example.trimEnd().split("\n"));
  // An object's last line may have had a comma behind it.
  expect(lines.filter((line) => !written.has(line) && !written.has(`${line},`))).toEqual([]);
});

test.each(reporters.map(({ name, file }) => [name, file]))("%s is in the table, with its file %s", (name, file) => {
  expect(page).toContain(`| [\`${name}\`](#${name}) | \`${file}\` |`);
});

test("every link leads to a file", () => {
  const links = [...page.matchAll(/\]\((?!#)([^)]+)\)/g)].map(([, link]) => join("docs", link!));
  expect(links.filter((link) => !existsSync(link))).toEqual([]);
});
