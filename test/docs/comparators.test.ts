// docs/comparators.md is what the code makes of itself.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { comparators } from "../../src/core/compare/index.ts";
import { comparatorsPage } from "../../src/core/compare/page.ts";

const text = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

test("docs/comparators.md is current (else run node scripts/generate.mjs)", () => {
  const page = text("docs/comparators.md");
  expect(page).toBe(comparatorsPage(comparators, (name) => text(`test/corpus/compare/${name}.json`)));
});

test("the page shows equal, different and undecided cases of every comparator", () => {
  const sections = text("docs/comparators.md").split(/^## /m).slice(1);
  expect(sections).toHaveLength(comparators.length);
  for (const section of sections) {
    for (const outcome of ["equal", "different", "UNKNOWN"]) expect(section).toContain(`| ${outcome} |`);
  }
});
