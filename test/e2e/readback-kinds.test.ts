// Read-backs of files, databases and MCP servers in a contract, through the built program: PASS, FAIL and each kind of doubt.

import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Postgres, startPostgres } from "../fixtures/postgres.ts";
import { startRedis } from "../fixtures/redis.ts";
import { fixture, type Guard, guard, MAIN, node, scratch } from "./harness.ts";
import { published } from "./published.ts";

interface Tool {
  readonly readback: object;
  readonly extract?: object;
  readonly tool?: string;
  readonly reasons?: readonly string[];
  readonly env?: Record<string, string>;
  readonly server?: readonly string[];
}

/** A guard in enforce mode before a server, with one tool that is read back. */
function start({ readback, extract, tool = "create", reasons, env = {}, server }: Tool): Guard {
  const absent = (readback as { expect?: string }).expect === "absent";
  const contract = {
    contract_version: 1,
    tools: {
      [tool]: {
        extract: extract ?? {
          id: { source: "arguments", path: "id" },
          title: { source: "arguments", path: "title" },
        },
        readback: { interval_ms: 20, ...readback },
        allowed_failure_reasons: reasons ?? (absent ? ["record_present"] : ["record_missing", "field_mismatch"]),
      },
    },
  };
  const flags = ["--mode", "enforce", "--server", "srv"];
  return guard({ contract, env, flags, ...(server && { server }) }).read();
}

/**
 * Makes the call and gives `status/reason` of its record; a FAIL has a verdict, and nothing else has. With `patient` the call is made
 * again while what reads is still starting.
 */
async function outcome(session: Guard, args: object, tool = "create", patient = false): Promise<string> {
  let answer: { id?: unknown; result: { content: unknown } };
  for (let id = 7; ; id++) {
    session.call(id, tool, args);
    do answer = await session.message();
    while (answer.id !== id);
    await session.until(() => session.records().length > id - 7);
    if (!patient || session.records().at(-1)!.reason_code !== "readback_timeout") break;
  }
  expect(await session.end()).toBe(0);
  const record = session.records().at(-1);
  const said = JSON.stringify(answer.result.content);
  if (record!.status === "fail") expect(said).toContain("[FOURGATE]");
  else expect(said).not.toContain("[FOURGATE]");
  expect(session.stderr + readFileSync(session.logFile, "utf8")).not.toContain("SENTINEL");
  // Whatever the reader started is gone with it.
  while (session.left().length > 0) await pause(20);
  return `${record!.status}/${record!.reason_code}`;
}

const asked = { id: 7, title: "t-SENTINEL" };

describe("a file", () => {
  const readback = {
    type: "file",
    root: { env: "NOTES" },
    path_template: "{id}.md",
    expected_fields: { text: "title" },
  };

  test.each<[string, (notes: string) => void, string]>([
    [
      "as it was asked for is PASS",
      (notes) => writeFileSync(join(notes, "7.md"), asked.title),
      "pass/postcondition_satisfied",
    ],
    ["with another text is FAIL", (notes) => writeFileSync(join(notes, "7.md"), "other"), "fail/field_mismatch"],
    ["that is not there is FAIL", () => {}, "fail/record_missing"],
    ["that is a folder is UNKNOWN", (notes) => mkdirSync(join(notes, "7.md")), "unknown/readback_unconfirmed"],
  ])("%s", async (_, make, expected) => {
    const notes = scratch();
    make(notes);
    expect(await outcome(start({ readback, env: { NOTES: notes } }), asked)).toBe(expected);
  });

  test("below a root that is not set is UNKNOWN", async () => {
    const session = start({ readback });
    expect(await outcome(session, asked)).toBe("unknown/readback_error");
    expect(session.stderr).toContain("WARNING: NOTES is not set");
  });

  test("may lie below the contract's own folder, and a path out of it is never read", async () => {
    const here = { ...readback, root: ".", path_template: "{+title}", expected_fields: undefined };
    expect(await outcome(start({ readback: here }), { id: 7, title: "contract.json" })).toBe(
      "pass/postcondition_satisfied",
    );
    expect(await outcome(start({ readback: here }), { id: 7, title: "../SENTINEL" })).toBe(
      "unknown/readback_selector_invalid",
    );
  });
});

