// Values between JSON and databases keep their digits and their types.

import { expect, test } from "vitest";
import { postgresJson, postgresValue, sqliteJson, sqliteValue } from "../../../../src/core/readback/sql/values.ts";

test.each([
  ["7", "7"],
  ["7.0", "7"],
  ["1e3", "1000"],
  ["1915883588174806058", "1915883588174806058"],
  ["0.1000000000000000055511151231257827", "0.1000000000000000055511151231257827"],
  ['"7"', "7"],
  ['"1.0"', "1.0"],
  ["true", "true"],
  ["null", undefined],
  ['""', undefined],
  ["{}", undefined],
  ["[1]", undefined],
  ['"a\\u0000"', undefined],
  [undefined, undefined],
])("PostgreSQL binds %s as %s", (json, bound) => {
  expect(postgresValue(json)).toBe(bound);
});

test.each([
  ["7", 7n],
  ["7.0", 7n],
  ["9223372036854775807", 9223372036854775807n],
  ["9223372036854775808", "9223372036854775808"],
  ["1915883588174806058", 1915883588174806058n],
  ["0.5", 0.5],
  ["0.1", 0.1],
  ["0.1000000000000000055511151231257827", "0.1000000000000000055511151231257827"],
  ['"7"', "7"],
  ["true", 1n],
  ["false", 0n],
  ["null", undefined],
  ['""', undefined],
])("SQLite binds %s as %s", (json, bound) => {
  expect(sqliteValue(json)).toBe(bound);
});

test.each([
  [null, 25, "null"],
  ["t", 16, "true"],
  ["1915883588174806058", 20, "1915883588174806058"],
  ["0.1000000000000000055511151231257827", 1700, "0.1000000000000000055511151231257827"],
  ["NaN", 1700, '"NaN"'],
  ["Infinity", 701, '"Infinity"'],
  ['{"a": 1.0}', 3802, '{"a": 1.0}'],
  ["2026-03-03 16:59:00.5+00", 1184, '"2026-03-03T16:59:00.5+00"'],
  ["{a,b}", 1009, '"{a,b}"'],
  ["7", 25, '"7"'],
])("PostgreSQL's %s of type %s is %s", (value, type, json) => {
  expect(postgresJson(value, type)).toBe(json);
});

test.each([
  [null, "TEXT", "null"],
  [1n, "BOOLEAN", "true"],
  [2n, "BOOLEAN", "2"],
  [1n, "INTEGER", "1"],
  [9223372036854775807n, null, "9223372036854775807"],
  [0.1, "REAL", "0.1"],
  [Number.POSITIVE_INFINITY, "REAL", '"Infinity"'],
  ["{}", "JSON", "{}"],
  ["{", "JSON", '"{"'],
  ["{}", "TEXT", '"{}"'],
  [new Uint8Array([0, 255]), "BLOB", '"00ff"'],
])("SQLite's %s declared %s is %s", (value, declared, json) => {
  expect(sqliteJson(value, declared)).toBe(json);
});
