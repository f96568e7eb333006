// The SQLite verifier against real databases: what it proves, and where it must stay in doubt.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { moduleOf, verdict, verdictIn } from "./verifier.ts";

const directory = mkdtempSync(join(tmpdir(), "fourgate-sqlite-"));
const file = join(directory, "data.db");
afterAll(() => rmSync(directory, { recursive: true, force: true }));

beforeEach(() => {
  rmSync(file, { force: true });
  const database = new Database(file);
  database.exec(`
    CREATE TABLE orders (id INTEGER PRIMARY KEY, state TEXT COLLATE NOCASE, amount REAL, "odd ""name" TEXT, flag);
    INSERT INTO orders VALUES (1, 'open', 12.5, 'x', 1), (2, 'paid', 3000000000, '42', NULL), (3, 'paid', 1, '3000000000.0', 0), (4, 'sent', 2, '3000000000', 0);
    CREATE TABLE keyless (k TEXT PRIMARY KEY, v TEXT) WITHOUT ROWID;
    INSERT INTO keyless VALUES ('a', 'b');
    CREATE TABLE shadowed (rowid TEXT, _rowid_ TEXT);
    INSERT INTO shadowed VALUES ('7', 'x');
    CREATE VIEW open_orders AS SELECT * FROM orders WHERE state = 'open';
  `);
  database.close();
});

const { checks } = await moduleOf("sqlite", "checks");
const { openDatabase } = await moduleOf("sqlite", "database");
const check = (tool: string, fields: object, at = file) =>
  verdictIn(async () => checks.get(tool)(fields, await openDatabase(at)));

describe("create_record", () => {
  const created = (data: object, row: unknown = 1, table: unknown = "orders") =>
    check("create_record", { table, data, row });
  test.each<[string, () => Promise<string>, string]>([
    ["there as asked", () => created({ state: "open", amount: 12.5 }), "pass"],
    ["a boolean is 1 or 0", () => created({ flag: true }), "pass"],
    ["null", () => created({ flag: null }, 2), "pass"],
    ["a text that its column makes a number", () => created({ id: "1", amount: "12.50" }), "pass"],
    ["a whole number that its column makes a text", () => created({ 'odd "name': 42 }, 2), "pass"],
    ["a large number as the server's driver hands it over", () => created({ 'odd "name': 3_000_000_000 }, 3), "pass"],
    ["a large number as another driver may", () => created({ 'odd "name': 3_000_000_000 }, 4), "pass"],
    ["another value", () => created({ state: "paid", amount: 12.5 }), "fail field_mismatch"],
    ["another case, though the column does not mind", () => created({ state: "OPEN" }), "fail field_mismatch"],
    ["null where there is a value", () => created({ state: null }), "fail field_mismatch"],
    ["no such row", () => created({ state: "open" }, 99), "fail record_missing"],
    ["a column named rowid", () => created({ rowid: "7" }, 1, "shadowed"), "pass"],
    ["no such table", () => created({ state: "open" }, 1, "nowhere"), "doubt"],
    ["a view", () => created({ state: "open" }, 1, "open_orders"), "doubt"],
    ["no such column", () => created({ nothing: 1 }), "doubt"],
    ["a column that is SQL", () => created({ 'id" IS NOT NULL OR "id': 1 }), "doubt"],
    ["no columns", () => created({}), "doubt"],
    ["a value that is a list", () => created({ state: [] }), "doubt"],
    ["a table without row ids", () => created({ v: "b" }, 1, "keyless"), "doubt"],
    ["a table that is no text", () => created({ v: "b" }, 1, 7), "doubt"],
  ])("%s", async (_, run, expected) => expect(await run()).toBe(expected));
});

