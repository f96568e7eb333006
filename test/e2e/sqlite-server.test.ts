// The published SQLite server behind the built guard, with the ready contract: honest, and untruthful in both directions.

import { join, resolve } from "node:path";
import Database from "better-sqlite3";
import { beforeEach, expect, test } from "vitest";
import { scratch } from "./harness.ts";
import { play, type Setup, type ToolCall } from "./published.ts";
import { untruthful } from "./untruthful.ts";

let file: string;
beforeEach(() => {
  file = join(scratch(), "data.db");
  ask((database) => database.exec("CREATE TABLE orders (id INTEGER PRIMARY KEY, state TEXT, amount REAL)"));
});

function ask<T>(question: (database: Database.Database) => T): T {
  const database = new Database(file);
  try {
    return question(database);
  } finally {
    database.close();
  }
}

const setup = (): Setup => ({
  contract: "sqlite",
  mode: "enforce",
  server: [resolve("node_modules/mcp-sqlite/mcp-sqlite-server.js"), file],
  env: { SQLITE_DATABASE: file },
});

test("honest writes pass, an update of no row is a FAIL though the server calls it a success", async () => {
  const calls: ToolCall[] = [
    ["create_record", { table: "orders", data: { state: "SENTINEL “é”", amount: 12.5 } }],
    ["create_record", { table: "orders", data: { state: "open", amount: 3_000_000_000 } }],
    ["update_records", { table: "orders", data: { state: "paid" }, conditions: { id: 1 } }],
    ["update_records", { table: "orders", data: { state: "done" }, conditions: { state: "open" } }],
    ["update_records", { table: "orders", data: { state: "void" }, conditions: { id: 99 } }],
    ["delete_records", { table: "orders", conditions: { id: 1 } }],
    ["create_record", { table: "nowhere", data: { state: "open" } }],
  ];
  const guarded = await play(setup(), calls);
  expect(guarded.outcomes).toEqual([
    "create_record pass/postcondition_satisfied",
    "create_record pass/postcondition_satisfied",
    "update_records pass/postcondition_satisfied",
    "update_records pass/postcondition_satisfied",
    "update_records fail/record_missing",
    "delete_records pass/postcondition_satisfied",
    "create_record unknown/not_success_result",
  ]);
  expect(guarded.logText).not.toContain("SENTINEL");
  const [verdict, own] = guarded.results[4]!.content;
  expect(verdict?.text).toMatch(/^\[FOURGATE\] \{"kind":"outcome_failed","tool":"real\/update_records"/);
  expect(JSON.parse(own!.text)).toEqual({ message: "Records updated successfully", rowsAffected: 0 });
  for (const { content } of [...guarded.results.slice(0, 4), guarded.results[5]!]) expect(content).toHaveLength(1);
});

test("writes that were only pretended are FAILs", async () => {
  ask((database) => database.exec("INSERT INTO orders VALUES (1, 'open', 1)"));
  const created = untruthful("pretends", "create_record", '{"message":"Record created successfully","insertedId":7}');
  const updated = untruthful(
    "pretends",
    "update_records",
    '{"message":"Records updated successfully","rowsAffected":1}',
  );
  const deleted = untruthful(
    "pretends",
    "delete_records",
    '{"message":"Records deleted successfully","rowsAffected":1}',
  );
  const played = await Promise.all([
    play({ ...setup(), before: created }, [["create_record", { table: "orders", data: { state: "new" } }]]),
    play({ ...setup(), before: updated }, [
      ["update_records", { table: "orders", data: { state: "paid" }, conditions: { id: 1 } }],
    ]),
    play({ ...setup(), before: deleted }, [["delete_records", { table: "orders", conditions: { id: 1 } }]]),
  ]);
  expect(played.flatMap(({ outcomes }) => outcomes)).toEqual([
    "create_record fail/record_missing",
    "update_records fail/field_mismatch",
    "delete_records fail/record_present",
  ]);
});

test("a write that was made and reported as an error gives no verdict", async () => {
  const before = untruthful("denies", "create_record", "Error creating record: disk I/O error");
  const { outcomes, results } = await play({ ...setup(), before }, [
    ["create_record", { table: "orders", data: { state: "new" } }],
  ]);
  expect(ask((database) => database.prepare("SELECT state FROM orders").pluck().all())).toEqual(["new"]);
  expect(outcomes).toEqual(["create_record unknown/not_success_result"]);
  expect(results[0]?.content).toHaveLength(1);
});
