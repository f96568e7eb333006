// What the rows of a SELECT say about the record, whatever database they come from.

import { MAX_READBACK_ROWS } from "../core/limits.ts";
import type { SqlSource } from "../core/readback/kinds/sql.ts";
import { type Column, rowJson } from "../core/readback/sql/values.ts";
import type { Observation } from "../core/readback/types.ts";

export interface SqlRows<T> {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly T[])[];
}

/** One row is the record, none is its absence, more are a doubt; or all rows are the list that the record is in. `json` gives a value's JSON. */
export function observeRows<T>(
  { list }: SqlSource,
  { columns, rows }: SqlRows<T>,
  json: (value: T, type: Column["type"]) => string,
): Observation {
  const record = (row: readonly T[]) => rowJson(columns, row, json);
  if (list) {
    const more = rows.length > MAX_READBACK_ROWS;
    return { type: "record", json: `[${rows.map(record).join()}]`, note: "SELECT", more };
  }
  if (rows.length > 1) return { type: "doubt", reason: "readback_unconfirmed", note: "SELECT, more than one row" };
  return rows.length === 0
    ? { type: "missing", note: "SELECT, no row" }
    : { type: "record", json: record(rows[0]!), note: "SELECT" };
}