describe("SQLite", () => {
  const readback = {
    type: "sql",
    sqlite_file: { env: "DB" },
    select: "SELECT title FROM issues WHERE id = :id",
    expected_fields: { title: "title" },
  };

  function database(rows: string): string {
    const file = join(scratch(), "a.db");
    const db = new Database(file);
    db.exec(`CREATE TABLE issues (id INTEGER, title TEXT); ${rows}`);
    db.close();
    return file;
  }

  test.each([
    ["the row is PASS", `INSERT INTO issues VALUES (7, '${asked.title}')`, "pass/postcondition_satisfied"],
    ["another value is FAIL", "INSERT INTO issues VALUES (7, 'x')", "fail/field_mismatch"],
    ["no row is FAIL", "", "fail/record_missing"],
    ["two rows are UNKNOWN", "INSERT INTO issues VALUES (7, 'a'), (7, 'b')", "unknown/readback_unconfirmed"],
    ["no table is UNKNOWN", "DROP TABLE issues", "unknown/readback_unconfirmed"],
  ])("%s", async (_, rows, expected) => {
    expect(await outcome(start({ readback, env: { DB: database(rows) } }), asked)).toBe(expected);
  });

  test("a lock that is never released is UNKNOWN, in time", async () => {
    const file = database("");
    const other = new Database(file);
    other.exec("BEGIN EXCLUSIVE");
    const session = start({ readback: { ...readback, timeout_ms: 600 }, env: { DB: file } });
    expect(await outcome(session, asked)).toBe("unknown/readback_timeout");
    other.close();
  });
});

describe("PostgreSQL", () => {
  let server: Postgres;
  beforeAll(async () => {
    server = await startPostgres();
    await server.run("DROP TABLE IF EXISTS fourgate_issues; CREATE TABLE fourgate_issues (id bigint, title text)");
  });
  afterAll(async () => {
    await server.run("DROP TABLE fourgate_issues");
    await server.stop();
  });
  const readback = {
    type: "sql",
    dsn_env: "DSN_SENTINEL",
    select: "SELECT title FROM fourgate_issues WHERE id = :id",
    expected_fields: { title: "title" },
  };

  test.each([
    ["the row is PASS", `INSERT INTO fourgate_issues VALUES (7, '${asked.title}')`, "pass/postcondition_satisfied"],
    ["another value is FAIL", "INSERT INTO fourgate_issues VALUES (7, 'x')", "fail/field_mismatch"],
    ["no row is FAIL", "", "fail/record_missing"],
    ["two rows are UNKNOWN", "INSERT INTO fourgate_issues VALUES (7, 'a'), (7, 'b')", "unknown/readback_unconfirmed"],
  ])("%s", async (_, rows, expected) => {
    await server.run(`TRUNCATE fourgate_issues; ${rows}`);
    const session = start({ readback: { ...readback, dsn_env: "TRACKER_DSN" }, env: { TRACKER_DSN: server.dsn } });
    expect(await outcome(session, asked)).toBe(expected);
  });

  test.each([
    ["a server that is not there", "postgresql://u:SENTINEL@127.0.0.1:1/db", "unknown/readback_error"],
    ["no connection string", "SENTINEL", "unknown/readback_error"],
    ["a variable that is not set", "", "unknown/credential_missing"],
  ])("%s is UNKNOWN", async (_, dsn, expected) => {
    const session = start({ readback: { ...readback, dsn_env: "TRACKER_DSN" }, env: { TRACKER_DSN: dsn } });
    expect(await outcome(session, asked)).toBe(expected);
  });

  test("the connection string is kept from the server without being listed", async () => {
    const session = start({
      readback: { ...readback, dsn_env: "TRACKER_DSN" },
      env: { TRACKER_DSN: server.dsn },
      server: [node, fixture("prints-environment.mjs")],
    });
    session.call(7, "create", asked);
    const answer = await session.message();
    expect(answer.result.structuredContent.env).toMatchObject({ FOURGATE_TEST_MARK: session.mark });
    expect(answer.result.structuredContent.env).not.toHaveProperty("TRACKER_DSN");
    expect(await session.end()).toBe(0);
  });
});

describe("an MCP server of its own", () => {
  const readback = (mode: string, answer: object) => ({
    type: "mcp",
    command: ["{node}", fixture("reads.mjs"), mode],
    tool: "read",
    arguments: { answer: JSON.stringify(answer) },
    absent_when: ["none"],
    expected_fields: { title: "title" },
  });
  const record = (title: string) => ({ structuredContent: { title } });

  test.each<[string, string, object, string]>([
    ["the record is PASS", "good", record(asked.title), "pass/postcondition_satisfied"],
    ["another value is FAIL", "good", record("x"), "fail/field_mismatch"],
    ["its word for no record is FAIL", "good", { content: [{ type: "text", text: "none" }] }, "fail/record_missing"],
    ["an error is UNKNOWN", "good", { ...record("x"), isError: true }, "unknown/readback_unconfirmed"],
    ["one that ends at once is UNKNOWN", "dies", {}, "unknown/readback_error"],
    ["one that never answers is UNKNOWN", "hangs", {}, "unknown/readback_timeout"],
  ])("%s", async (_, mode, answer, expected) => {
    const session = start({ readback: readback(mode, answer) });
    expect(await outcome(session, asked, "create", mode !== "hangs")).toBe(expected);
  });
});

