// `fourgate scan` against published servers with the ready contracts, honest and with their writes undone, and against servers of both SDKs.

import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { startRedis } from "../fixtures/redis.ts";
import { fixture, node, scratch } from "./harness.ts";
import { published } from "./published.ts";
import { type Scanned, scanFile } from "./scans.ts";
import { EVERYTHING } from "./sdk.ts";

/** A folder in which `npx` starts these servers, and not what a registry has. */
function npxThatStarts(command: string): string {
  const folder = scratch();
  writeFileSync(join(folder, "npx"), `#!/bin/sh\nshift 2\nexec ${command} "$@"\n`);
  chmodSync(join(folder, "npx"), 0o755);
  return `${folder}:${process.env.PATH}`;
}

const statuses = ({ report }: Scanned) => report.cases.map((one: { status: string }) => one.status);

describe("a ready scan file, as it is shipped", () => {
  test("filesystem: honest writes pass, undone ones fail", async () => {
    const file = resolve("contracts/filesystem/scan.jsonc");
    const server = `"${node}" "${published("server-filesystem")}"`;
    const root = scratch();
    const honest = await scanFile(file, "throw-away-folder", { PATH: npxThatStarts(server), FILESYSTEM_ROOTS: root });
    expect(statuses(honest)).toEqual(["pass", "pass", "pass", "pass"]);
    expect(honest.code).toBe(0);
    expect(existsSync(join(root, `fourgate-${honest.report.run_id}`, "inner", "moved.txt"))).toBe(true);
    const undone = scratch();
    const undoing = `"${node}" "${fixture("undoing.mjs")}" "${undone}" ${server}`;
    const lying = await scanFile(file, "throw-away-folder", { PATH: npxThatStarts(undoing), FILESYSTEM_ROOTS: undone });
    expect(statuses(lying)[0]).toBe("fail");
    expect(statuses(lying)).not.toContain("pass");
    expect(lying.code).toBe(1);
    expect([...honest.left, ...lying.left]).toEqual([]);
  });

  test("memory: honest writes pass and are proven to be gone, undone ones fail", async () => {
    const file = resolve("contracts/memory/scan.jsonc");
    const server = `"${node}" "${published("server-memory")}"`;
    const memory = join(scratch(), "memory.jsonl");
    const honest = await scanFile(file, "throw-away-memory", { PATH: npxThatStarts(server), MEMORY_FILE_PATH: memory });
    expect(statuses(honest)).toEqual(["pass", "pass", "pass", "pass", "pass"]);
    expect(honest.report.cases[0].cleanup).toEqual({ status: "done", reason_code: "postcondition_satisfied" });
    expect(readFileSync(memory, "utf8")).not.toContain(honest.report.run_id);
    const undone = join(scratch(), "memory.jsonl");
    writeFileSync(undone, "");
    const undoing = `"${node}" "${fixture("undoing.mjs")}" "${undone}" ${server}`;
    const lying = await scanFile(file, "throw-away-memory", { PATH: npxThatStarts(undoing), MEMORY_FILE_PATH: undone });
    expect(statuses(lying).slice(0, 2)).toEqual(["fail", "fail"]);
    expect(lying.report.leftovers).toEqual([]);
    expect(lying.code).toBe(1);
  });
});

interface Case {
  readonly tool: string;
  readonly arguments: object;
  readonly expect_outcome?: string;
  readonly cleanup?: { readonly tool: string; readonly arguments: object };
}

/** A scan file in a folder of its own that uses a ready contract. */
function fileFor(contract: string, server: object, cases: readonly Case[]): string {
  const file = join(scratch(), "scan.json");
  const tools = cases.flatMap(({ tool, cleanup }) => (cleanup ? [tool, cleanup.tool] : [tool]));
  const contracts = { contracts: resolve("contracts", contract, "contract.jsonc") };
  const content = { scan_version: 1, server, ...contracts, write_tools: [...new Set(tools)], cases };
  writeFileSync(file, JSON.stringify({ ...content, server: { test_account: "t", ...server } }));
  return file;
}

test("mcp-sqlite: a row, an update of no row that the server calls a success, and a clean-up by the answer's id", async () => {
  const folder = scratch();
  const path = join(folder, "data.db");
  const database = new Database(path);
  database.exec("CREATE TABLE orders (id INTEGER PRIMARY KEY, state TEXT)");
  const command = ["{node}", resolve("node_modules/mcp-sqlite/mcp-sqlite-server.js"), path];
  const cleanup = { tool: "delete_records", arguments: { table: "orders", conditions: { id: "{id}" } } };
  const update = { table: "orders", data: { state: "void" }, conditions: { state: "none {run_id}" } };
  const file = fileFor("sqlite", { command }, [
    { tool: "create_record", arguments: { table: "orders", data: { state: "open {run_id}" } }, cleanup },
    { tool: "update_records", arguments: update, expect_outcome: "fail" },
  ]);
  const ran = await scanFile(file, "t", { SQLITE_DATABASE: path });
  expect(ran.outcomes).toEqual(["create_record pass/postcondition_satisfied", "update_records fail/record_missing"]);
  expect(ran.report.cases[0].cleanup).toEqual({ status: "done", reason_code: "postcondition_satisfied" });
  expect(database.prepare("SELECT count(*) AS n FROM orders").get()).toEqual({ n: 0 });
  database.close();
  expect(ran.code).toBe(0);
});