describe("update_records", () => {
  const updated = (data: object, conditions: object) => check("update_records", { table: "orders", data, conditions });
  test.each<[string, () => Promise<string>, string]>([
    ["done", () => updated({ state: "open" }, { id: 1 }), "pass"],
    ["done in all rows", () => updated({ state: "paid" }, { state: "paid" }), "pass"],
    ["not done", () => updated({ state: "paid" }, { id: 1 }), "fail field_mismatch"],
    ["done in some rows only", () => updated({ amount: 1 }, { state: "paid" }), "fail field_mismatch"],
    ["no row meets the conditions", () => updated({ state: "paid" }, { id: 99 }), "fail record_missing"],
    ["a condition that is null meets no row", () => updated({ state: "paid" }, { flag: null }), "fail record_missing"],
    ["the condition was changed away", () => updated({ state: "paid", amount: 1 }, { state: "new", id: 3 }), "pass"],
    [
      "the condition was to be changed away",
      () => updated({ state: "done" }, { state: "open" }),
      "fail field_mismatch",
    ],
    [
      "the condition is met by none, and the value is nowhere",
      () => updated({ state: "done" }, { state: "new" }),
      "fail record_missing",
    ],
    ["no conditions", () => updated({ state: "paid" }, {}), "doubt"],
    ["no such column", () => updated({ state: "paid" }, { nothing: 1 }), "doubt"],
  ])("%s", async (_, run, expected) => expect(await run()).toBe(expected));
});

describe("delete_records", () => {
  const deleted = (conditions: object, table = "orders") => check("delete_records", { table, conditions });
  test.each<[string, () => Promise<string>, string]>([
    ["gone", () => deleted({ id: 99 }), "pass"],
    ["still there", () => deleted({ state: "paid" }), "fail record_present"],
    ["as the server compares", () => deleted({ state: "PAID" }), "fail record_present"],
    ["no conditions", () => deleted({}), "doubt"],
    ["no such table", () => deleted({ id: 1 }, "nowhere"), "doubt"],
  ])("%s", async (_, run, expected) => expect(await run()).toBe(expected));
});

describe("the database", () => {
  const fields = { table: "orders", data: { state: "open" }, row: 1 };
  test.each<[string, () => string]>([
    ["not set", () => ""],
    ["relative", () => "data.db"],
    ["not there", () => join(directory, "other.db")],
    ["a directory", () => directory],
    [
      "no database",
      () => {
        writeFileSync(file, "not a database, but long enough to have a header of its own".repeat(40));
        return file;
      },
    ],
  ])("%s: in doubt", async (_, at) => expect(await check("create_record", fields, at())).toBe("doubt"));

  test("one that is locked for good: in doubt, and in time", async () => {
    const writer = new Database(file);
    writer.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
    expect(await check("create_record", fields)).toBe("doubt");
    writer.close();
  });

  test("one with a write-ahead log that is still open is read as it is now", async () => {
    const writer = new Database(file);
    writer.pragma("journal_mode = WAL");
    writer.exec("UPDATE orders SET state = 'late' WHERE id = 1");
    expect(await check("create_record", { ...fields, data: { state: "late" } })).toBe("pass");
    writer.close();
  });
});

describe("as a program", () => {
  const fields = { table: "orders", data: { state: "open" }, row: 1 };
  test.each<[string, object, Record<string, string>, string]>([
    ["PASS", fields, { SQLITE_DATABASE: file }, "pass"],
    ["FAIL", { ...fields, row: 99 }, { SQLITE_DATABASE: file }, "fail record_missing"],
    ["doubt, with a message that holds no value", { ...fields, table: "nowhere" }, { SQLITE_DATABASE: file }, "doubt"],
    ["doubt without its variable", fields, {}, "doubt"],
  ])("%s", (_, input, env, expected) => expect(verdict("sqlite", "create_record", input, env)).toBe(expected));

  test("doubt for a tool that it does not know, and for input that is no JSON", () => {
    expect(verdict("sqlite", "query", fields, { SQLITE_DATABASE: file })).toBe("doubt");
    expect(verdict("sqlite", "create_record", "{", { SQLITE_DATABASE: file })).toBe("doubt");
  });
});
