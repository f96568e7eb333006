// The reasons of a scan's UNKNOWN that no guarded call can have; docs/scan.md is checked against this table.

export interface ScanReason {
  /** One sentence: what happened. */
  readonly meaning: string;
  /** One sentence: what to do about it. */
  readonly remedy: string;
}

export const scanReasons = {
  tool_not_discovered: {
    meaning: "The server's `tools/list`, all pages of it, has no tool of that name, so nothing was called.",
    remedy: "Write the exact name on the wire; a client's prefix is not part of it.",
  },
  call_timeout: {
    meaning:
      "The server did not answer within `call_timeout_ms`. The write may have happened; nothing more is written.",
    remedy: "Look at the system of record; raise `call_timeout_ms` if the tool needs longer.",
  },
  server_closed: {
    meaning: "The server ended, or closed its output, before it had answered.",
    remedy: "Look at the end of its stderr, which `--show-values` shows, and at the system of record.",
  },
  bad_answer: {
    meaning: "The server's only answer within `call_timeout_ms` was not JSON.",
    remedy: "Look at what the server prints to stdout; it must be whole JSON lines.",
  },
  server_not_started: {
    meaning: "The server's program could not be started.",
    remedy: "Check `server.command` and `server.cwd`; the system's own word for the error is shown.",
  },
  handshake_timeout: {
    meaning: "The server had not answered `initialize`, `server/discover` or `tools/list` in time.",
    remedy: "Raise `server.start_timeout_ms` if it has to be fetched first.",
  },
  handshake_refused: {
    meaning: "The server refused `initialize`, `server/discover` or `tools/list`, or answered with something else.",
    remedy: "Try another `server.protocol_version`.",
  },
  not_created_by_this_run: {
    meaning:
      "Of a clean-up: the record's id stands in the case's own arguments, or another value was read where the run's token was expected, so the record may be older than the run.",
    remedy: "Let the case make its own record, or put {run_id} into what names it.",
  },
  id_unusable: {
    meaning: "Of a clean-up: the id in the answer is no plain name or number, so it is put into no call that removes.",
    remedy: "Look for the record by the run's token and remove it by hand.",
  },
  id_unknown: {
    meaning: "Of a clean-up: the case did not learn what the clean-up needs to name the record.",
    remedy: "Look for the record by the run's token and remove it by hand.",
  },
} as const satisfies Readonly<Record<string, ScanReason>>;

export type ScanReasonCode = keyof typeof scanReasons;
