// Every scan file of test/corpus/scan: bad ones say exactly what stands in the file beside them, good ones load.

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { formatIssue } from "../../../src/core/contract/issue.ts";
import { scanSchema } from "../../../src/core/scan/schema-file.ts";
import { loadScan } from "../../../src/run/load-scan.ts";

const corpus = fileURLToPath(new URL("../../corpus/scan/", import.meta.url));
const filesIn = (folder: string) =>
  readdirSync(`${corpus}${folder}`).filter((name) => /\.(?:jsonc?|ya?ml)$/.test(name));

describe("a bad scan file is refused with every problem at its place", () => {
  test.each(filesIn("bad"))("%s", async (name) => {
    const folder = `${corpus}bad/`;
    const expected = readFileSync(`${folder}${name.replace(/\.\w+$/, ".expected")}`, "utf8");
    const result = await loadScan(`${folder}${name}`);
    const issues = result.ok ? [] : result.issues;
    const said = issues.map((issue) => `${formatIssue(issue).replace(folder, "").replace(corpus, "../")}\n`).join("");
    expect(said).toBe(expected);
    expect(expected).not.toBe("");
    // Values have this word in them; key names, which may be shown, do not.
    expect(said).not.toContain("SENTINEL");
  });

  test("there are enough, each with its expectation", () => {
    const expectations = readdirSync(`${corpus}bad`).filter((name) => name.endsWith(".expected"));
    expect(expectations).toHaveLength(filesIn("bad").length);
    expect(expectations.length).toBeGreaterThanOrEqual(40);
  });
});

describe("a good scan file", () => {
  const validate = new Ajv({ strict: false }).compile(scanSchema);

  test.each(filesIn("good"))("%s loads", async (name) => {
    expect(await loadScan(`${corpus}good/${name}`)).toMatchObject({ ok: true });
  });

  test.each(filesIn("good").filter((name) => name.endsWith(".json")))("%s is good for an editor too", (name) => {
    expect(validate(JSON.parse(readFileSync(`${corpus}good/${name}`, "utf8")))).toBe(true);
  });
});

test("schema/scan.schema.json is up to date (else run node scripts/generate.mjs)", () => {
  const committed = JSON.parse(readFileSync(new URL("../../../schema/scan.schema.json", import.meta.url), "utf8"));
  expect(committed).toEqual(JSON.parse(JSON.stringify(scanSchema)));
});
