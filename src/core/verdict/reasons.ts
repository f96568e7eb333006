// The fixed reason codes with their status and what each means to a person; docs/verdicts.md is checked against this table.

import type { Status } from "./types.ts";

export interface Reason {
  readonly status: Status;
  /** One sentence: what happened. */
  readonly meaning: string;
  /** One sentence: what to do about it. */
  readonly remedy: string;
}

/** Every reason that fourgate itself gives; the reasons of a FAIL come from the contract's `allowed_failure_reasons`. */
export const reasons = {
  postcondition_satisfied: {
    status: "pass",
    meaning: "The verifier read the system of record and found what the call asked for.",
    remedy: "Nothing to do.",
  },
  not_success_result: {
    status: "unknown",
    meaning:
      "The server did not report success: an error response, `isError` true, or a result without exactly one `content` list.",
    remedy: "Nothing was claimed, so nothing was checked; look at the server's own answer.",
  },
  required_field_missing: {
    status: "unknown",
    meaning: "A field that the contract selects was not in the call or its answer.",
    remedy: "Compare the contract's `extract` paths with a real answer of this server.",
  },
  success_without_record_id: {
    status: "unknown",
    meaning: "The server reported success, but the record's id was missing, null or empty.",
    remedy: "Check `record_id_field`; if it is right, the server says done without naming what it made.",
  },
  verifier_error: {
    status: "unknown",
    meaning: "The verifier could not be started, ended with a non-zero exit status, or was ended by a signal.",
    remedy: "Run with `--verbose` to see the end of its stderr, and try the command by hand.",
  },
  verifier_timeout: {
    status: "unknown",
    meaning: "The verifier had not answered when its time was up, and was killed.",
    remedy: "Raise `timeout_ms` (at most 2000) or make the read faster.",
  },
  verifier_malformed: {
    status: "unknown",
    meaning:
      "The verifier's output was not exactly one JSON object with a known status and an approved reason, or was too large.",
    remedy: "Print one object to stdout and everything else to stderr; list each reason in `allowed_failure_reasons`.",
  },
  request_id_ambiguous: {
    status: "unknown",
    meaning: "The call's request id was in use by another call or cannot be matched safely.",
    remedy: "This is the client's doing; report it to its authors.",
  },
  response_too_large: {
    status: "unknown",
    meaning: "The answer was longer than what fourgate keeps for inspection, and passed unread.",
    remedy: "Raise `--max-inspect` if such answers are normal for this tool.",
  },
  overlapped: {
    status: "unknown",
    meaning: "The check found a difference, but a later write may have caused it before the check ended.",
    remedy: "Use `--shadow-hold` or enforce mode where calls follow each other quickly.",
  },
  cancelled: {
    status: "unknown",
    meaning: "The client cancelled the call before its status was known.",
    remedy: "The write may have happened; look at the system of record.",
  },
  deferred: {
    status: "unknown",
    meaning: "The server answered with a task or a question instead of an outcome, which this version does not follow.",
    remedy: "Look at the system of record; the task may still be running.",
  },
  no_response: {
    status: "unknown",
    meaning: "The server or the session ended before the call was answered.",
    remedy: "The write may have happened; look at the server's own log and the system of record.",
  },
  session_ended: {
    status: "unknown",
    meaning: "fourgate was told to stop before the check had ended.",
    remedy: "Look at the system of record; the answer itself was passed on.",
  },
  internal_error: {
    status: "unknown",
    meaning: "A fault of fourgate's own kept the check from ending.",
    remedy: "Please report it with the version and the output of `--verbose`.",
  },
} as const satisfies Readonly<Record<string, Reason>>;

export type FixedReason = keyof typeof reasons;
