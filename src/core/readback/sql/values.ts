// Between JSON and the values of databases, without losing a digit: what is bound to a parameter, and what a row becomes.

import type { Fields } from "../../select/types.ts";
import { normalNumber } from "../../wire/ids.ts";
import { jsonValue } from "../../wire/validate.ts";
import { scalarText } from "../url-template.ts";

/** A value for PostgreSQL, which reads it as the type that the statement wants; undefined for what must not be bound. */
export function postgresValue(json: string | undefined): string | undefined {
  const text = scalarText(json);
  // A comparison with null finds nothing, whatever there is, and an empty key is none.
  if (json === undefined || text === undefined || text === "" || text.includes("\0")) return undefined;
  const whole = json.startsWith('"') ? undefined : normalNumber(json);
  return whole !== undefined && /^-?[0-9]+$/.test(whole) ? whole : text;
}

/** A value for SQLite; undefined for what must not be bound. */
export function sqliteValue(json: string | undefined): string | bigint | number | undefined {
  const text = scalarText(json);
  if (json === undefined || text === undefined || text === "" || text.includes("\0")) return undefined;
  if (json === "true" || json === "false") return json === "true" ? 1n : 0n;
  if (json.startsWith('"')) return text;
  const normal = normalNumber(json)!;
  if (/^-?[0-9]{1,30}$/.test(normal)) {
    const whole = BigInt(normal);
    return BigInt.asIntN(64, whole) === whole ? whole : normal;
  }
  // A number that a double cannot hold goes as text, which a numeric column reads as what it can hold itself.
  const double = Number(json);
  return Number.isFinite(double) && normalNumber(String(double)) === normal ? double : text;
}

/** The values of a statement's parameters in their order, or undefined when one of them must not be bound. */
export function bindings<T>(
  parts: readonly string[],
  fields: Fields,
  value: (json: string | undefined) => T | undefined,
): T[] | undefined {
  const bound: T[] = [];
  for (let i = 1; i < parts.length; i += 2) {
    const one = value(fields.get(parts[i]!));
    if (one === undefined) return undefined;
    bound.push(one);
  }
  return bound;
}

/** The statement with `mark(n)` for each parameter, counted from 1. */
export function withMarks(parts: readonly string[], mark: (n: number) => string): string {
  return parts.map((part, i) => (i % 2 === 0 ? part : mark((i + 1) / 2))).join("");
}

export interface Column {
  readonly name: string;
  /** PostgreSQL's number of a type, or the type that SQLite's table declares. */
  readonly type: number | string | null;
}

/** One row as a JSON object; a column name that stands twice stays twice, so that no value is picked by chance. */
export function rowJson<T>(
  columns: readonly Column[],
  row: readonly T[],
  json: (value: T, type: Column["type"]) => string,
): string {
  return `{${columns.map(({ name, type }, i) => `${JSON.stringify(name)}:${json(row[i]!, type)}`).join()}}`;
}

/** pg_type.oid of the types that are more than text in JSON. */
const BOOL = 16;
const NUMBERS = new Set([20, 21, 23, 26, 700, 701, 1700]);
const JSONS = new Set([114, 3802]);
const TIMESTAMPS = new Set([1114, 1184]);

/** A value in PostgreSQL's text form as JSON. */
export function postgresJson(value: string | null, type: Column["type"]): string {
  if (value === null) return "null";
  const oid = Number(type);
  if (oid === BOOL && (value === "t" || value === "f")) return value === "t" ? "true" : "false";
  // NaN and the infinities are no numbers in JSON.
  if (NUMBERS.has(oid) && normalNumber(value) !== undefined) return value;
  if (JSONS.has(oid) && isJson(value)) return value;
  // ISO 8601 wants a T where PostgreSQL writes a blank.
  if (TIMESTAMPS.has(oid)) return JSON.stringify(value.replace(" ", "T"));
  return JSON.stringify(value);
}

export type SqliteCell = null | string | bigint | number | Uint8Array;

/** A value of SQLite as JSON. `declared` tells what the table's author meant, where SQLite itself knows only numbers and texts. */
export function sqliteJson(value: SqliteCell, declared: Column["type"]): string {
  if (value === null) return "null";
  if (typeof value === "bigint") {
    if (/^bool(?:ean)?$/i.test(String(declared)) && (value === 0n || value === 1n)) return String(value === 1n);
    return value.toString();
  }
  if (typeof value === "number") return Number.isFinite(value) ? JSON.stringify(value) : JSON.stringify(String(value));
  if (typeof value !== "string") {
    return JSON.stringify(Array.from(value, (byte) => byte.toString(16).padStart(2, "0")).join(""));
  }
  return /^jsonb?$/i.test(String(declared)) && isJson(value) ? value : JSON.stringify(value);
}

function isJson(text: string): boolean {
  const bytes = new TextEncoder().encode(text);
  return jsonValue(bytes, 0, bytes.length) !== undefined;
}