/** Does what a client does before its first call. */
async function handshake(session: Guard): Promise<void> {
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } };
  session.send({ jsonrpc: "2.0", id: 1, method: "initialize", params });
  await session.message();
  session.send({ jsonrpc: "2.0", method: "notifications/initialized" });
}

describe("a driver that is not installed", () => {
  const database = { type: "sql", select: "SELECT 1 AS a" };
  test.each([
    ["pg", { ...database, dsn_env: "DSN" }, "npm install pg@8"],
    ["better-sqlite3", { ...database, sqlite_file: "a.db" }, "npm install better-sqlite3@12"],
  ])("%s is asked for at the start", (driver, readback, remedy) => {
    // Away from the tree's own packages, where none is found.
    const folder = scratch();
    cpSync(resolve("dist"), join(folder, "dist"), { recursive: true });
    const tool = { extract: { id: { source: "arguments", path: "id" } }, readback };
    const contract = {
      contract_version: 1,
      tools: { create: { ...tool, allowed_failure_reasons: ["record_missing"] } },
    };
    writeFileSync(join(folder, "contract.json"), JSON.stringify(contract));
    for (const argv of [
      ["guard", "--contracts", "contract.json", "--", node, "-e", "console.log('started')"],
      ["verify", "contract.json", "--tool", "create", "--field", "id=7"],
    ]) {
      const run = spawnSync(node, [join(folder, "dist/main.cjs"), ...argv], { cwd: folder, encoding: "utf8" });
      expect(run.status).toBe(2);
      expect(run.stdout).toBe("");
      expect(run.stderr).toContain(`needs the package ${driver}`);
      expect(run.stderr).toContain(remedy);
    }
  });
});

describe("the dry run says what it asks, without values or secrets", () => {
  test.each<[string, object, string, Record<string, string>]>([
    [
      "file",
      { type: "file", root: { env: "ROOT" }, path_template: "n/{id}.md" },
      "the file n/{id}.md below $ROOT",
      { ROOT: "/SENTINEL" },
    ],
    [
      "sql",
      { type: "sql", dsn_env: "DSN", select: "SELECT title FROM t WHERE id = :id;" },
      "SELECT title FROM t WHERE id = :id\n",
      { DSN: "postgresql://u:SENTINEL@127.0.0.1:1/SENTINEL" },
    ],
    [
      "mcp",
      {
        type: "mcp",
        command: ["/SENTINEL"],
        secret_env: ["KEY"],
        tool: "read",
        arguments: { id: { field: "id" } },
        expected_fields: { a: "id" },
      },
      "tools/call read of an MCP server of its own (1 value in its arguments)",
      { KEY: "SENTINEL" },
    ],
  ])("%s", (_, readback, asks, env) => {
    const file = join(scratch(), "readback.json");
    writeFileSync(file, JSON.stringify({ ...readback, attempts: 1 }));
    const argv = [MAIN, "verify", file, "--field", "id=SENTINEL"];
    const run = spawnSync(node, argv, { env: { ...process.env, ...env }, encoding: "utf8" });
    expect(run.status).toBe(1);
    expect(run.stdout).toContain(asks);
    expect(run.stdout + run.stderr).not.toContain("SENTINEL");
  });
});

