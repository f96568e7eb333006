// The checks, one a tool: each takes the extracted fields and the database, and gives fourgate's reply object, or throws when it cannot
// tell. Comparing is left to SQLite, which knows what a column makes of a value ('42' in a column of integers is 42).

import { quoted } from "./database.mjs";

const pass = { status: "pass" };
const missing = { status: "fail", reason_code: "record_missing" };
const mismatch = { status: "fail", reason_code: "field_mismatch" };
const present = { status: "fail", reason_code: "record_present" };

export const checks = new Map([
  ["create_record", checkCreated],
  ["update_records", checkUpdated],
  ["delete_records", checkDeleted],
]);

/** PASS: the row that the answer names is there with all the values of the call. */
function checkCreated({ table, data, row }, database) {
  const columns = database.columns(table);
  const rowid = ["rowid", "_rowid_", "oid"].find(
    (name) => ![...columns].some((column) => column.toLowerCase() === name),
  );
  if (rowid === undefined) throw new Error("the table hides its row ids");
  const values = holding(data, columns);
  const found = database.rows(`SELECT (${values.sql}) AS same FROM ${quoted(table)} WHERE ${rowid} = ?`, [
    ...values.bound,
    row,
  ]);
  if (found.length === 0) return missing;
  return found[0].same === 1 ? pass : mismatch;
}

/**
 * PASS: every row that meets the conditions holds the new values, and there is at least one. Where the update changes a column that it
 * also has a condition on, its rows no longer meet that condition: then no row may be left that does, and one must hold the values.
 */
function checkUpdated({ table, data, conditions }, database) {
  const columns = database.columns(table);
  const values = holding(data, columns);
  const count = (where, bound) =>
    database.rows(`SELECT count(*) AS n FROM ${quoted(table)} WHERE ${where}`, bound)[0].n;
  const asked = meeting(conditions, columns);
  if (count(`${asked.sql} AND NOT (${values.sql})`, [...asked.bound, ...values.bound]) > 0) return mismatch;
  const kept = Object.entries(conditions).filter(([column]) => !Object.hasOwn(data, column));
  const still = kept.length === 0 ? { sql: "1", bound: [] } : meeting(Object.fromEntries(kept), columns);
  return count(`${still.sql} AND ${values.sql}`, [...still.bound, ...values.bound]) > 0 ? pass : missing;
}

/** PASS: no row meets the conditions. That one did before cannot be known. */
function checkDeleted({ table, conditions }, database) {
  const asked = meeting(conditions, database.columns(table));
  const found = database.rows(`SELECT 1 FROM ${quoted(table)} WHERE ${asked.sql} LIMIT 1`, asked.bound);
  return found.length === 0 ? pass : present;
}

/** Conditions as the server writes them: `= NULL` is true of nothing. */
function meeting(conditions, columns) {
  return joined(conditions, columns, (name) => `${name} = ?`);
}

/** That a row holds exactly these values, whatever order the column has for comparing. */
function holding(data, columns) {
  return joined(data, columns, (name) => `${name} IS (? COLLATE BINARY)`);
}

function joined(values, columns, write) {
  const entries = typeof values === "object" && values !== null ? Object.entries(values) : [];
  if (entries.length === 0) throw new Error("the call gives no columns");
  const parts = entries.map(([column, value]) => {
    if (!columns.has(column)) throw new Error("the table has no such column");
    const forms = formsOf(value);
    return { sql: `(${forms.map(() => write(quoted(column))).join(" OR ")})`, forms };
  });
  return { sql: parts.map(({ sql }) => sql).join(" AND "), bound: parts.flatMap(({ forms }) => forms) };
}

/**
 * A value as a driver may have handed it to SQLite. Whole numbers go as integers or, when they are large, as floating point, which a column
 * of texts tells apart (`42` and `42.0`).
 */
function formsOf(value) {
  if (typeof value === "boolean") return [value ? 1n : 0n];
  if (typeof value === "object" && value !== null) throw new Error("a value is neither text, number, boolean nor null");
  return Number.isInteger(value) ? [BigInt(value), value] : [value];
}
