// Keeps a guard alive through faults of its own.

import type { StderrWriter } from "../../io/stderr.ts";

/** A fault in some corner of ours must not take the user's session with it (README, promise 3). */
export function surviveFaults(stderr: StderrWriter): void {
  const survive = (error: unknown) => {
    const kind = error instanceof Error ? error.name : typeof error;
    stderr.note(`fourgate: internal fault (${kind}); the traffic goes on`);
  };
  process.on("uncaughtException", survive);
  process.on("unhandledRejection", survive);
}
