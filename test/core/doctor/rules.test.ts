// Each rule of the doctor: what it says of which facts, and that it says nothing where all is well.

import { describe, expect, test } from "vitest";
import { readContract } from "../../../src/core/contract/read.ts";
import type { Contract } from "../../../src/core/contract/types.ts";
import { checkup } from "../../../src/core/doctor/checkup.ts";
import type { Facts } from "../../../src/core/doctor/types.ts";

const READBACK = {
  type: "http",
  url_template: "https://api.example.invalid/issues/{id}",
  token_env: "READER_TOKEN",
  missing_statuses: [404],
  expected_fields: { title: "title" },
  attempts: 3,
  interval_ms: 250,
  timeout_ms: 1500,
};

async function contractOf(readback: object, more: object = {}): Promise<Contract> {
  const tool = {
    extract: {
      id: { source: "result", path: "result.structuredContent.id" },
      title: { source: "arguments", path: "title" },
    },
    record_id_field: "id",
    allowed_failure_reasons: ["record_missing", "field_mismatch"],
    ...("command" in readback ? { verifier: readback } : { readback }),
    ...more,
  };
  const bytes = new TextEncoder().encode(JSON.stringify({ contract_version: 1, tools: { create_issue: tool } }));
  const result = await readContract(bytes, {
    file: "/contract.json",
    directory: (path) => path,
    path: (path) => path,
    readbacks: () => import("../../../src/core/readback/part.ts"),
    placeholders: { node: ["node"], fourgate: ["fourgate"], python: ["python3"] },
  });
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return result.contract;
}

const tool = (name: string, readOnly?: boolean) => ({ name, readOnly });
const session = { type: "session", name: "tracker", version: "1", protocolVersion: "2025-11-25", noise: 0 } as const;

async function factsOf(more: Partial<Facts> = {}, readback: object = READBACK, toolMore: object = {}): Promise<Facts> {
  return {
    file: "contract.json",
    contract: await contractOf(readback, toolMore),
    issues: [],
    mode: "shadow",
    programs: new Map(),
    missingDrivers: [],
    looseFiles: [],
    secretProblems: [],
    set: new Set(["READER_TOKEN"]),
    leaks: [],
    approval: undefined,
    bypasses: [],
    server: { ...session, tools: [tool("create_issue"), tool("list_issues", true)] },
    log: { path: "log", problem: undefined, exists: true, history: undefined },
    about: {
      fourgate: "1",
      node: "20",
      platform: "linux",
      environmentReadable: true,
      memoryReadable: true,
      sandbox: false,
      proxy: [],
    },
    ...more,
  };
}

const said = (facts: Facts) =>
  checkup(facts)
    .findings.filter(({ level }) => level === "warn" || level === "fail")
    .map(({ level, code }) => `${level} ${code}`);

test("a good setup: no warning, no problem, every section", async () => {
  const { findings, warnings, problems, ready, serverStarted } = checkup(await factsOf());
  expect([warnings, problems, ready, serverStarted]).toEqual([0, 0, true, true]);
  expect([...new Set(findings.map(({ section }) => section))]).toEqual([
    "Contract",
    "Verifier of create_issue",
    "Credentials",
    "MCP server",
    "Mode and log",
    "Machine",
  ]);
});

const CUSTOM = { command: ["{node}", "check.mjs"], timeout_ms: 1000 };
const programs = (there: boolean, scriptThere: boolean) =>
  new Map([["create_issue", { program: "node", there, script: { path: "check.mjs", there: scriptThere } }]]);
const history = (...counts: [string, number][]) => ({
  path: "log",
  problem: undefined,
  exists: true,
  history: new Map([["create_issue", new Map(counts)]]),
});

