// What the rest of the program asks about a tool's check, whichever way it is checked.

import { MAX_GUARDED_READBACK_MS } from "../limits.ts";
import type { ToolContract } from "./types.ts";

/** How long one check of the tool may take under guard, milliseconds. */
export function checkLimitMs({ verifier, readback }: ToolContract): number {
  if (verifier !== undefined) return verifier.timeoutMs;
  return Math.min(readback?.timeoutMs ?? 0, MAX_GUARDED_READBACK_MS);
}

/** The variables that the check may see and the wrapped server must not. */
export function credentialNames({ verifier, readback }: ToolContract): readonly string[] {
  return verifier?.secretEnv ?? readback?.credentials ?? [];
}
