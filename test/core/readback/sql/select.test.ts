// Which texts are one reading statement, and where their parameters stand.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseSelect } from "../../../../src/core/readback/sql/select.ts";
import type { Dialect } from "../../../../src/core/readback/sql/tokens.ts";

const both: Dialect[] = ["postgresql", "sqlite"];

describe.each(both)("%s takes", (dialect) => {
  test.each([
    ["SELECT 1", ["SELECT 1"]],
    ["select a from t where id = :id", ["select a from t where id = ", "id", ""]],
    ["SELECT a FROM t WHERE id=:id AND n=:n;", ["SELECT a FROM t WHERE id=", "id", " AND n=", "n", ""]],
    ["WITH x AS (SELECT 1) SELECT * FROM x ; ;", ["WITH x AS (SELECT 1) SELECT * FROM x"]],
    ["VALUES (:a)", ["VALUES (", "a", ")"]],
    ["-- comment ; :no\nSELECT 1 -- :end", ["SELECT 1"]],
    ["SELECT ':no', \"do:no\" /* :no ; */ FROM t", ["SELECT ':no', \"do:no\" /* :no ; */ FROM t"]],
    ["SELECT 'it''s; DELETE'", ["SELECT 'it''s; DELETE'"]],
    ['SELECT "update", t.update, replace(a, 1, 2) FROM t', ['SELECT "update", t.update, replace(a, 1, 2) FROM t']],
    ["SELECT updated, deleted_at, do_it FROM inserts", ["SELECT updated, deleted_at, do_it FROM inserts"]],
    ["SELECT 1 WHERE ':a' = :a", ["SELECT 1 WHERE ':a' = ", "a", ""]],
  ])("%s", (text, parts) => {
    expect(parseSelect(text, dialect)).toEqual({ ok: true, parts });
  });
});

describe.each(both)("%s refuses", (dialect) => {
  test.each([
    ["", "notSelect"],
    ["  -- nothing", "notSelect"],
    ["UPDATE t SET a = 1", "notSelect"],
    ["EXPLAIN SELECT 1", "notSelect"],
    ["(SELECT 1)", "notSelect"],
    ["PRAGMA writable_schema = 1", "notSelect"],
    ["SELECT 1; DELETE FROM t", "several"],
    ["SELECT 1; SELECT 2", "several"],
    ["SELECT 1;; -- x\n;SELECT 2", "several"],
    ["WITH x AS (DELETE FROM t RETURNING *) SELECT * FROM x", "writes"],
    ["WITH x AS (insert into t values (1) returning 1) SELECT 1", "writes"],
    ["WITH x AS (MERGE INTO t USING u ON true) SELECT 1", "writes"],
    ["SELECT 1 INTO t2", "writes"],
    ["SELECT * FROM t FOR UPDATE", "locks"],
    ["SELECT * FROM t FOR /* x */ SHARE", "locks"],
    ["SELECT * FROM t FOR NO KEY UPDATE", "locks"],
    ["SELECT * FROM t FOR KEY SHARE", "locks"],
    ["SELECT 'open", "unclosed"],
    ['SELECT "open', "unclosed"],
    ["SELECT 1 /* open", "unclosed"],
    ["SELECT 1) AS x", "brackets"],
    ["SELECT (1", "brackets"],
    ["SELECT $1", "parameter"],
    ["SELECT 1\0", "nul"],
  ])("%s", (text, problem) => {
    expect(parseSelect(text, dialect)).toMatchObject({ ok: false, problem });
  });
});

describe("the dialects differ", () => {
  const cases: [string, Dialect, object][] = [
    ["SELECT a::text, b[1], c ? 'x', d @> e", "postgresql", { ok: true }],
    [
      "SELECT $$; DELETE :no $$, $a$ $b$ $a$",
      "postgresql",
      { ok: true, parts: ["SELECT $$; DELETE :no $$, $a$ $b$ $a$"] },
    ],
    ["SELECT E'\\'; DELETE', :id", "postgresql", { ok: true, parts: ["SELECT E'\\'; DELETE', ", "id", ""] }],
    ["SELECT '\\', :id", "postgresql", { ok: true, parts: ["SELECT '\\', ", "id", ""] }],
    ["SELECT /* a /* b */ ; */ 1", "postgresql", { ok: true }],
    ["SELECT /* a /* b */ ; */ 1", "sqlite", { ok: false, problem: "several" }],
    ["SELECT $a$ open", "postgresql", { ok: false, problem: "unclosed" }],
    ["SELECT f(a := 1)", "postgresql", { ok: true }],
    ["SELECT [a;b], `c;d` FROM t", "sqlite", { ok: true }],
    ["SELECT [a", "sqlite", { ok: false, problem: "unclosed" }],
    ["SELECT ?", "sqlite", { ok: false, problem: "parameter" }],
    ["SELECT ?1", "sqlite", { ok: false, problem: "parameter" }],
    ["SELECT @a", "sqlite", { ok: false, problem: "parameter" }],
    ["SELECT $a", "sqlite", { ok: false, problem: "parameter" }],
  ];
  test.each(cases)("%s in %s", (text, dialect, outcome) => {
    expect(parseSelect(text, dialect)).toMatchObject(outcome);
  });
});

test("the place of a problem is told", () => {
  expect(parseSelect("SELECT 1; DROP TABLE t", "sqlite")).toEqual({ ok: false, problem: "several", at: 8 });
});

test("whatever the text, the parts are taken from it and nothing is thrown", () => {
  const bits = [
    "SELECT ",
    "'",
    '"',
    "$$",
    "$a$",
    "/*",
    "*/",
    "--",
    "\n",
    ":a",
    "::",
    ";",
    "(",
    ")",
    "E'",
    "[",
    "`",
    "x",
    "delete ",
  ];
  const text = fc.array(fc.constantFrom(...bits)).map((parts) => `SELECT ${parts.join("")}`);
  fc.assert(
    fc.property(text, fc.constantFrom(...both), (text, dialect) => {
      const parsed = parseSelect(text, dialect);
      if (!parsed.ok) return;
      const whole = parsed.parts.map((part, i) => (i % 2 === 0 ? part : `:${part}`)).join("");
      expect(text.startsWith(whole)).toBe(true);
    }),
  );
});
