// One outcome, as the session reports it; time of day, session id and contract digest are added by run/.

import type { Mode } from "../contract/types.ts";
import type { ReasonCode, Status } from "../verdict/types.ts";

export interface OutcomeFields {
  readonly server: string;
  readonly tool: string;
  readonly mode: Mode;
  readonly status: Status;
  readonly reason_code: ReasonCode;
  /** Sorted field names; empty unless pass or fail. */
  readonly checked_fields: readonly string[];
  /** Whole milliseconds that the client waited because of us. */
  readonly gate_ms: number;
  /** Whole milliseconds from the check's start to its answer; absent when none ran. */
  readonly verify_ms?: number;
  /** Whole milliseconds from the call to the server's answer; absent when none came. */
  readonly call_ms?: number;
  /** The server's answer holds the mark that begins a verdict of fourgate's. */
  readonly mark_forged?: true;
  /** Why a confirmed FAIL in enforce mode was not put before the client. */
  readonly verdict_withheld?: "line_too_long";
}