test("server-redis: a key of this run, and its removal", async () => {
  const redis = await startRedis();
  try {
    const command = ["{node}", published("server-redis"), redis.url];
    const cleanup = { tool: "delete", arguments: { key: "{id}" } };
    const args = { key: "fourgate:{run_id}", value: "SENTINEL" };
    const file = fileFor("redis", { command }, [{ tool: "set", arguments: args, cleanup }] as Parameters<
      typeof fileFor
    >[2]);
    const ran = await scanFile(file, "t", { REDIS_READ_URL: redis.readUrl });
    expect(ran.outcomes).toEqual(["set pass/postcondition_satisfied"]);
    expect(ran.report.cases[0].cleanup).toEqual({ status: "done", reason_code: "postcondition_satisfied" });
    expect(redis.run("DBSIZE")).toMatch(/0/);
    expect(ran).toMatchObject({ code: 0, left: [] });
  } finally {
    redis.stop();
  }
});

/** A case whose answer's first text must be this; a verifier is a program like any other. */
const saying = (tool: string, args: object, wanted: string, more: object = {}) => ({
  tool,
  arguments: args,
  outcome_contract: {
    extract: { text: { source: "result", path: "result.content.0.text" } },
    verifier: {
      command: [
        "{node}",
        "-e",
        `process.stdin.on("data", (t) => console.log(JSON.stringify(new RegExp(${JSON.stringify(wanted)}).test(JSON.parse(t).text) ? { status: "pass" } : { status: "fail", reason_code: "other_text" })))`,
      ],
      timeout_ms: 2000,
    },
    allowed_failure_reasons: ["other_text"],
  },
  ...more,
});

function plainFile(server: object, cases: readonly { tool: string }[]): string {
  const folder = join(scratch(), "scan");
  mkdirSync(folder);
  const tools = [...new Set(cases.map(({ tool }) => tool))];
  const content = { scan_version: 1, server: { test_account: "t", ...server }, write_tools: tools, cases };
  writeFileSync(join(folder, "scan.json"), JSON.stringify(content));
  return join(folder, "scan.json");
}

test("server-everything, with its progress, logs and odd answers", async () => {
  const server = { command: ["{node}", EVERYTHING, "stdio"], protocol_version: "2025-11-25" };
  const file = plainFile(server, [
    saying("echo", { message: "tea {run_id}" }, "^Echo: tea fg"),
    saying("trigger-long-running-operation", { duration: 0.4, steps: 4 }, "completed"),
    saying("get-annotated-message", { messageType: "error", includeImage: true }, "^Success", {
      expect_outcome: "fail",
    }),
    saying("echo", {}, "."),
    saying("get-structured-content", { location: "Chicago" }, "temperature"),
  ]);
  const ran = await scanFile(file, "t", {});
  expect(ran.outcomes).toEqual([
    "echo pass/postcondition_satisfied",
    "trigger-long-running-operation pass/postcondition_satisfied",
    "get-annotated-message fail/other_text",
    "echo unknown/not_success_result",
    "get-structured-content pass/postcondition_satisfied",
  ]);
  expect(ran.report.server.name).toMatch(/everything/i);
  expect(ran).toMatchObject({ code: 1, left: [] });
});

test("a server of SDK 2 that speaks 2026-07-28 only", async () => {
  const server = { command: ["{node}", resolve("test/fixtures/conformance/server.mjs"), "modern"] };
  const file = plainFile(server, [
    saying("test_simple_text", {}, "simple text"),
    saying("test_input_required_result_elicitation", {}, "."),
  ]);
  const ran = await scanFile(file, "t", {});
  expect(ran.outcomes).toEqual([
    "test_simple_text pass/postcondition_satisfied",
    // It asks only clients that say that they can be asked.
    "test_input_required_result_elicitation unknown/not_success_result",
  ]);
  expect(ran.report.server).toEqual({ name: "conformance", version: "1.0.0", protocol_version: "2026-07-28" });
});

test("the bundled ticket server: healthy passes, lying fails", async () => {
  const scanned = (variant: string) => {
    const store = scratch();
    const server = {
      command: ["{node}", resolve("examples/servers/tickets/server.mjs"), variant],
      env: ["TICKET_STORE"],
    };
    const find = { in: "$", where: { ticket_id: "id" }, complete: true };
    const ticket = {
      tool: "create_ticket",
      arguments: { title: "Fix the door {run_id}" },
      outcome_contract: {
        extract: {
          id: { source: "result", path: "result.structuredContent.ticket_id" },
          title: { source: "arguments", path: "title" },
        },
        record_id_field: "id",
        readback: {
          type: "file",
          root: { env: "TICKETS" },
          path_template: "tickets.jsonl",
          format: "json_lines",
          find,
          expected_fields: { title: "title" },
        },
      },
    };
    writeFileSync(join(store, "tickets.jsonl"), "");
    return scanFile(plainFile(server, [ticket]), "t", { TICKETS: store, TICKET_STORE: join(store, "tickets.jsonl") });
  };
  const [healthy, lying] = await Promise.all([scanned("healthy"), scanned("lying")]);
  expect(healthy).toMatchObject({ code: 0, outcomes: ["create_ticket pass/postcondition_satisfied"], left: [] });
  expect(lying).toMatchObject({ code: 1, outcomes: ["create_ticket fail/record_missing"], left: [] });
});
