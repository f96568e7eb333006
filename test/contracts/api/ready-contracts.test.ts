// All ready contracts that read by HTTP, against a fake of each API: PASS when the record is right, FAIL for what is not as asked or
// not there, UNKNOWN for every doubt.

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { ToolContract } from "../../../src/core/contract/types.ts";
import type { ReadbackOutcome } from "../../../src/core/readback/types.ts";
import { select } from "../../../src/core/select/select.ts";
import type { Fields } from "../../../src/core/select/types.ts";
import { openAdapter } from "../../../src/readback/adapter.ts";
import { checkReadback } from "../../../src/readback/check.ts";
import { loadContract } from "../../../src/run/load-contract.ts";
import { type FakeApi, fakeApi, faults } from "../../fixtures/api.ts";
import { github } from "./github.ts";
import { gitlab } from "./gitlab.ts";
import { jira } from "./jira.ts";
import { linear } from "./linear.ts";
import { notion } from "./notion.ts";
import { slack } from "./slack.ts";
import { stripe } from "./stripe.ts";
import type { Case, Vendor } from "./vendor.ts";

const vendors: readonly Vendor[] = [github, gitlab, linear, notion, slack, jira, stripe];
const directory = mkdtempSync(join(tmpdir(), "fourgate-contracts-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const fileOf = (vendor: Vendor) => join("contracts", vendor.contract, "contract.jsonc");

/** The ready contract with the fake's address in the place of the vendor's. */
function rewritten(vendor: Vendor, api: FakeApi): string {
  const file = join(directory, `${vendor.contract}-${api.port}.jsonc`);
  writeFileSync(file, readFileSync(fileOf(vendor), "utf8").replaceAll(vendor.origin, api.origin));
  return file;
}

async function toolsOf(file: string): Promise<ReadonlyMap<string, ToolContract>> {
  const loaded = await loadContract(file);
  if (!loaded.ok) throw new Error(loaded.issues.map(({ place, message }) => `${place}: ${message}`).join("\n"));
  return loaded.contract.tools;
}

/** What the contract takes from a call and its answer; a field that is not there is left out. */
function extracted({ extract }: ToolContract, args: object, answer: string): Fields {
  const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
  const sources = { arguments: bytes(args), result: bytes({ result: { content: [{ type: "text", text: answer }] } }) };
  const fields = [...extract].map(([name, selector]) => {
    const source = sources[selector.source];
    return [name, select(selector, source, { start: 0, end: source.length })] as const;
  });
  return new Map(fields.filter((field): field is [string, string] => field[1] !== undefined));
}

/** One check as the reader makes it, with pauses and limits that suit a test. */
async function outcome(
  vendor: Vendor,
  tool: ToolContract,
  fields: Fields,
  { limitMs = 5000, ageMs = 60_000, unmet }: { limitMs?: number; ageMs?: number; unmet?: readonly string[] } = {},
): Promise<string> {
  const readback = { ...tool.readback!, intervalMs: 1, timeoutMs: limitMs };
  const adapter = await openAdapter(readback.source, { environment: vendor.env });
  const { signal } = new AbortController();
  const found = await checkReadback(readback, adapter, { fields, budgetMs: limitMs, ageMs, signal });
  await adapter.close();
  if (unmet !== undefined) expect(found).toMatchObject({ unmet });
  return wordFor(found, tool);
}

function wordFor(found: ReadbackOutcome, { allowedFailureReasons }: ToolContract): string {
  if (found.type === "pass") return "pass";
  if (found.type === "unknown") return "unknown";
  // A FAIL that the contract does not allow would be UNKNOWN: each that can be proven must be allowed.
  expect(allowedFailureReasons).toContain(found.reason);
  return `fail ${found.reason}`;
}

const titleOf = ({ tool, about }: Case) => (about === undefined ? tool : `${tool}, ${about}`);

describe.each(vendors.map((vendor) => [vendor.contract, vendor] as const))("%s", (_, vendor) => {
  const cases = vendor.cases.map((one) => [titleOf(one), one] as const);
  const start = async (one: Case) => {
    const api = await fakeApi(vendor.reply);
    const tool = (await toolsOf(rewritten(vendor, api))).get(one.tool)!;
    return { api, tool, fields: extracted(tool, one.args, one.answer) };
  };

  test("is a good contract as it stands, reads only the vendor's host, and every tool of it is tried here", async () => {
    const tools = await toolsOf(fileOf(vendor));
    expect([...tools.keys()].sort()).toEqual([...new Set(vendor.cases.map(({ tool }) => tool))].sort());
    for (const { readback } of tools.values()) {
      expect((readback!.source as { url: { origin: string } }).url.origin).toBe(vendor.origin);
      expect(readback!.credentials.filter((name) => !Object.hasOwn(vendor.env, name))).toEqual([]);
    }
  });

  test.each(cases)("%s: PASS when the record is as asked, found with all that the call gives", async (_, one) => {
    const { api, tool, fields } = await start(one);
    expect([...fields.keys()].sort()).toEqual([...tool.extract.keys()].sort());
    api.hold(one.good);
    expect(await outcome(vendor, tool, fields)).toBe("pass");
    expect(api.asked).toHaveLength(1);
  });

  test.each(cases)("%s: FAIL for each value that is not as asked, and for what is not there", async (_, one) => {
    const { api, tool, fields } = await start(one);
    const mismatch = tool.readback!.expect === "absent" ? "fail record_present" : "fail field_mismatch";
    for (const [what, held] of Object.entries(one.wrong)) {
      api.hold(held);
      expect([what, await outcome(vendor, tool, fields)]).toEqual([what, mismatch]);
    }
    for (const [what, [held, comesTo]] of Object.entries(one.missing)) {
      api.hold(held);
      const expected = comesTo === "fail" ? "fail record_missing" : "unknown";
      expect([what, await outcome(vendor, tool, fields)]).toEqual([what, expected]);
      // Right after the answer, absence proves nothing yet.
      if (tool.readback!.settleMs > 0)
        expect([what, await outcome(vendor, tool, fields, { limitMs: 100, ageMs: 0 })]).toEqual([what, "unknown"]);
    }
  });

  test.each(cases)("%s: UNKNOWN for every doubt", async (_, one) => {
    const { api, tool, fields } = await start(one);
    for (const [what, held] of Object.entries(one.doubtful ?? {})) {
      api.hold(held);
      expect([what, await outcome(vendor, tool, fields)]).toEqual([what, "unknown"]);
    }
    for (const fault of faults) {
      // GitLab's own lists are empty when there is no such record.
      if (fault === "a list of nothing" && vendor === gitlab) continue;
      api.fail(fault);
      expect([fault, await outcome(vendor, tool, fields, { limitMs: fault === "slow" ? 60 : 5000 })]).toEqual([
        fault,
        "unknown",
      ]);
    }
    api.fail();
    api.hold(one.good);
    const stranger = { ...vendor, env: Object.fromEntries(Object.keys(vendor.env).map((name) => [name, "wrong"])) };
    expect(await outcome(stranger, tool, fields)).toBe("unknown");
    expect(await outcome({ ...vendor, env: {} }, tool, fields)).toBe("unknown");
  });
});

test("a field that is added as contracts/README.md says is compared, and named when it was dropped", async () => {
  const api = await fakeApi(github.reply);
  const snippet = /^```jsonc\n(.*?)^```/ms.exec(readFileSync("contracts/README.md", "utf8"))?.[1];
  const added = JSON.parse(`{${snippet}}`);
  const file = rewritten(github, api);
  const contract = JSON.parse(readFileSync(file, "utf8").replaceAll(/^\s*\/\/.*$/gm, ""));
  const { extract, readback } = contract.tools.issue_write;
  Object.assign(extract, added.extract);
  Object.assign(readback.expected_fields, added.readback.expected_fields);
  writeFileSync(file, JSON.stringify(contract));
  const tool = (await toolsOf(file)).get("issue_write")!;
  const one = github.cases[0]!;
  const fields = extracted(tool, { ...one.args, labels: ["bug"] }, one.answer);
  api.hold({ record: { ...one.good.record, labels: [{ name: "bug", color: "f00" }, { name: "auto" }] } });
  expect(await outcome(github, tool, fields)).toBe("pass");
  api.hold({ record: { ...one.good.record, labels: [{ name: "auto" }] } });
  expect(await outcome(github, tool, fields, { unmet: ["labels"] })).toBe("fail field_mismatch");
});

/** The built program. */
function verify(args: readonly string[], stdin: string, env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, ["dist/main.cjs", "verify", ...args], { env: { ...process.env, ...env } });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  child.stdin.end(stdin);
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) =>
    child.on("close", (code) => resolve({ code, stdout, stderr })),
  );
}

