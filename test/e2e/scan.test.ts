// `fourgate scan` against servers that answer honestly, wrongly, late, never, or with noise: what is sent, what is proven, what is left.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CLEANUP, calls, createCase, EXTRACT, FILE_READBACK, methods, receivedIn, scan } from "./scans.ts";

const recordsIn = (folder: string) => readdirSync(folder).filter((name) => !/^(?:received|environment)\./.test(name));

describe("what is sent", () => {
  test("the handshake, all pages of the list, then each case once, in order, with its very arguments", async () => {
    const exact = { big: "NUMBER", list: [1, null, true], nested: { a: "{run_id}" } };
    const ran = await scan({ odd: ["pages"], cases: [createCase(exact), createCase({ n: 2 }), createCase({ n: 3 })] });
    expect(ran.outcomes).toEqual(Array(3).fill("create pass/postcondition_satisfied"));
    expect(ran.code).toBe(0);
    expect(methods(ran)).toEqual([
      "initialize",
      "notifications/initialized",
      ...Array(3).fill("tools/list"),
      ...Array(3).fill("tools/call"),
    ]);
    expect(ran.received[0].params).toMatchObject({ protocolVersion: "2024-11-05", capabilities: {} });
    const { run_id } = ran.report;
    expect(run_id).toMatch(/^[a-z][a-z0-9]{15}$/);
    expect(calls(ran)[0]).toEqual({
      name: "create",
      arguments: { title: `fourgate ${run_id}`, ...exact, nested: { a: run_id } },
    });
    expect(calls(ran).map((call) => call.arguments.n)).toEqual([undefined, 2, 3]);
    expect(ran.left).toEqual([]);
  });

  test("two runs never share a token", async () => {
    const [one, two] = await Promise.all([scan({}), scan({})]);
    expect(one!.report.run_id).not.toBe(two!.report.run_id);
  });

  test("--only runs one tool's cases; for a tool that no case calls nothing is started", async () => {
    const other = { ...createCase(), tool: "remove" };
    const ran = await scan({ cases: [createCase(), other], flags: ["--json", "--only", "create"] });
    expect(ran.outcomes).toEqual(["create pass/postcondition_satisfied"]);
    const none = await scan({ flags: ["--json", "--only", "creat"] });
    expect(none).toMatchObject({ code: 2, stdout: "", received: [] });
  });
});

