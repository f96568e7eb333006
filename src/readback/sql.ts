// `type: sql`: the adapter of the database that is meant.

import type { SqlSource } from "../core/readback/kinds/sql.ts";
import type { Adapter, AdapterContext } from "./adapter.ts";
import { openPostgres } from "./postgres.ts";
import { openSqlite } from "./sqlite.ts";

/** Opens the adapter; nothing is asked before the first read. */
export async function openSql(source: SqlSource, context: AdapterContext): Promise<Adapter> {
  const { database } = source;
  return database.type === "postgresql"
    ? openPostgres(source, database.dsnEnv, context)
    : openSqlite(source, database.file, context);
}
