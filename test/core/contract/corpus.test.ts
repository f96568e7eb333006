// Every contract of test/corpus/contracts: bad ones say exactly what stands in the file beside them, good ones load.

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { formatIssue } from "../../../src/core/contract/issue.ts";
import { loadContract } from "../../../src/run/load-contract.ts";

const corpus = fileURLToPath(new URL("../../corpus/contracts/", import.meta.url));
const contractsIn = (folder: string) =>
  readdirSync(`${corpus}${folder}`).filter((name) => /\.(?:jsonc?|ya?ml)$/.test(name));

describe("a bad contract is refused with every problem at its place", () => {
  test.each(contractsIn("bad"))("%s", async (name) => {
    const folder = `${corpus}bad/`;
    const expected = readFileSync(`${folder}${name.replace(/\.\w+$/, ".expected")}`, "utf8");
    const result = await loadContract(`${folder}${name}`);
    const said = result.ok ? "" : result.issues.map((issue) => `${formatIssue(issue).replace(folder, "")}\n`).join("");
    expect(said).toBe(expected);
    expect(expected).not.toBe("");
    // Each file has this word in its values, none in its key names that are shown.
    expect(said).not.toContain("SENTINEL");
  });
});

describe("a good contract loads", () => {
  test.each(contractsIn("good"))("%s", async (name) => {
    expect(await loadContract(`${corpus}good/${name}`)).toMatchObject({ ok: true });
  });
});

test("there is no expectation without its contract", () => {
  const expectations = readdirSync(`${corpus}bad`).filter((name) => name.endsWith(".expected"));
  expect(expectations).toHaveLength(contractsIn("bad").length);
});
