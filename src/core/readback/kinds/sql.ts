// `type: sql`: one fixed SELECT on PostgreSQL or SQLite, its parameters bound, never put into the text.

import { offsetInString } from "../../contract/position.ts";
import { memberOf } from "../../contract/tree.ts";
import { type Place, placeNames, placeRight, placeSchema, readPlace } from "../place.ts";
import { parseSelect } from "../sql/select.ts";
import { words } from "../words.ts";
import type { FieldUse, ReadbackKind } from "./kind.ts";

export interface SqlSource {
  readonly type: "sql";
  readonly database:
    | { readonly type: "postgresql"; readonly dsnEnv: string }
    | { readonly type: "sqlite"; readonly file: Place };
  /** The statement, in turn text and the field whose value is bound there. */
  readonly parts: readonly string[];
  /** The rows are a list, in which `find` looks for the record. */
  readonly list: boolean;
  /** No row proves absence even where it cannot be told whether row-level security hides some. */
  readonly emptyProvesAbsence: boolean;
}

export const sql: ReadbackKind = {
  type: "sql",
  existenceIsEnough: true,
  properties: {
    dsn_env: {
      description: "For PostgreSQL: the environment variable that holds the connection string.",
      type: "string",
      pattern: "^[A-Za-z_][A-Za-z_0-9]*$",
    },
    sqlite_file: placeSchema("For SQLite: the database file, relative to this file, or from a variable.", [
      "inventory.db",
      { env: "INVENTORY_DB" },
    ]),
    select: {
      description: "One SELECT (or WITH, or VALUES). :field stands for an extracted value, which is bound.",
      type: "string",
      minLength: 1,
      maxLength: 8192,
      examples: ["SELECT title, state FROM issues WHERE id = :issue_id"],
    },
    empty_proves_absence: {
      description:
        "For PostgreSQL: no row proves that there is no such record, although policies for row-level security hold for the role.",
      type: "boolean",
      default: false,
    },
  },
  required: ["select"],
  right: {
    ...placeRight("sqlite_file"),
    dsn_env: "the name of an environment variable, as a string",
    sqlite_file: 'a file, as a string relative to this file, or {"env": "NAME"}',
    select: "one SELECT statement with :field for extracted values, at most 8192 characters",
    empty_proves_absence: "true or false",
  },
  compile(node, steps, { text, host, note }) {
    const dsn = memberOf(node, "dsn_env");
    const file = memberOf(node, "sqlite_file");
    if ((dsn === undefined) === (file === undefined)) note((file ?? node).at, steps, words.oneDatabase());
    const place = readPlace(file, host.path, () => {});
    const proves = memberOf(node, "empty_proves_absence");
    if (proves !== undefined && file !== undefined) {
      note(proves.at, [...steps, "empty_proves_absence"], words.emptyProvesAlways());
    }
    const select = memberOf(node, "select");
    if (select?.type !== "string" || select.text === "") return undefined;
    const here = [...steps, "select"];
    const parsed = parseSelect(select.text, dsn === undefined ? "sqlite" : "postgresql");
    if (!parsed.ok) {
      note(offsetInString(text, select, parsed.at), here, words.sql(parsed.problem));
      return undefined;
    }
    const uses = parsed.parts.flatMap((name, i): FieldUse[] => {
      if (i % 2 === 0) return [];
      return [{ name, at: offsetInString(text, select, select.text.indexOf(`:${name}`) + 1), steps: here }];
    });
    const database: SqlSource["database"] | undefined =
      place !== undefined
        ? { type: "sqlite", file: place.place }
        : dsn?.type === "string"
          ? { type: "postgresql", dsnEnv: dsn.text }
          : undefined;
    if (database === undefined) return undefined;
    const source: SqlSource = {
      type: "sql",
      database,
      parts: parsed.parts,
      list: memberOf(node, "find") !== undefined,
      emptyProvesAbsence: proves?.type === "boolean" && proves.is,
    };
    return {
      source,
      ...(place && { canonical: { ...source, database: { type: "sqlite", file: place.written } } }),
      credentials: database.type === "postgresql" ? [database.dsnEnv] : [],
      environment: place === undefined ? [] : placeNames(place.place),
      uses,
    };
  },
};
