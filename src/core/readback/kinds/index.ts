// The registry of read-back types; schema, start-up checks and documentation follow it.

import { githubIssue } from "./github-issue.ts";
import { graphql } from "./graphql.ts";
import { http } from "./http.ts";
import type { ReadbackKind } from "./kind.ts";

export const kinds: readonly ReadbackKind[] = [http, githubIssue, graphql];

/** The type of that name. */
export function kindNamed(type: string): ReadbackKind | undefined {
  return kinds.find((kind) => kind.type === type);
}
