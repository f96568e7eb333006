// One connection to PostgreSQL and one read on it: a read-only transaction with time limits, one bound SELECT, its rows as text.

import type { Client, QueryArrayConfig, QueryArrayResult } from "pg";
import { MAX_READBACK_BODY_BYTES } from "../core/limits.ts";
import type { Dsn } from "./postgres-dsn.ts";

export interface PostgresRows {
  readonly columns: readonly { readonly name: string; readonly type: number }[];
  readonly rows: readonly (readonly (string | null)[])[];
}

/** What the server said, or the connection: SQLSTATE or a system's code, never a message. */
export class PostgresError extends Error {
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

export interface PostgresSession {
  /** Reads in a transaction of its own. `policies` false: fails where row-level security would hide rows. */
  read(statement: string, values: readonly string[], limitMs: number, policies?: boolean): Promise<PostgresRows>;
  /** Settles when the connection has ended, by whomever. */
  readonly ended: Promise<void>;
  /** Ends at once whatever is going on. */
  destroy(): void;
}

/** Connects. Rejects with a PostgresError. */
export async function connectPostgres(dsn: Dsn, limitMs: number): Promise<PostgresSession> {
  const { default: pg } = await import("pg");
  const client = new pg.Client({
    ...dsn,
    application_name: "fourgate",
    keepAlive: true,
    // Everything stays the text that the server sent: numbers keep their digits.
    types: { getTypeParser: () => (text: string) => text },
    ...(dsn.ssl !== false && { enableChannelBinding: true }),
  });
  const destroy = () => void stream(client).destroy();
  // The end of a connection shows at the next use; without a listener it would end the process.
  const ended = new Promise<void>((resolve) => {
    client.on("error", () => resolve());
    client.on("end", () => resolve());
  });
  try {
    await within(limitMs, destroy, client.connect());
  } catch (error) {
    destroy();
    throw new PostgresError(codeOf(error));
  }
  return {
    ended,
    destroy,
    read: (statement, values, limitMs, policies = true) =>
      within(limitMs, destroy, transaction(client, statement, values, limitMs, policies)).catch((error) => {
        throw new PostgresError(codeOf(error));
      }),
  };
}

async function transaction(
  client: Client,
  statement: string,
  values: readonly string[],
  limitMs: number,
  policies: boolean,
): Promise<PostgresRows> {
  const ms = Math.max(1, Math.floor(limitMs));
  await client.query(
    [
      "BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY",
      `SET LOCAL statement_timeout = ${ms}`,
      `SET LOCAL lock_timeout = ${ms}`,
      `SET LOCAL idle_in_transaction_session_timeout = ${ms + 1000}`,
      `SET LOCAL row_security = ${policies ? "on" : "off"}`,
      // One way of writing values, whatever the role is set to.
      "SET LOCAL TimeZone = 'UTC'",
      "SET LOCAL DateStyle = 'ISO'",
      "SET LOCAL IntervalStyle = 'iso_8601'",
      "SET LOCAL bytea_output = 'hex'",
      "SET LOCAL extra_float_digits = 1",
    ].join("; "),
  );
  const stop = watchSize(client);
  let result: QueryArrayResult<(string | null)[]>;
  try {
    // The extended protocol takes one statement only, with or without values.
    const query: QueryArrayConfig & { queryMode: "extended" } = {
      text: statement,
      values: [...values],
      rowMode: "array",
      queryMode: "extended",
    };
    result = await client.query<(string | null)[]>(query);
  } catch (error) {
    if ((error as { severity?: unknown }).severity !== undefined) await client.query("ROLLBACK");
    throw error;
  } finally {
    stop();
  }
  await client.query("COMMIT");
  return {
    columns: result.fields.map(({ name, dataTypeID }) => ({ name, type: dataTypeID })),
    rows: result.rows,
  };
}

/** Ends the connection when an answer is larger than any record. */
function watchSize(client: Client): () => void {
  const socket = stream(client);
  let size = 0;
  const count = (chunk: Uint8Array): void => {
    size += chunk.length;
    if (size > MAX_READBACK_BODY_BYTES) socket.destroy(Object.assign(new Error(), { code: "ETOOBIG" }));
  };
  socket.on("data", count);
  return () => void socket.off("data", count);
}

/** The client's socket, which pg keeps in a property that its types do not show. */
function stream(client: Client): NodeJS.ReadWriteStream & { destroy(error?: Error): unknown } {
  return (client as unknown as { connection: { stream: ReturnType<typeof stream> } }).connection.stream;
}

async function within<T>(limitMs: number, abandon: () => void, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    if (limitMs === Number.POSITIVE_INFINITY) return;
    timer = setTimeout(
      () => {
        reject(new PostgresError("ETIMEDOUT"));
        abandon();
      },
      Math.max(0, limitMs),
    );
  });
  // What ends after it was given up is of no interest.
  work.catch(() => {});
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function codeOf(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code === "string" && /^[A-Z0-9_]{1,60}$/.test(code)) return code;
  const text = String(message);
  if (/does not support SSL/i.test(text)) return "ENOTLS";
  if (/password|SASL|SCRAM/i.test(text)) return "EPASSWORD";
  if (/terminated|not queryable|ended|closed/i.test(text)) return "ECONNRESET";
  const inner = (error as AggregateError).errors?.[0];
  return inner === undefined ? "unknown error" : codeOf(inner);
}
