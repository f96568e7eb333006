// docs/clients.md is what the code makes of its data.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CLIENT_SIGHTS } from "../../src/core/verdict/client-sights.ts";
import { needsErrorShape } from "../../src/core/verdict/clients.ts";
import { clientsPage } from "../../src/core/verdict/clients-page.ts";

const page = readFileSync(new URL("../../docs/clients.md", import.meta.url), "utf8");

test("docs/clients.md is current (else run node scripts/generate.mjs)", () => {
  expect(page).toBe(clientsPage(CLIENT_SIGHTS));
});

test("every row names its reports, and the page tells the shape that the guard takes", () => {
  for (const { client, sources } of CLIENT_SIGHTS) {
    expect(sources.length).toBeGreaterThan(0);
    for (const source of sources) expect(source).toMatch(/^[\w.-]+\/[\w.-]+#[0-9]+$/);
    const row = page.split("\n").find((line) => line.startsWith(`| \`${client}\` |`));
    expect(row).toContain(needsErrorShape("auto", client, true) ? "| error result |" : "| insertion |");
  }
  expect(new Set(CLIENT_SIGHTS.map(({ client }) => client)).size).toBe(CLIENT_SIGHTS.length);
});
