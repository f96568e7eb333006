// docs/scan.md against the code that it describes.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readScan } from "../../src/core/scan/read.ts";
import { scanReasons } from "../../src/core/scan/reasons.ts";
import { scanSchema } from "../../src/core/scan/schema-file.ts";

const page = readFileSync(new URL("../../docs/scan.md", import.meta.url), "utf8");

test("the page lists every reason of a scan's own in the code's words", () => {
  for (const [code, { meaning, remedy }] of Object.entries(scanReasons)) {
    expect(page).toContain(`| \`${code}\` | ${meaning} | ${remedy} |\n`);
  }
});

test("the page names every key of the format", () => {
  const { properties } = scanSchema;
  const top = Object.keys(properties).filter((name) => name !== "$schema" && name !== "server");
  const named = [...top, ...Object.keys(properties.cases.items.properties)];
  for (const name of named) expect(page).toMatch(new RegExp(`^\\| .*\`${name}\`.* \\|`, "m"));
  for (const name of Object.keys(properties.server.properties))
    expect(page).toMatch(new RegExp(`^\\| \`server.${name}\` \\|`, "m"));
});

test("the example is a good scan file", async () => {
  const [, example] = /```json scan\n([\s\S]*?)```/.exec(page) ?? [];
  const result = await readScan(new TextEncoder().encode(example), {
    file: "scan.json",
    directory: () => "/home",
    path: (path) => path,
    readbacks: () => import("../../src/core/readback/part.ts"),
    contract: async () => ({ ok: false, issues: [] }),
    placeholders: { node: [], fourgate: [], python: [] },
  });
  expect(result).toMatchObject({ ok: true });
});
