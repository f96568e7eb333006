// The committed schema of read-back files is the one that start-up checks by, and is good for editors.

import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { readbackSchema } from "../../../src/core/readback/schema.ts";

const committed = JSON.parse(readFileSync(new URL("../../../schema/readback.schema.json", import.meta.url), "utf8"));

test("schema/readback.schema.json is up to date (else run node scripts/generate.mjs)", () => {
  expect(committed).toEqual(JSON.parse(JSON.stringify(readbackSchema)));
});

test("an editor that knows it accepts good read-backs and marks bad ones", () => {
  const validate = new Ajv({ strict: false }).compile(committed);
  const good = { $schema: "x", type: "http", url_template: "https://x/{id}", expected_fields: { id: "id" } };
  expect(validate(good)).toBe(true);
  for (const bad of [
    { ...good, type: "ftp" },
    { ...good, attempts: 6 },
    { ...good, query: "{a}" },
    { type: "http" },
    {},
  ]) {
    expect([bad, validate(bad)]).toEqual([bad, false]);
  }
});
