// Database drivers are not part of fourgate: whoever reads a database adds its driver beside it.

import { createRequire } from "node:module";
import type { Source } from "../core/readback/types.ts";

const here = createRequire(import.meta.url);

/** The module of a driver; undefined when it is not installed. */
export function driverPath(name: "pg" | "better-sqlite3"): string | undefined {
  try {
    return here.resolve(name);
  } catch {
    return undefined;
  }
}

/** One sentence on the driver that a source needs and that is not there; undefined when nothing is missing. */
export function missingDriver(source: Source): string | undefined {
  if (source.type !== "sql") return undefined;
  const [name, what, version] =
    source.database.type === "postgresql"
      ? (["pg", "PostgreSQL", "pg@8"] as const)
      : (["better-sqlite3", "SQLite", "better-sqlite3@12"] as const);
  if (driverPath(name) !== undefined) return undefined;
  return `reading ${what} needs the package ${name}, which is not installed; add it where fourgate is: npm install ${version}`;
}