describe("what each answer comes to", () => {
  const KINDS: [mode: string, outcome: string][] = [
    ["lie", "fail/record_missing"],
    ["no id", "unknown/success_without_record_id"],
    ["null id", "unknown/success_without_record_id"],
    ["empty id", "unknown/success_without_record_id"],
    ["error", "unknown/not_success_result"],
    ["is-error", "unknown/not_success_result"],
    ["two ids", "unknown/request_id_ambiguous"],
    ["huge", "unknown/response_too_large"],
    ["asks", "unknown/deferred"],
    ["task", "pass/postcondition_satisfied"],
    ["64 MiB of noise", "pass/postcondition_satisfied"],
    ["", "pass/postcondition_satisfied"],
  ];

  test("one scan of all that lets a scan go on", async () => {
    const ran = await scan({ cases: KINDS.map(([mode]) => createCase({ mode })), server: { call_timeout_ms: 10_000 } });
    expect(ran.outcomes).toEqual(KINDS.map(([, outcome]) => `create ${outcome}`));
    expect(ran.code).toBe(1);
    expect(calls(ran)).toHaveLength(KINDS.length);
    expect(ran.report.cases[1].evidence.readback).toEqual({ reason_code: "readback_not_run_without_record_id" });
    expect(ran.report.cases.map((one: { attempts: number }) => one.attempts)).toEqual([
      2, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1,
    ]);
    expect(ran.stdout).not.toContain("SENTINEL");
  });

  test("a wrong value is a FAIL that names the field, its values only when they are asked for", async () => {
    const cases = [createCase({ stored: { title: "another title" } })];
    const ran = await scan({ cases });
    expect(ran.outcomes).toEqual(["create fail/field_mismatch"]);
    expect(ran.report.cases[0]).toMatchObject({
      checked_fields: ["title"],
      mismatched_fields: [{ path: "title", expected: "[WITHHELD]", observed: "[WITHHELD]" }],
      place: { file: ran.file, line: 1 },
    });
    expect(ran.report.cases[0].repro_steps).toHaveLength(4);
    expect(ran.report.cases[0].repro_steps[0]).toContain("fourgate scan ");
    expect(ran.stdout).not.toContain("another title");
    const open = await scan({ cases, flags: ["--json", "--show-values"] });
    const { expected, observed } = open.report.cases[0].mismatched_fields[0];
    expect([expected, observed]).toEqual([`"fourgate ${open.report.run_id}"`, '"another title"']);
    expect(open.report.cases[0].evidence.tool_response.result.structuredContent).toEqual({ id: "R-1" });
  });

  test("a tool that the server does not list is not called, and the scan goes on", async () => {
    const cases = [{ ...createCase(), tool: "invent" }, createCase()];
    const ran = await scan({ cases, more: { write_tools: ["create", "invent"] } });
    expect(ran.outcomes).toEqual(["invent unknown/tool_not_discovered", "create pass/postcondition_satisfied"]);
    expect(calls(ran)).toHaveLength(1);
    expect(ran.code).toBe(1);
  });

  test("neither is one whose clean-up the server does not list", async () => {
    const ran = await scan({
      cases: [createCase({}, { cleanup: { tool: "erase", arguments: { id: "{id}" } } })],
      more: { write_tools: ["create", "erase"] },
    });
    expect(ran.outcomes).toEqual(["create unknown/tool_not_discovered"]);
    expect(calls(ran)).toEqual([]);
  });

  test("expect_outcome fail: a proven FAIL is as expected, a PASS is not, and doubt never is", async () => {
    const expecting = (mode: string) => createCase({ mode }, { expect_outcome: "fail" });
    const proven = await scan({ cases: [expecting("lie")] });
    expect(proven).toMatchObject({ code: 0, outcomes: ["create fail/record_missing"] });
    expect(proven.report.totals).toMatchObject({ fail: 1, as_expected: 1 });
    expect((await scan({ cases: [expecting("")] })).code).toBe(1);
    const doubt = await scan({ cases: [expecting("no id")], flags: ["--json", "--unknown-exit-code", "7"] });
    expect(doubt.code).toBe(7);
  });
});

describe("what ends a scan", () => {
  const ENDS: [mode: string, reason: string][] = [
    ["never", "call_timeout"],
    ["broken", "bad_answer"],
    ["dies", "server_closed"],
  ];

  test.each(ENDS)("%s: nothing is written after it", async (mode, reason) => {
    const cases = [createCase(), createCase({ mode }), createCase(), createCase()];
    const ran = await scan({ cases, server: { call_timeout_ms: 300 } });
    expect(ran.outcomes).toEqual(["create pass/postcondition_satisfied", `create unknown/${reason}`]);
    expect(calls(ran)).toHaveLength(2);
    expect(ran.report).toMatchObject({
      stopped: { reason_code: reason, after_case: 2 },
      totals: { cases: 4, not_run: 2 },
    });
    expect(ran.code).toBe(1);
    expect(ran.left).toEqual([]);
  });

  test("an answer that comes late is not taken for the next one's", async () => {
    const cases = [createCase({ mode: "late", ms: 100 }), createCase()];
    expect((await scan({ cases })).outcomes).toEqual(Array(2).fill("create pass/postcondition_satisfied"));
    const ran = await scan({ cases, server: { call_timeout_ms: 50 } });
    expect(ran.outcomes).toEqual(["create unknown/call_timeout"]);
  });

  test.each<[string, string[], string]>([
    ["no answer to the handshake", ["no-handshake"], "handshake_timeout"],
    ["a refusal", ["refuses"], "handshake_refused"],
    ["a server that ends at once", ["early-exit"], "server_closed"],
  ])("%s: one row before the cases, and no call", async (_, odd, reason) => {
    const ran = await scan({ odd, server: { start_timeout_ms: 1500 } });
    expect(ran.outcomes).toEqual([`null unknown/${reason}`]);
    expect(ran.report.totals).toMatchObject({ cases: 1, not_run: 1, unknown: 1 });
    expect(calls(ran)).toEqual([]);
    expect(ran).toMatchObject({ code: 1, left: [] });
    if (odd[0] === "early-exit") {
      // What a server says there may hold what it was given: its end is shown when values are asked for, without secrets.
      expect(ran.stderr).toContain("fourgate scan: server: its stderr ended with 1 line; --show-values shows");
      expect(ran.stderr).not.toContain("cannot start");
    }
  });

  test("a program that is not there", async () => {
    const ran = await scan({ server: { command: ["./no-such-server"] } });
    expect(ran.outcomes).toEqual(["null unknown/server_not_started"]);
    expect(ran.code).toBe(1);
  });

  test("a list without the tools: nothing verified is never 0", async () => {
    const ran = await scan({ odd: ["no-tools"], flags: [] });
    expect(ran.code).toBe(1);
    expect(ran.stdout.trimEnd().split("\n").at(-1)).toContain("0 verified");
  });
});

