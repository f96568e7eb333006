// `type: sql` on PostgreSQL: what its rows, and its refusals, say about the record.

import { MAX_READBACK_CONNECTIONS, MAX_READBACK_ROWS } from "../core/limits.ts";
import type { SqlSource } from "../core/readback/kinds/sql.ts";
import { bindings, postgresJson, postgresValue, withMarks } from "../core/readback/sql/values.ts";
import type { DoubtReason, Observation } from "../core/readback/types.ts";
import type { Adapter, AdapterContext } from "./adapter.ts";
import { missingDriver } from "./drivers.ts";
import { createPool, type Lease, type Pool, PoolTimeout } from "./pool.ts";
import { type Dsn, parseDsn } from "./postgres-dsn.ts";
import { connectPostgres, PostgresError, type PostgresSession } from "./postgres-session.ts";
import { observeRows } from "./sql-rows.ts";

type Connections = Pool<PostgresSession>;

const doubt = (reason: DoubtReason, note: string): Observation => ({ type: "doubt", reason, note });

/** Opens the adapter; nothing is connected before the first read, or before it is warmed. */
export function openPostgres(source: SqlSource, dsnEnv: string, { environment }: AdapterContext): Adapter {
  let connections: Connections | undefined;

  function connect(): Connections | string {
    if (connections !== undefined) return connections;
    const text = environment[dsnEnv];
    if (!text) return `${dsnEnv} is not set`;
    let dsn: Dsn | undefined;
    try {
      dsn = parseDsn(text);
    } catch {
      return `a certificate's file that ${dsnEnv} names cannot be read`;
    }
    if (dsn === undefined) return `${dsnEnv} is no connection string like postgresql://user:password@host/database`;
    const target = dsn;
    connections = createPool<PostgresSession>(
      MAX_READBACK_CONNECTIONS,
      async (limitMs) => {
        const session = await connectPostgres(target, limitMs);
        void session.ended.then(() => connections?.forget(session));
        return session;
      },
      (session) => session.destroy(),
    );
    return connections;
  }

  return {
    describe: () => withMarks(source.parts, (n) => `:${source.parts[2 * n - 1]}`),
    async read({ fields, limitMs }) {
      const end = performance.now() + limitMs;
      const values = bindings(source.parts, fields, postgresValue);
      if (values === undefined) return invalid();
      const driver = missingDriver(source);
      if (driver !== undefined) return doubt("readback_error", driver);
      const pool = connect();
      if (typeof pool === "string") {
        return doubt(pool.endsWith("is not set") ? "credential_missing" : "readback_error", pool);
      }
      return readWith(source, pool, values, end);
    },
    warm() {
      const pool = missingDriver(source) === undefined ? connect() : "";
      if (typeof pool !== "string") pool.warm();
    },
    async close() {
      connections?.close();
    },
  };
}

function invalid(): Observation {
  return doubt("readback_selector_invalid", "a value is missing, empty, or neither text nor number");
}

/** Codes of a connection that has died, perhaps while nobody used it; a read is then tried once on a new one. */
const DEAD = new Set(["ECONNRESET", "EPIPE", "57P01", "57P02", "57P03", "08003", "08006", "25P03", "57P05"]);

async function readWith(source: SqlSource, pool: Connections, values: string[], end: number): Promise<Observation> {
  for (let again = true; ; again = false) {
    let lease: Lease<PostgresSession> | undefined;
    try {
      lease = await pool.take(end - performance.now());
      const observation = await ask(source, lease.item, values, end);
      pool.give(lease, true);
      return observation;
    } catch (error) {
      const code =
        error instanceof PostgresError ? error.code : error instanceof PoolTimeout ? "ETIMEDOUT" : "unknown error";
      // After the server's own refusal the connection is as good as before.
      const refused = /^(?!57P|08|25P03)[0-9A-Z]{5}$/.test(code);
      if (lease !== undefined) pool.give(lease, refused);
      if (!again || !lease?.used || !DEAD.has(code)) return meaning(code);
      pool.clear();
    }
  }
}

async function ask(source: SqlSource, session: PostgresSession, values: string[], end: number): Promise<Observation> {
  const left = () => end - performance.now();
  const most = source.list ? MAX_READBACK_ROWS + 1 : 2;
  // Inside a SELECT nothing can write, and no more rows come than are looked at.
  const statement = `SELECT * FROM (${withMarks(source.parts, (n) => `$${n}`)}\n) AS record LIMIT ${most}`;
  let found = await session.read(statement, values, left());
  if (found.rows.length === 0 && !source.list && !source.emptyProvesAbsence) {
    try {
      found = await session.read(statement, values, left(), false);
    } catch (error) {
      if ((error as PostgresError).code !== "42501") throw error;
      return doubt("readback_unconfirmed", "no row, and row-level security may hide it from this role");
    }
  }
  return observeRows(source, found, postgresJson);
}

function meaning(code: string): Observation {
  const note = `SELECT ${code}`;
  // query_canceled by statement_timeout, lock_not_available
  if (code === "ETIMEDOUT" || code === "57014" || code === "55P03") return doubt("readback_timeout", note);
  // The value is none of the column's type, so that no record can have it: most likely another field is meant.
  if (["22P02", "22003", "22007", "22008", "22021"].includes(code)) return doubt("readback_selector_invalid", note);
  if (code === "ETOOBIG") return doubt("readback_unconfirmed", `${note}, more than 1 MiB`);
  return doubt(/^[0-9A-Z]{5}$/.test(code) && !DEAD.has(code) ? "readback_unconfirmed" : "readback_error", note);
}
