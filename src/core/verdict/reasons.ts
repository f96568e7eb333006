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
    meaning: "The server answered with a task, a question or a result type that is not known, and no outcome followed.",
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
  readback_unconfirmed: {
    status: "unknown",
    meaning:
      "The system of record gave no clear answer: another status than 200, no object, a value that cannot be compared, or a failure that the contract does not allow.",
    remedy: "Run `fourgate verify` on the read-back by hand; it shows what was asked and what came back.",
  },
  readback_shape_invalid: {
    status: "unknown",
    meaning: "What was read lacks a path that the read-back expects.",
    remedy: "Compare the paths of `expected_fields` and `find` with a real answer of the system of record.",
  },
  readback_error: {
    status: "unknown",
    meaning: "The system of record could not be reached, or what it sent is not JSON.",
    remedy: "Check address, network, proxy and certificates; `fourgate verify` names the error.",
  },
  readback_timeout: {
    status: "unknown",
    meaning: "The read was not done when its time was up.",
    remedy: "Raise `timeout_ms` (under guard at most 1500), or read something smaller.",
  },
  readback_selector_invalid: {
    status: "unknown",
    meaning: "A field that the read needs is missing, or its value must not be put into an address.",
    remedy: "Check that the extracted field is the record's id: a text or a number, neither empty nor a path.",
  },
  readback_inconsistent: {
    status: "unknown",
    meaning: "The attempts saw different things, and none of them what the call asked for.",
    remedy: "The record may be changing or late; raise `interval_ms`, or read from the primary.",
  },
  not_settled: {
    status: "unknown",
    meaning:
      "What the record holds, or whether it exists, was read before its `settle_ms` had passed, when that is no proof yet.",
    remedy: "Look again later; lower `settle_ms` only if the system shows writes sooner.",
  },
  credential_missing: {
    status: "unknown",
    meaning:
      "A credential that the read needs is not set where fourgate runs, or cannot be sent, so nothing was asked.",
    remedy:
      "Set the variable in the environment that the client starts fourgate with; if it is set, look for a line break at its end.",
  },
  internal_error: {
    status: "unknown",
    meaning: "A fault of fourgate's own kept the check from ending.",
    remedy: "Please report it with the version and the output of `--verbose`.",
  },
} as const satisfies Readonly<Record<string, Reason>>;

export type FixedReason = keyof typeof reasons;
