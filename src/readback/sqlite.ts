// `type: sql` on SQLite: what its rows say about the record.

import { MAX_READBACK_BODY_BYTES, MAX_READBACK_CONNECTIONS, MAX_READBACK_ROWS } from "../core/limits.ts";
import type { SqlSource } from "../core/readback/kinds/sql.ts";
import type { Place } from "../core/readback/place.ts";
import { bindings, sqliteJson, sqliteValue, withMarks } from "../core/readback/sql/values.ts";
import type { DoubtReason, Observation } from "../core/readback/types.ts";
import type { Adapter, AdapterContext } from "./adapter.ts";
import { driverPath, missingDriver } from "./drivers.ts";
import { placePath } from "./place-path.ts";
import { createPool, type Lease, PoolTimeout } from "./pool.ts";
import { observeRows } from "./sql-rows.ts";
import { type SqliteProcess, startSqlite } from "./sqlite-process.ts";

const doubt = (reason: DoubtReason, note: string): Observation => ({ type: "doubt", reason, note });

/** What is left for the way between two processes when a lock has used up the rest (milliseconds). */
const MARGIN_MS = 50;

/** Opens the adapter; nothing is started before the first read, or before it is warmed. */
export function openSqlite(source: SqlSource, file: Place, context: AdapterContext): Adapter {
  const processes = createPool<SqliteProcess>(
    MAX_READBACK_CONNECTIONS,
    async (limitMs) => {
      const started = await startSqlite(driverPath("better-sqlite3")!, limitMs);
      void started.ended.then(() => processes.forget(started));
      return started;
    },
    (started) => started.kill(),
  );
  const statement = withMarks(source.parts, (n) => `:p${n}`);
  return {
    describe: () => withMarks(source.parts, (n) => `:${source.parts[2 * n - 1]}`),
    async read({ fields, limitMs }) {
      const end = performance.now() + limitMs;
      const values = bindings(source.parts, fields, sqliteValue);
      if (values === undefined) {
        return doubt("readback_selector_invalid", "a value is missing, empty, or neither text nor number");
      }
      const driver = missingDriver(source);
      if (driver !== undefined) return doubt("readback_error", driver);
      const place = placePath(file, context);
      if (!place.ok) return doubt("readback_error", place.note);
      for (let again = true; ; again = false) {
        let lease: Lease<SqliteProcess> | undefined;
        try {
          lease = await processes.take(end - performance.now());
          const left = end - performance.now();
          const question = {
            file: place.path,
            statement,
            values,
            busyMs: Math.max(1, Math.floor(left - MARGIN_MS)),
            maxRows: source.list ? MAX_READBACK_ROWS + 1 : 2,
            maxBytes: MAX_READBACK_BODY_BYTES,
          };
          const answer = await lease.item.ask(question, left);
          processes.give(lease, true);
          return "code" in answer ? meaning(answer.code) : observeRows(source, answer, sqliteJson);
        } catch (error) {
          if (lease !== undefined) processes.give(lease, false);
          const late = error instanceof PoolTimeout || (error as Error).message === "TIMEOUT";
          if (late) return doubt("readback_timeout", "SELECT took too long");
          // It may have been ended by somebody while nobody used it.
          if (!again || !lease?.used) return doubt("readback_error", "the process that reads SQLite ended");
          processes.clear();
        }
      }
    },
    warm() {
      if (missingDriver(source) === undefined) processes.warm();
    },
    async close() {
      processes.close();
    },
  };
}

/** SQLite's codes for what lies in the file or the system, and not in the question. */
const SYSTEM = /^SQLITE_(?:CANTOPEN|NOTADB|CORRUPT|IOERR|PERM|READONLY|NOMEM|FULL|PROTOCOL|NOLFS)/;

function meaning(code: string): Observation {
  const note = `SELECT ${code}`;
  if (/^SQLITE_(?:BUSY|LOCKED|INTERRUPT)/.test(code)) return doubt("readback_timeout", note);
  if (code === "TOOBIG") return doubt("readback_unconfirmed", "SELECT, more than 1 MiB");
  if (code === "WRITES") return doubt("readback_unconfirmed", "SELECT that SQLite calls a write");
  return doubt(SYSTEM.test(code) ? "readback_error" : "readback_unconfirmed", note);
}
