// The exit status of a guard: the server's own, or 128+n for a signal, as a shell would give it.

import { constants } from "node:os";
import type { ServerEnd } from "../../io/server-process.ts";

/** `end` is undefined for a server that goes on; `told` is the signal that fourgate itself was sent, if any. */
export function exitStatus(end: ServerEnd | undefined, told: NodeJS.Signals | undefined): number {
  const signal = told ?? end?.signal;
  if (signal) return 128 + (constants.signals[signal] ?? 1);
  return end?.code ?? 1;
}
