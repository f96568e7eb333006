// Clients known to show their model only part of a tool's result, with the evidence; decides the shape of a verdict.

import type { Surface } from "./types.ts";

export interface ClientSight {
  /** `clientInfo.name` as the client sends it. */
  readonly client: string;
  /** On success with `structuredContent`, the model sees only that and no text. */
  readonly hidesTextOnSuccess: boolean;
  /** Where this was reported. */
  readonly source: string;
}

export const CLIENT_SIGHTS: readonly ClientSight[] = [
  {
    client: "claude-code",
    hidesTextOnSuccess: true,
    source: "anthropics/claude-code issues 55677, 64316, 79944",
  },
];

/**
 * Whether a verdict must turn the result into an error result to be seen. Only then are bytes taken out; otherwise the
 * verdict is purely inserted.
 */
export function needsErrorShape(surface: Surface, client: string | undefined, hasStructuredContent: boolean): boolean {
  if (surface !== "auto") return surface === "error";
  return hasStructuredContent && CLIENT_SIGHTS.some((sight) => sight.client === client && sight.hidesTextOnSuccess);
}
