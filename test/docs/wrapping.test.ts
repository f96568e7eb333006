// docs/wrapping.md names every client's files as the code looks for them.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CLIENT_ROWS } from "../../src/clients/table.ts";

const page = readFileSync(new URL("../../docs/wrapping.md", import.meta.url), "utf8");

test.each(CLIENT_ROWS.map((row) => [row.id, row.scope, row] as const))("%s (%s) stands in the table", (id, _, row) => {
  const [line, ...more] = page.split("\n").filter((text) => text.startsWith(`| \`${id}\` |`));
  expect(more).toEqual([]);
  const cells = line?.split("|") ?? [];
  expect(cells[row.scope === "user" ? 2 : 3]).toContain(row.path.join(row.base === "zed" ? "\\" : "/"));
  for (const container of row.containers) expect(cells[4]).toContain(`\`${container.join(".")}\``);
  const switches = [
    ...(row.disabledBy.key ? [row.disabledBy.key] : []),
    ...(row.disabledBy.list ? [row.disabledBy.list.join(".")] : []),
  ];
  for (const key of switches) expect(cells[5]).toContain(key);
});
