// docs/faults.md names tests that exist, and every fault of the torture.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { FAULTS } from "../torture/faults.ts";

const url = new URL("../../docs/faults.md", import.meta.url);
const rows = readFileSync(url, "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| fault"));
const cells = rows.map((row) => row.split("|").at(-2)!);

test("each row names a test, and each named test exists", () => {
  for (const cell of cells) expect(cell).toMatch(/\.test\.ts\): `[^`]+`|torture `/);
  for (const [, file, title] of cells.join("\n").matchAll(/\((\S+\.test\.ts)\): `([^`]+)`/g)) {
    expect(readFileSync(new URL(file!, url), "utf8"), `${title} in ${file}`).toContain(title);
  }
});

test("each fault of the torture stands in the table, and no other", () => {
  const named = cells.flatMap((cell) => [...(cell.split("torture ")[1] ?? "").matchAll(/`([\w-]+)`/g)]);
  const names = FAULTS.map(({ name }) => name).filter((name) => name !== "none");
  expect(named.map(([, name]) => name).sort()).toEqual(names.sort());
});