describe("published servers that report what did not happen", () => {
  test("memory: entities deleted that never were are gone, read by a second memory server", async () => {
    const env = { MEMORY_FILE_PATH: join(scratch(), "memory.jsonl") };
    writeFileSync(env.MEMORY_FILE_PATH, '{"type":"entity","name":"Ada","entityType":"person","observations":[]}\n');
    const deleted = {
      tool: "delete_entities",
      extract: { name: { source: "arguments", path: "entityNames.0" } },
      env,
    };
    const byMcp = {
      type: "mcp",
      command: ["{node}", published("server-memory")],
      env: ["MEMORY_FILE_PATH"],
      tool: "open_nodes",
      arguments: { names: [{ field: "name" }] },
      find: { in: "entities", where: { name: "name" }, complete: true },
      expect: "absent",
    };
    const session = start({ ...deleted, readback: byMcp, server: [node, published("server-memory")] });
    await handshake(session);
    expect(await outcome(session, { entityNames: ["Nobody"] }, "delete_entities", true)).toBe(
      "pass/postcondition_satisfied",
    );

    // The same lie about an entity that is there, and stays there.
    const undone = [node, fixture("undoing.mjs"), env.MEMORY_FILE_PATH, node, published("server-memory")];
    const lying = start({ ...deleted, readback: byMcp, server: undone });
    await handshake(lying);
    expect(await outcome(lying, { entityNames: ["Ada"] }, "delete_entities", true)).toBe("fail/record_present");
  });

  test("memory: an entity that was created is in its file, and one that was not is not", async () => {
    const folder = scratch();
    const env = { MEMORY_FILE_PATH: join(folder, "memory.jsonl"), FOLDER: folder };
    writeFileSync(env.MEMORY_FILE_PATH, "");
    const created: Tool = {
      tool: "create_entities",
      extract: {
        name: { source: "arguments", path: "entities.0.name" },
        kind: { source: "arguments", path: "entities.0.entityType" },
      },
      env,
      readback: {
        type: "file",
        root: { env: "FOLDER" },
        path_template: "memory.jsonl",
        format: "json_lines",
        find: { in: "$", where: { name: "name", type: { value: "entity" } }, complete: true },
        expected_fields: { entityType: "kind" },
      },
      server: [node, published("server-memory")],
    };
    const entities = [{ name: "Ada", entityType: "person", observations: [] }];
    const honest = start(created);
    await handshake(honest);
    expect(await outcome(honest, { entities }, "create_entities")).toBe("pass/postcondition_satisfied");
    writeFileSync(env.MEMORY_FILE_PATH, "");
    const lying = start({
      ...created,
      server: [node, fixture("undoing.mjs"), env.MEMORY_FILE_PATH, ...created.server!],
    });
    await handshake(lying);
    expect(await outcome(lying, { entities }, "create_entities")).toBe("fail/record_missing");
  });

  test("sqlite: an update of no row", async () => {
    const file = join(scratch(), "shop.db");
    const db = new Database(file);
    db.exec("CREATE TABLE orders (id INTEGER PRIMARY KEY, state TEXT); INSERT INTO orders VALUES (1, 'new')");
    db.close();
    const updated: Tool = {
      tool: "update_records",
      extract: {
        id: { source: "arguments", path: "conditions.id" },
        state: { source: "arguments", path: "data.state" },
      },
      env: { SHOP: file },
      readback: {
        type: "sql",
        sqlite_file: { env: "SHOP" },
        select: "SELECT state FROM orders WHERE id = :id",
        expected_fields: { state: "state" },
      },
      server: [node, resolve("node_modules/mcp-sqlite/mcp-sqlite-server.js"), file],
    };
    for (const [id, expected] of [
      [1, "pass/postcondition_satisfied"],
      [99, "fail/record_missing"],
    ] as const) {
      const session = start(updated);
      await handshake(session);
      const args = { table: "orders", data: { state: "paid" }, conditions: { id } };
      expect(await outcome(session, args, "update_records")).toBe(expected);
    }
  });

  test("redis: a key deleted that never was is gone, read by a second server", async () => {
    const redis = await startRedis();
    try {
      const server = [published("server-redis"), redis.url];
      const deleted: Tool = {
        tool: "delete",
        extract: { key: { source: "arguments", path: "key" } },
        readback: {
          type: "mcp",
          command: ["{node}", ...server],
          tool: "get",
          arguments: { key: { field: "key" } },
          answer: "text",
          absent_when: ["Key not found: {key}"],
          expect: "absent",
        },
        server: [node, ...server],
      };
      const session = start(deleted);
      await handshake(session);
      expect(await outcome(session, { key: "order:none" }, "delete", true)).toBe("pass/postcondition_satisfied");
    } finally {
      await redis.stop();
    }
  });
});

test("a server that is read from is gone when guard is killed, also one that ignores the end of its input", async () => {
  const readback = {
    type: "mcp",
    command: ["{node}", fixture("reads.mjs"), "stays"],
    env: ["FOURGATE_TEST_MARK"],
    tool: "read",
    arguments: { answer: '{"content":[],"structuredContent":{"title":"t"}}' },
    expected_fields: { title: "title" },
  };
  const session = start({ readback });
  session.call(7, "create", { id: 7, title: "t" });
  await session.message();
  const reading = () =>
    session.left().filter((entry) => readFileSync(`/proc/${entry.split(" ")[0]}/cmdline`, "utf8").includes("stays"));
  await session.until(() => reading().length === 1);
  session.child.kill("SIGKILL");
  await session.exited;
  const end = performance.now() + 5000;
  while (reading().length > 0 && performance.now() < end) await pause(20);
  expect(reading()).toEqual([]);
});
