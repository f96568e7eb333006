// What runs in the process beside the reader that holds SQLite. SQLite answers in one go and cannot be interrupted from outside, so it
// has a process of its own, which can be ended. The function's text is the whole program: it must use nothing but its parameters.

import type { Database } from "better-sqlite3";

export interface SqliteQuestion {
  readonly id: number;
  readonly file: string;
  readonly statement: string;
  /** Bound to `:p1`, `:p2` ... */
  readonly values: readonly (string | bigint | number)[];
  readonly busyMs: number;
  readonly maxRows: number;
  readonly maxBytes: number;
}

export type SqliteAnswer =
  | {
      readonly id: number;
      readonly columns: readonly { readonly name: string; readonly type: string | null }[];
      readonly rows: readonly (readonly (null | string | bigint | number | Uint8Array)[])[];
    }
  /** SQLite's own word for an error, or a word of ours. */
  | { readonly id: number; readonly code: string };

/** Answers questions until its parent is gone. `driver` is the path of better-sqlite3. */
export function sqliteChild(
  parent: NodeJS.Process,
  load: (path: string) => new (file: string, options: object) => Database,
  driver: string,
): void {
  const Sqlite = load(driver);
  parent.on("disconnect", () => parent.exit());
  parent.on("message", (question: SqliteQuestion) => {
    parent.send!(answer(question));
  });
  parent.send!({ id: 0, code: "READY" });

  function answer({ id, file, statement, values, busyMs, maxRows, maxBytes }: SqliteQuestion): SqliteAnswer {
    let db: Database | undefined;
    try {
      // Opened anew for each read: a file that was put in the place of another is seen, and no lock is kept.
      db = new Sqlite(file, { readonly: true, fileMustExist: true, timeout: busyMs });
      db.pragma("query_only = ON");
      db.pragma("trusted_schema = OFF");
      const prepared = db.prepare(statement);
      if (!prepared.readonly || !prepared.reader) return { id, code: "WRITES" };
      prepared.safeIntegers(true).raw(true);
      const columns = prepared.columns().map(({ name, type }) => ({ name, type }));
      const bound = Object.fromEntries(values.map((value, i) => [`p${i + 1}`, value]));
      const rows: (null | string | bigint | number | Uint8Array)[][] = [];
      let size = 0;
      for (const row of prepared.iterate(...(values.length > 0 ? [bound] : [])) as Iterable<(typeof rows)[number]>) {
        for (const cell of row) size += typeof cell === "string" || cell instanceof Uint8Array ? cell.length : 8;
        if (size > maxBytes) return { id, code: "TOOBIG" };
        rows.push(row);
        if (rows.length >= maxRows) break;
      }
      return { id, columns, rows };
    } catch (error) {
      const { code } = error as { code?: unknown };
      return { id, code: typeof code === "string" ? code : "unknown error" };
    } finally {
      if (db !== undefined) db.close();
    }
  }
}