test("noise on stdout, server requests, answers to other ids and duplicates change nothing", async () => {
  const ran = await scan({ odd: ["noise"], cases: [createCase(), createCase({ mode: "lie" }), createCase()] });
  expect(ran.outcomes).toEqual([
    "create pass/postcondition_satisfied",
    "create fail/record_missing",
    "create pass/postcondition_satisfied",
  ]);
  const answers = ran.received.filter(({ method }) => method === undefined);
  expect(answers).toHaveLength(6);
  expect(answers[0].result).toEqual({});
  expect(answers[1]).toMatchObject({ id: "mine", error: { code: -32601 } });
});

describe("revision 2026-07-28", () => {
  test.each<[string, string[], string]>([
    ["a server that refuses initialize", ["modern-only"], "2025-11-25"],
    ["a file that says so", ["modern"], "2026-07-28"],
  ])("%s is spoken to without a handshake, in the same process", async (_, odd, protocol_version) => {
    const ran = await scan({ odd, cases: [createCase(), createCase({ mode: "task" })], server: { protocol_version } });
    expect(ran.outcomes).toEqual(Array(2).fill("create pass/postcondition_satisfied"));
    expect(ran.report.server).toEqual({ name: "scanned", version: "1", protocol_version: "2026-07-28" });
    const asked = ran.received.filter(({ method }) => !/^initialize/.test(method));
    expect(asked[0].method).toBe("server/discover");
    for (const { params } of asked) {
      expect(params._meta).toMatchObject({ "io.modelcontextprotocol/protocolVersion": "2026-07-28" });
    }
  });

  test("a server that ends after it has refused initialize is started once more, and called in that process alone", async () => {
    const ran = await scan({ odd: ["modern-only", "once"], server: { protocol_version: "2025-11-25" } });
    expect(ran.outcomes).toEqual(["create pass/postcondition_satisfied"]);
    expect(ran.report.server.protocol_version).toBe("2026-07-28");
    expect(methods(ran)).toEqual(["initialize", "server/discover", "tools/list", "tools/call"]);
  });

  test("asked of a server that does not know it", async () => {
    const ran = await scan({ server: { protocol_version: "2026-07-28" } });
    expect(ran.outcomes).toEqual(["null unknown/handshake_refused"]);
  });
});

