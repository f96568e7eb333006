// Contract files that are not there, not files, or too large; and what a contract may ask about the machine.

import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MAX_CONTRACT_BYTES } from "../../src/core/limits.ts";
import { contractHost, readContractFile } from "../../src/io/contract-file.ts";
import { loadContract } from "../../src/run/load-contract.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "fourgate-contract-"));
  writeFileSync(join(folder, "full.json"), Buffer.alloc(MAX_CONTRACT_BYTES, " "));
  writeFileSync(join(folder, "larger.json"), Buffer.alloc(MAX_CONTRACT_BYTES + 1, " "));
  symlinkSync("loop.json", join(folder, "loop.json"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a contract file that cannot be read is one issue without a line", () => {
  test.each([
    ["missing", "none.json", "file_missing"],
    ["below a file", "full.json/none.json", "file_missing"],
    ["a directory", ".", "file_is_directory"],
    ["a link to itself", "loop.json", "file_unreadable"],
    ["larger than 4 MiB", "larger.json", "file_too_large"],
  ])("%s", async (_, name, code) => {
    const file = join(folder, name);
    const result = await loadContract(file);
    expect(result).toEqual({ ok: false, issues: [{ file, place: "", code, message: expect.any(String) }] });
  });
});

test("a file of just 4 MiB is read whole", () => {
  const read = readContractFile(join(folder, "full.json"));
  expect(read.ok && read.bytes.length).toBe(MAX_CONTRACT_BYTES);
});

test("a directory is looked up beside the contract, not in the working directory", () => {
  const host = contractHost(join(folder, "contract.json"), "/main.cjs");
  expect(host.directory(".")).toBe(folder);
  expect(host.directory("")).toBe(folder);
  for (const path of ["full.json", "src", "~", "a\u0000b", "x".repeat(5000)])
    expect(host.directory(path)).toBeUndefined();
});

test("{fourgate} is this program run by this Node", () => {
  expect(contractHost("/c.json", "/lib/main.cjs").placeholders).toMatchObject({
    node: [process.execPath],
    fourgate: [process.execPath, "/lib/main.cjs"],
  });
});
