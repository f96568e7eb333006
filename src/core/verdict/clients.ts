// Decides the shape of a verdict by what the client is known to show its model.

import { CLIENT_SIGHTS } from "./client-sights.ts";
import type { Surface } from "./types.ts";

/**
 * Whether a verdict must turn the result into an error result to be seen. Only then are bytes taken out; otherwise the
 * verdict is purely inserted. Both shapes are seen where the client shows everything.
 */
export function needsErrorShape(surface: Surface, client: string | undefined, hasStructuredContent: boolean): boolean {
  if (surface !== "auto") return surface === "error";
  return (
    hasStructuredContent && CLIENT_SIGHTS.some((sight) => sight.client === client && sight.success === "structured")
  );
}