describe("clean-up", () => {
  const HANGS = { tool: "remove", arguments: { id: "{id}", removal: "never" } };
  const REFUSED = { cleanup: { tool: "remove", arguments: { id: "{id}", removal: "refuse" } } };
  const counted = {
    outcome_contract: { extract: { ...EXTRACT, n: { source: "arguments", path: "n" } }, record_id_field: "id" },
    readback: { ...FILE_READBACK, expected_fields: { title: "title", n: "n" } },
    ...CLEANUP,
  };

  test("after PASS and FAIL; what was proven missing is not needed; the records are gone", async () => {
    const cases = [
      createCase({}, CLEANUP),
      createCase({ n: 1, stored: { n: 2 } }, counted),
      createCase({ mode: "lie", removal: "refuse" }, REFUSED),
    ];
    const ran = await scan({ cases });
    expect(ran.report.cases.map(({ cleanup }: { cleanup: { status: string } }) => cleanup.status)).toEqual([
      "done",
      "done",
      "not_needed",
    ]);
    expect(ran.report.leftovers).toEqual([]);
    expect(recordsIn(ran.folder)).toEqual([]);
    expect(calls(ran).map(({ name }) => name)).toEqual(["create", "remove", "create", "remove", "create", "remove"]);
  });

  test("one that is refused, that needs what is not known, or whose record is older, leaves the record and says so", async () => {
    const cases = [
      createCase({ removal: "refuse" }, REFUSED),
      ...["no id", "null id", "empty id"].map((mode) => createCase({ mode }, CLEANUP)),
      createCase({ mode: "says", says: "older", key: "older" }, CLEANUP),
    ];
    const ran = await scan({ cases });
    expect(ran.report.cases.map(({ cleanup }: { cleanup: object }) => cleanup)).toEqual([
      { status: "failed", reason_code: "not_success_result" },
      ...Array(3).fill({ status: "failed", reason_code: "id_unknown" }),
      { status: "failed", reason_code: "not_created_by_this_run" },
    ]);
    expect(ran.report.leftovers).toEqual([
      { tool: "create", case: 1, id: "R-1" },
      ...[2, 3, 4].map((index) => ({ tool: "create", case: index, id: ran.report.run_id })),
      { tool: "create", case: 5, id: "older" },
    ]);
    expect(recordsIn(ran.folder)).toContain("older.json");
  });

  const hex = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("hex");

  test.each([
    ["other case", { about: "OLDER" }, "older"],
    ["part of a path", { about: "issues/older" }, "older"],
    ["after a sign", { about: "#42" }, "42"],
    ["as a number of that value", { number: 42 }, "042"],
    ["as a key", { labels: { older: true } }, "older"],
    ["as the end of an address", { issue: 42 }, "https://example.com/issues/42"],
  ])("an id that the call had named, %s, is left alone", async (_how, more, says) => {
    const ran = await scan({ cases: [createCase({ mode: "says hex", hex: hex(says), ...more }, CLEANUP)] });
    expect(ran.report.cases[0].cleanup).toEqual({ status: "failed", reason_code: "not_created_by_this_run" });
    expect(calls(ran).map(({ name }) => name)).toEqual(["create"]);
  });

  test.each([
    [{ $ne: null }],
    [["a", "b"]],
    [true],
    ["*"],
    ["  "],
    ["."],
    ["../x"],
    ["a%2Fb"],
    ["R-1,old"],
    ["x".repeat(600)],
  ])("the id %j goes into no call that removes", async (says) => {
    const ran = await scan({ cases: [createCase({ mode: "says hex", hex: hex(says) }, CLEANUP)] });
    expect(ran.report.cases[0].cleanup).toEqual({ status: "failed", reason_code: "id_unusable" });
    expect(ran.report.leftovers).toHaveLength(1);
    expect(calls(ran).map(({ name }) => name)).toEqual(["create"]);
  });

  const named = (mode: string) =>
    createCase(
      { key: "k-{run_id}", mode },
      {
        outcome_contract: { extract: { ...EXTRACT, key: { source: "arguments", path: "key" } }, record_id_field: "id" },
        cleanup: { tool: "remove", arguments: { id: "{key}" } },
      },
    );

  test("a record that has another value where the run's token was expected is left alone", async () => {
    const ran = await scan({ cases: [createCase({ stored: { title: "x" } }, CLEANUP)] });
    expect(ran.outcomes).toEqual(["create fail/field_mismatch"]);
    expect(ran.report.cases[0].cleanup).toEqual({ status: "failed", reason_code: "not_created_by_this_run" });
    expect(ran.report.leftovers).toEqual([{ tool: "create", case: 1, id: "R-1" }]);
    expect(calls(ran).map(({ name }) => name)).toEqual(["create"]);
  });

  test("a verifier's FAIL that may mean the field with the token leaves the record alone, one that means another does not", async () => {
    const saying = (...mismatched_fields: string[]) => {
      const said = JSON.stringify({ status: "fail", reason_code: "field_mismatch", evidence: { mismatched_fields } });
      const verifier = { command: ["sh", "-c", `cat >/dev/null; echo '${said}'`], timeout_ms: 2000 };
      const { extract, record_id_field } = counted.outcome_contract;
      const outcome_contract = { extract, record_id_field, verifier, allowed_failure_reasons: ["field_mismatch"] };
      return createCase({ n: 1 }, { ...CLEANUP, outcome_contract, readback: undefined });
    };
    const ran = await scan({ cases: [saying("ticket.title"), saying(), saying("n", "title"), saying("n")] });
    expect(ran.outcomes).toEqual(Array(4).fill("create fail/field_mismatch"));
    const reasons = ran.report.cases.map(({ cleanup }: { cleanup: { reason_code: string } }) => cleanup.reason_code);
    expect(reasons).toEqual([...Array(3).fill("not_created_by_this_run"), "reported_done"]);
  });

  test("after a call that was refused: what needs no id is called, what needs one is listed", async () => {
    const ran = await scan({ cases: [named("is-error"), createCase({ mode: "error" }, CLEANUP)] });
    expect(ran.report.cases.map(({ cleanup }: { cleanup: object }) => cleanup)).toEqual([
      { status: "done", reason_code: "reported_done" },
      { status: "failed", reason_code: "id_unknown" },
    ]);
    expect(ran.report.leftovers).toEqual([{ tool: "create", case: 2, id: ran.report.run_id }]);
  });

  /** Sends the scan signals once the server was sent so many messages of a method. */
  const signalled = (method: string, many: number, ...signals: NodeJS.Signals[]) => ({
    async meanwhile({ pid, folder }: { pid: number; folder: string }) {
      const enough = () => receivedIn(folder).filter((one) => one.method === method).length >= many;
      while (!enough()) await new Promise((look) => setTimeout(look, 20));
      for (const signal of signals) process.kill(pid, signal);
    },
  });
  const PROVEN = {
    contract_version: 1,
    tools: {
      remove: {
        extract: { id: { source: "arguments", path: "id" } },
        readback: {
          type: "file",
          root: { env: "SCAN_ROOT" },
          path_template: "{id}.json",
          expect: "absent",
          attempts: 1,
        },
        allowed_failure_reasons: ["record_present"],
      },
    },
  };

  test.each<[what: string, mode: object, more: object, waits: string, done: string]>([
    ["the call under way", { mode: "late", ms: 1000 }, {}, "tools/call", "reported_done"],
    [
      "the call under way, whose removal is proven,",
      { mode: "late", ms: 1000 },
      { files: { "contract.json": PROVEN }, more: { contracts: "contract.json" } },
      "tools/call",
      "postcondition_satisfied",
    ],
    ["a task", { mode: "task" }, { odd: ["slow-tasks"] }, "tasks/result", "reported_done"],
  ])("SIGTERM: %s is heard out, and what it made is removed", async (_what, mode, more, waits, reason_code) => {
    const cases = [createCase(mode, CLEANUP), createCase()];
    const ran = await scan({ ...more, cases, ...signalled(waits, 1, "SIGTERM") });
    expect(ran.code).toBe(143);
    expect(ran.report.cases[0].cleanup).toEqual({ status: "done", reason_code });
    expect(methods(ran)).not.toContain("notifications/cancelled");
    expect(calls(ran).map(({ name }) => name)).toEqual(["create", "remove"]);
    expect(recordsIn(ran.folder)).toEqual([]);
  });

  test.each<[signals: NodeJS.Signals[], codes: number[], atLeast: number, atMost: number]>([
    [["SIGTERM"], [143], 4500, 8000],
    // Two of one kind that wait are one, and of two kinds either may come first.
    [["SIGINT", "SIGTERM"], [130, 143], 0, 4500],
  ])("%j in a clean-up that hangs: the record is listed in time", async (signals, codes, atLeast, atMost) => {
    const ran = await scan({
      cases: [createCase({ removal: "never" }, { cleanup: HANGS }), createCase()],
      server: { call_timeout_ms: 10_000 },
      odd: ["stays", "child"],
      ...signalled("tools/call", 2, ...signals),
    });
    expect(codes).toContain(ran.code);
    expect(ran.report.cases[0].cleanup.status).toBe("failed");
    expect(ran.report.leftovers).toEqual([{ tool: "create", case: 1, id: "R-1" }]);
    expect(calls(ran)).toHaveLength(2);
    expect(ran.left).toEqual([]);
    expect(ran.ms).toBeGreaterThan(atLeast);
    expect(ran.ms).toBeLessThan(atMost);
  });

  test("after a call that timed out, when its record has a name of this run; it may still come, so it is listed", async () => {
    const ran = await scan({ cases: [named("never"), createCase()], server: { call_timeout_ms: 300 } });
    expect(ran.outcomes).toEqual(["create unknown/call_timeout"]);
    expect(ran.report.cases[0].cleanup).toEqual({ status: "done", reason_code: "reported_done" });
    expect(ran.report.leftovers).toEqual([{ tool: "create", case: 1, id: `k-${ran.report.run_id}` }]);
    expect(recordsIn(ran.folder)).toEqual([]);
  });

  test("one that hangs has its own time limit, and nothing is written after it", async () => {
    const ran = await scan({
      cases: [createCase({ removal: "never" }, { cleanup: HANGS }), createCase()],
      server: { call_timeout_ms: 300 },
    });
    expect(ran.outcomes).toEqual(["create pass/postcondition_satisfied"]);
    expect(ran.report.cases[0].cleanup).toEqual({ status: "failed", reason_code: "call_timeout" });
    expect(ran.report.leftovers).toHaveLength(1);
    expect(calls(ran).map(({ name }) => name)).toEqual(["create", "remove"]);
    expect(ran.report).toMatchObject({
      stopped: { reason_code: "call_timeout", after_case: 1 },
      totals: { not_run: 1 },
    });
    expect(ran.code).toBe(1);
  });

  test("with a contract of its own it is proven: a removal that did not happen is a leftover", async () => {
    const files = { "contract.json": PROVEN };
    const cleanup = { cleanup: { tool: "remove", arguments: { id: "{id}", removal: "lie" } } };
    const cases = [createCase({}, CLEANUP), createCase({ removal: "lie" }, cleanup)];
    const ran = await scan({ cases, files, more: { contracts: "contract.json" } });
    expect(ran.report.cases.map((one: { cleanup: object }) => one.cleanup)).toEqual([
      { status: "done", reason_code: "postcondition_satisfied" },
      { status: "failed", reason_code: "record_present" },
    ]);
    expect(ran.report.leftovers).toEqual([{ tool: "create", case: 2, id: "R-2" }]);
  });

  test.each(["SIGTERM", "SIGINT"] as const)(
    "%s in a call: its clean-up runs, nothing else is called, nothing stays",
    async (signal) => {
      const ran = await scan({
        cases: [createCase({}, CLEANUP), named("never"), createCase()],
        server: { call_timeout_ms: 10_000 },
        odd: ["stays", "child"],
        async meanwhile({ pid, folder }) {
          while (calls({ received: receivedIn(folder) }).length < 3) await new Promise((look) => setTimeout(look, 20));
          process.kill(pid, signal);
        },
      });
      expect(ran.outcomes).toEqual(["create pass/postcondition_satisfied", "create unknown/session_ended"]);
      expect(ran.code).toBe(signal === "SIGTERM" ? 143 : 130);
      expect(calls(ran).map(({ name }) => name)).toEqual(["create", "remove", "create", "remove"]);
      expect(ran.report.stopped).toEqual({ reason_code: "session_ended", after_case: 2 });
      expect(recordsIn(ran.folder)).toEqual([]);
      expect(ran.left).toEqual([]);
    },
  );
});

