// The one face of whatever checks a call, and the choice between a verifier process and the reader.

import type { ToolContract } from "../core/contract/types.ts";
import { createReader, type ReaderOptions } from "./reader.ts";
import { createVerifierRunner, type VerifierRun } from "./verifier-runner.ts";

/** What became of one check. */
export type CheckRun = VerifierRun;

export interface Checker {
  /** Runs one check within its budget: `input` is a JSON object of the extracted fields. Never rejects. */
  run(check: number, tool: ToolContract, input: string, budgetMs: number): Promise<CheckRun>;
  /** Ends a running check as `cancelled`; nothing happens when it is settled or unknown. */
  cancel(check: number): void;
  /** Starts ahead what checks of the tool will need. */
  prewarm(tool: ToolContract): void;
  /** Ends everything and waits, within a bound, until nothing is left. Later runs settle as cancelled. */
  close(): Promise<void>;
  /** Ends everything at once without waiting. */
  killNow(): void;
}

/** The checker of one session: each tool by its own verifier or by the session's reader. */
export function createChecker(options: ReaderOptions): Checker {
  const verifiers = createVerifierRunner(options);
  const reader = createReader(options);
  return {
    run(check, tool, input, budgetMs) {
      if (tool.verifier !== undefined) return verifiers.run(check, tool.verifier, input, budgetMs);
      return reader.run(check, tool, input, budgetMs);
    },
    cancel(check) {
      verifiers.cancel(check);
      reader.cancel(check);
    },
    prewarm(tool) {
      if (tool.verifier !== undefined) verifiers.prewarm(tool.verifier);
      else reader.prewarm(tool);
    },
    async close() {
      await Promise.all([verifiers.close(), reader.close()]);
    },
    killNow() {
      verifiers.killNow();
      reader.killNow();
    },
  };
}