test.each(vendors.map((vendor) => [vendor.contract, vendor] as const))(
  "%s through the built program: PASS, and without its credential UNKNOWN",
  async (_, vendor) => {
    const api = await fakeApi(vendor.reply);
    const one = vendor.cases[0]!;
    api.hold(one.good);
    const file = rewritten(vendor, api);
    const fields = extracted((await toolsOf(file)).get(one.tool)!, one.args, one.answer);
    const stdin = `{${[...fields].map(([name, json]) => `${JSON.stringify(name)}:${json}`).join()}}`;
    // The dry run has the time that the contract gives; a verifier has to be done in 1.5 s, which a busy test machine may not be.
    const right = await verify([file, "--tool", one.tool, "--json"], stdin, vendor.env);
    expect(right).toMatchObject({ code: 0, stderr: "" });
    expect(right.stdout).not.toContain("SENTINEL");
    expect(JSON.parse(right.stdout)).toMatchObject({ status: "pass", tool: one.tool });
    const without = await verify([file, "--tool", one.tool, "--json"], stdin, {});
    expect(without).toMatchObject({ code: 1, stderr: "" });
    expect(JSON.parse(without.stdout)).toMatchObject({ status: "unknown", reason_code: "credential_missing" });
    expect(api.asked).toHaveLength(1);
  },
);