describe("contracts in a file of their own", () => {
  const contract = {
    contract_version: 1,
    tools: {
      create: {
        extract: EXTRACT,
        record_id_field: "id",
        readback: FILE_READBACK,
        allowed_failure_reasons: ["record_missing"],
      },
    },
  };
  const cases = ["", "lie"].map((mode) => ({ tool: "create", arguments: { title: "t", mode } }));

  test("check the cases that have none", async () => {
    const ran = await scan({ cases, files: { "contract.json": contract }, more: { contracts: "contract.json" } });
    expect(ran.outcomes).toEqual(["create pass/postcondition_satisfied", "create fail/record_missing"]);
  });

  test("within the guard's time: what guard would not see in time, a scan does not see either", async () => {
    const slow = { ...FILE_READBACK, settle_ms: 1800, attempts: 2, timeout_ms: 5000 };
    const tools = { create: { ...contract.tools.create, readback: slow } };
    const files = { "contract.json": { ...contract, tools } };
    const ran = await scan({ cases: [cases[1]!], files, more: { contracts: "contract.json" } });
    expect(ran.outcomes).toEqual(["create unknown/not_settled"]);
    const own = await scan({ cases: [createCase({ mode: "lie" }, { readback: slow })] });
    expect(own.outcomes).toEqual(["create fail/record_missing"]);
  });
});

