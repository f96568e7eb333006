// Reading SQLite: real files, locks, long scans, and what its rows say.

import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openAdapter } from "../../src/readback/adapter.ts";
import { fieldsOf, readback, run } from "./reading.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fourgate-sqlite-"));
  file = join(folder, "a.db");
  const db = new Database(file);
  db.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, title TEXT, done BOOLEAN, price NUMERIC, tags JSON);
    INSERT INTO t VALUES (7, 't', 1, 0.5, '["a","b"]'), (1915883588174806058, 'big', 0, 3, NULL)`);
  db.close();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const about = (more: object = {}) => ({
  type: "sql",
  sqlite_file: { env: "DB" },
  select: "SELECT * FROM t WHERE id = :id",
  attempts: 1,
  expected_fields: { title: "title" },
  ...more,
});
/** The processes that this one has started and that still run. */
function children(): number[] {
  const { stdout } = spawnSync("pgrep", ["--parent", String(process.pid)], { encoding: "utf8" });
  const pids = stdout.split("\n").filter(Boolean).map(Number);
  return pids.filter((pid) => existsSync(`/proc/${pid}`) && !/\) Z/.test(readFileSync(`/proc/${pid}/stat`, "latin1")));
}

const environment = () => ({ DB: file });
const check = (more: object, values: Record<string, unknown> = {}, raw: Record<string, string> = {}) =>
  run(about(more), { fields: fieldsOf({ id: 7, title: "t", ...values }, raw), environment: environment() });

describe("a row", () => {
  test("with what is expected is PASS, with anything else FAIL", async () => {
    expect(await check({})).toMatchObject({ type: "pass" });
    expect(await check({}, { title: "T" })).toMatchObject({ type: "fail", reason: "field_mismatch", unmet: ["title"] });
  });

  test("keeps types and digits", async () => {
    const all = { title: "title", done: "done", price: "price", tags: "tags" };
    const values = { done: true, price: 0.5, tags: ["a", "b"] };
    expect(await check({ expected_fields: all }, values)).toMatchObject({ type: "pass" });
    const big = { id: "1915883588174806058" };
    expect(await check({ expected_fields: { id: "id" } }, {}, big)).toMatchObject({ type: "pass" });
    expect(await check({}, { title: "big" }, { id: "1915883588174806059" })).toMatchObject({
      reason: "record_missing",
    });
  });

  test("that is not there is FAIL, and PASS after a delete", async () => {
    expect(await check({}, { id: 99 })).toMatchObject({ type: "fail", reason: "record_missing" });
    const gone = { expect: "absent", expected_fields: undefined };
    expect(await check(gone, { id: 99 })).toMatchObject({ type: "pass" });
    expect(await check(gone)).toMatchObject({ type: "fail", reason: "record_present" });
  });

  test("that is not the only one is UNKNOWN, unless it is found by its key", async () => {
    const all = { select: "SELECT * FROM t" };
    expect(await check(all)).toMatchObject({ reason: "readback_unconfirmed" });
    const find = { ...all, find: { in: "$", where: { id: "id" }, complete: true } };
    expect(await check(find)).toMatchObject({ type: "pass" });
    expect(await check(find, { id: 99 })).toMatchObject({ reason: "record_missing" });
  });

  test("beyond a thousand others does not exist for certain", async () => {
    const numbers = "WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n LIMIT 5000) SELECT id FROM n";
    const find = {
      select: numbers,
      find: { in: "$", where: { id: "id" }, complete: true },
      expected_fields: { id: "id" },
    };
    expect(await check(find, { id: 1000 })).toMatchObject({ type: "pass" });
    expect(await check(find, { id: 4000 })).toMatchObject({ reason: "readback_unconfirmed" });
  });

  test("with a column twice is not picked from", async () => {
    expect(await check({ select: "SELECT 't' AS title, 'x' AS title" })).toMatchObject({
      reason: "readback_shape_invalid",
    });
  });
});

test.each(["null", '""', "[7]", "{}"])("an id of %s is never asked for", async (id) => {
  expect(await check({}, {}, { id })).toMatchObject({ reason: "readback_selector_invalid" });
});

test("a value that tries to be SQL stays a value", async () => {
  expect(await check({ select: "SELECT * FROM t WHERE title = :title" }, { title: "x' OR '1'='1" })).toMatchObject({
    reason: "record_missing",
  });
});

describe("doubt", () => {
  test.each<[string, object, string, () => void]>([
    ["a table that is not there", { select: "SELECT * FROM none WHERE id = :id" }, "readback_unconfirmed", () => {}],
    ["a file that is not there", {}, "readback_error", () => rmSync(file)],
    ["a file that is no database", {}, "readback_error", () => writeFileSync(file, "x".repeat(4096))],
    ["a variable that is not absolute", { sqlite_file: { env: "NONE" } }, "readback_error", () => {}],
    ["a record above 1 MiB", { select: "SELECT hex(zeroblob(1048576)) AS title" }, "readback_unconfirmed", () => {}],
  ])("%s", async (_, more, reason, before) => {
    before();
    expect(await check(more)).toMatchObject({ type: "unknown", reason });
    if (reason === "readback_error") expect(existsSync(file)).toBe(_ !== "a file that is not there");
  });

  test("a database that is locked all the time", async () => {
    const other = new Database(file);
    other.exec("BEGIN EXCLUSIVE");
    const outcome = await run(about(), {
      fields: fieldsOf({ id: 7, title: "t" }),
      environment: environment(),
      budgetMs: 400,
    });
    expect(outcome).toMatchObject({ type: "unknown", reason: "readback_timeout" });
    other.close();
  });

  test("a scan without end is over in time, and its process with it", async () => {
    const endless = about({
      select:
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) AS title FROM n WHERE i = :id",
    });
    const begin = performance.now();
    const options = { fields: fieldsOf({ id: 7, title: "t" }), environment: environment(), budgetMs: 500 };
    expect(await run(endless, options)).toMatchObject({ type: "unknown", reason: "readback_timeout" });
    expect(performance.now() - begin).toBeLessThan(2000);
    while (children().length > 0) await pause(10);
  });
});

test("sixteen reads side by side are all answered, and so is one after the processes were ended", async () => {
  const spec = await readback(about());
  const adapter = await openAdapter(spec.source, { environment: environment() });
  const read = () =>
    adapter.read({ fields: fieldsOf({ id: 7 }), limitMs: 20_000, signal: new AbortController().signal });
  const types = (await Promise.all(Array.from({ length: 16 }, read))).map(({ type }) => type);
  expect(types).toEqual(Array(16).fill("record"));
  expect(children().length).toBeLessThanOrEqual(4);
  for (const pid of children()) process.kill(pid, "SIGKILL");
  expect(await read()).toMatchObject({ type: "record" });
  await adapter.close();
});

test("a file that takes the place of another is the one that is read", async () => {
  const spec = await readback(about());
  const adapter = await openAdapter(spec.source, { environment: environment() });
  const read = (id: number) =>
    adapter.read({ fields: fieldsOf({ id }), limitMs: 20_000, signal: new AbortController().signal });
  expect(await read(7)).toMatchObject({ type: "record" });
  const other = new Database(join(folder, "b.db"));
  other.exec("CREATE TABLE t (id INTEGER)");
  other.close();
  renameSync(join(folder, "b.db"), file);
  expect(await read(7)).toMatchObject({ type: "missing" });
  await adapter.close();
});

test("nothing is written, whatever the statement calls", async () => {
  const before = new Database(file).prepare("PRAGMA data_version").get();
  expect(await check({ select: "SELECT load_extension('x') AS title" })).toMatchObject({ type: "unknown" });
  expect(new Database(file).prepare("PRAGMA data_version").get()).toEqual(before);
  expect(existsSync(`${file}-journal`)).toBe(false);
});
