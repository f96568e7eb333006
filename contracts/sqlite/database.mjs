// Opens the database for reading, by whichever driver is there: better-sqlite3, or Node's own from Node 22 on.

import { stat } from "node:fs/promises";
import { isAbsolute } from "node:path";

/** How long a lock is waited for, milliseconds: the verifier has two seconds in all. */
const LOCK_WAIT_MS = 800;

/**
 * Gives `{rows(sql, values), columns(table)}`. Throws when `file` (SQLITE_DATABASE) does not say where to look: the server makes the
 * file when it starts, so that one that is not there means that we look somewhere else.
 */
export async function openDatabase(file) {
  if (file === undefined || file === "") throw new Error("SQLITE_DATABASE is not set");
  if (!isAbsolute(file)) throw new Error("SQLITE_DATABASE is not absolute");
  if (!(await stat(file)).isFile()) throw new Error("SQLITE_DATABASE is not a file");
  const database = await open(file);
  const rows = (sql, values = []) => database.prepare(sql).all(...values);
  return {
    rows,
    /** The names of the table's columns. Throws when there is no such table. */
    columns(table) {
      if (typeof table !== "string") throw new Error("the call names no table");
      const known = rows("SELECT name FROM sqlite_master WHERE type = 'table' AND name = ?", [table]);
      if (known.length === 0) throw new Error("there is no such table");
      return new Set(rows(`PRAGMA table_info(${quoted(table)})`).map(({ name }) => name));
    },
  };
}

async function open(file) {
  try {
    const { default: Database } = await import("better-sqlite3");
    return new Database(file, { readonly: true, fileMustExist: true, timeout: LOCK_WAIT_MS });
  } catch (error) {
    if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
  }
  const { DatabaseSync } = await import("node:sqlite").catch(() => {
    throw new Error("no SQLite driver: use Node 22 or newer, or run npm install better-sqlite3 beside fourgate");
  });
  return new DatabaseSync(file, { readOnly: true, timeout: LOCK_WAIT_MS });
}

export function quoted(name) {
  return `"${name.replaceAll('"', '""')}"`;
}