describe("credentials", () => {
  const read = (more: object) => ({
    readback: {
      type: "http",
      url_template: "http://127.0.0.1:9/{id}",
      token_env: "READ_TOKEN",
      expected_fields: { title: "title" },
      attempts: 1,
      ...more,
    },
  });
  const auth = { auth: { scheme: "basic", username_env: "READ_USER" } };
  const verifier = {
    outcome_contract: {
      extract: EXTRACT,
      verifier: { command: ["true"], timeout_ms: 500, secret_env: ["CASE_SECRET"] },
      allowed_failure_reasons: ["x"],
    },
    readback: undefined,
  };

  test("the server sees none of a check's, whichever case names it", async () => {
    const env = {
      READ_TOKEN: "token-123456",
      READ_USER: "user-1",
      CASE_SECRET: "secret-12345",
      WRITE_TOKEN: "write-12345",
    };
    const ran = await scan({ cases: [createCase({}, read(auth)), createCase({}, verifier)], env });
    expect(ran.outcomes).toEqual(["create unknown/readback_error", "create unknown/verifier_malformed"]);
    const seen = JSON.parse(readFileSync(join(ran.folder, "environment.json"), "utf8"));
    for (const name of ["READ_TOKEN", "READ_USER", "CASE_SECRET"]) expect(seen).not.toHaveProperty(name);
    expect(seen).toMatchObject({ WRITE_TOKEN: "write-12345", PATH: process.env.PATH });
    const bounded = await scan({ cases: [createCase()], env, server: { env: ["WRITE_TOKEN"] } });
    const few = JSON.parse(readFileSync(join(bounded.folder, "environment.json"), "utf8"));
    expect(few).toHaveProperty("WRITE_TOKEN");
    expect(few).not.toHaveProperty("SCAN_ROOT");
    expect(bounded.code).toBe(0);
  });

  test.each<[string, object, Record<string, string>]>([
    ["a token that is not set", read({}), {}],
    ["an empty token", read({}), { READ_TOKEN: "" }],
    ["a user name that is not set", read(auth), { READ_TOKEN: "token-123456" }],
    ["a user name with a colon", read(auth), { READ_TOKEN: "token-123456", READ_USER: "a:b" }],
    ["a verifier's secret", verifier, {}],
  ])("%s: no write, no read", async (_, more, env) => {
    const ran = await scan({ cases: [createCase({}, more), createCase()], env });
    expect(ran.outcomes).toEqual(["create unknown/credential_missing", "create pass/postcondition_satisfied"]);
    expect(ran.report.cases[0].attempts).toBe(0);
    expect(calls(ran)).toHaveLength(1);
  });
});

describe("nothing stays", () => {
  test("of a server that does not end, nor of what it started", async () => {
    const ran = await scan({ odd: ["stays", "child"] });
    expect(ran).toMatchObject({ code: 0, left: [] });
    expect(existsSync(join(ran.folder, "R-1.json"))).toBe(true);
  });
});
