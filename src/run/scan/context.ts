// What every part of a running scan works with.

import type { Redactor } from "../../core/redact/redactor.ts";
import type { Environment } from "../../io/environment.ts";
import type { VerifierRunner } from "../../io/verifier-runner.ts";
import type { ScanClient } from "./client.ts";
import type { Session } from "./handshake.ts";
import type { Reads } from "./reads.ts";

export interface ScanContext {
  readonly client: ScanClient;
  readonly session: Session;
  readonly verifiers: VerifierRunner;
  readonly reads: Reads;
  readonly environment: Environment;
  readonly redactor: Redactor;
  readonly showValues: boolean;
  readonly runId: string;
  readonly callTimeoutMs: number;
  /** Aborted when fourgate is told to stop. */
  readonly stop: AbortSignal;
  /** Aborted a while later: the call under way is given up. */
  readonly giveUp: AbortSignal;
  /** Aborted when all must be over: clean-up under way is given up too. */
  readonly over: AbortSignal;
}
