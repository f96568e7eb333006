// Statuses, reasons and what a verifier can come back with.

import type { ReadbackOutcome } from "../readback/types.ts";

export type Status = "pass" | "fail" | "unknown";

/** A fixed code of reasons.ts, or one of the contract's `allowed_failure_reasons`. */
export type ReasonCode = string;

export interface Outcome {
  readonly status: Status;
  readonly reason: ReasonCode;
  /** Of a FAIL by read-back: the fields whose values the record does not have. */
  readonly unmetFields?: readonly string[];
}

/**
 * What became of a check: of a verifier process, or of a read-back. `io/` fills it in, `verdict/decide.ts` judges it. `stdout` is the whole output when
 * `ended` is `exit` and `overflow` is false.
 */
export type Reply =
  | {
      readonly ended: "exit";
      /** Exit status, or null when a signal ended it. */
      readonly code: number | null;
      readonly signal: string | null;
      readonly stdout: Uint8Array;
      /** More output than MAX_VERIFIER_OUTPUT_BYTES; `stdout` is then empty. */
      readonly overflow: boolean;
    }
  /** A read-back's end. */
  | { readonly ended: "read"; readonly outcome: ReadbackOutcome }
  | { readonly ended: "timeout" }
  | { readonly ended: "not_started" }
  | { readonly ended: "cancelled" }
  /** A fault of ours while running it. */
  | { readonly ended: "fault" };

/** The shape of a verdict: by what the client is known to show, always inserted, or always an error result. */
export type Surface = "auto" | "prepend" | "error";