describe("problems and warnings", () => {
  test.each<[string, Partial<Facts>, string[], object?, object?]>([
    ["a program of one's own", { programs: programs(true, true) }, ["warn verifier_custom"], CUSTOM],
    ["a program that is not there", { programs: programs(false, true) }, ["fail verifier_missing"], CUSTOM],
    ["a script that is not there", { programs: programs(true, false) }, ["fail verifier_missing"], CUSTOM],
    ["no missing status", {}, ["warn absence_unprovable"], { ...READBACK, missing_statuses: undefined }],
    [
      "absence that is not allowed",
      {},
      ["warn absence_not_allowed"],
      READBACK,
      { allowed_failure_reasons: ["field_mismatch"] },
    ],
    ["attempts that do not fit", {}, ["warn attempts_do_not_fit"], { ...READBACK, interval_ms: 800 }],
    [
      "a search that is not complete",
      {},
      ["warn absence_unprovable"],
      {
        ...READBACK,
        url_template: "https://api.example.invalid/issues",
        find: { in: "items", where: { id: { field: "id" } } },
      },
    ],
    ["a driver that is missing", { missingDrivers: ["pg is missing"] }, ["fail driver_missing"]],
    ["a file that others may change", { looseFiles: ["/contract.json: x"] }, ["warn file_not_ours_alone"]],
    [
      "a file that others may change, in enforce",
      { looseFiles: ["/contract.json: x"], mode: "enforce" },
      ["fail file_not_ours_alone", "warn enforce"],
    ],
    ["a credential whose file is missing", { secretProblems: ["x"] }, ["fail secret_unreadable"]],
    ["a credential that is not set", { set: new Set() }, ["fail credential_unset"]],
    [
      "a credential seen elsewhere",
      { leaks: [{ name: "READER_TOKEN", seenAs: "GH_TOKEN" }] },
      ["warn credential_seen"],
    ],
    ["a server that does not start", { server: { type: "not_started", code: "ENOENT" } }, ["fail server_not_started"]],
    [
      "no session",
      { server: { type: "no_session", reason: "handshake_timeout", noise: 0 } },
      ["fail handshake_timeout"],
    ],
    ["noise", { server: { ...session, noise: 2, tools: [tool("create_issue")] } }, ["warn stdout_noise"]],
    ["a tool that is not there", { server: { ...session, tools: [tool("create_isue")] } }, ["fail tool_not_listed"]],
    ["a client that starts it without a guard", { bypasses: ["Cursor"] }, ["warn guard_bypassed"]],
    ["enforce", { mode: "enforce" }, ["warn enforce"]],
    ["no approval", { approval: { problem: "nobody", refuse: false } }, ["warn not_approved"]],
    ["no approval where one is asked for", { approval: { problem: "nobody", refuse: true } }, ["fail not_approved"]],
    ["no log", { log: { path: undefined, problem: undefined, exists: false, history: undefined } }, ["warn no_log"]],
    [
      "a log that cannot be",
      { log: { path: "d", problem: "it is a directory", exists: false, history: undefined } },
      ["fail log_unusable"],
    ],
    ["paths that never matched", { log: history(["required_field_missing", 3]) }, ["warn never_matched"]],
    ["ids that were never found", { log: history(["success_without_record_id", 9]) }, ["warn never_matched"]],
    ["too few calls to tell", { log: history(["required_field_missing", 2]) }, []],
    [
      "paths that sometimes matched",
      { log: history(["required_field_missing", 9], ["postcondition_satisfied", 1]) },
      [],
    ],
  ])("%s", async (_, more, expected, readback, toolMore) => {
    expect(said(await factsOf(more, readback, toolMore))).toEqual(expected);
  });

  test("a near name is offered", async () => {
    const { findings } = checkup(await factsOf({ server: { ...session, tools: [tool("create_isue")] } }));
    expect(findings.map(({ text }) => text)).toContain(
      "create_issue is not among the server's tools; did you mean create_isue?",
    );
  });

  test("what is worth knowing is told and not counted", async () => {
    const server = {
      ...session,
      tools: [tool("create_issue", true), tool("delete_all"), tool("list", true), tool("x", false)],
    };
    const linux = { platform: "linux", environmentReadable: true, memoryReadable: false, sandbox: true };
    const about = { fourgate: "1", node: "20", ...linux, proxy: ["HTTPS_PROXY"] };
    const { findings, warnings } = checkup(await factsOf({ server, about }, { ...READBACK, timeout_ms: 5000 }));
    expect(warnings).toBe(0);
    const infos = findings.filter(({ level }) => level === "info").map(({ code }) => code);
    expect(infos).toEqual([
      "budget_cut",
      "tool_read_only",
      "tools_without_contract",
      "versions",
      "proxy",
      "environment_readable",
      "memory_readable",
      "sandbox",
    ]);
    expect(findings.find(({ code }) => code === "tools_without_contract")?.text).toMatch(/: delete_all, x$/);
  });
});

test("a contract that cannot be read: one problem, and everything after it is skipped", async () => {
  const facts = {
    ...(await factsOf()),
    contract: undefined,
    issues: ["a", "b", "c"],
    server: { type: "none" } as const,
  };
  const { findings, problems, ready } = checkup(facts);
  expect([problems, ready]).toEqual([1, false]);
  expect(findings.map(({ level }) => level)).toEqual([
    "fail",
    "skip",
    "skip",
    "skip",
    "skip",
    "info",
    "info",
    "info",
    "info",
  ]);
  expect(findings[0]?.text).toBe("a (and 2 more, which fourgate guard lists)");
});
