// The registry of read-back types; schema, start-up checks and documentation follow it.

import { file } from "./file.ts";
import { githubIssue } from "./github-issue.ts";
import { graphql } from "./graphql.ts";
import { http } from "./http.ts";
import type { ReadbackKind } from "./kind.ts";
import { mcp } from "./mcp.ts";
import { sql } from "./sql.ts";

export const kinds: readonly ReadbackKind[] = [http, githubIssue, graphql, file, sql, mcp];

/** The type of that name. */
export function kindNamed(type: string): ReadbackKind | undefined {
  return kinds.find((kind) => kind.type === type);
}
