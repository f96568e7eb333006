// What an outcome means and how to mend it, in the words of `fourgate verify`.

import type { ReadbackOutcome } from "../../core/readback/types.ts";
import { reasons } from "../../core/verdict/reasons.ts";

const FAILURES = {
  record_missing: "The system of record says that there is no such record.",
  field_mismatch: "The record is there, and has other values than expected.",
  record_present: "The record is still there.",
} as const;

const NOT_LISTED =
  "No proof that the record is missing: many systems answer this where the credential may not read. If yours may read every record, list the status under missing_statuses.";

/** By HTTP status, more than a reason alone can tell. */
const STATUSES: Readonly<Record<number, string>> = {
  400: "The system does not understand the question; compare the address with its documentation.",
  401: "The credential was refused: it is wrong, has run out, or is sent in another way than the system wants (auth).",
  403: "The credential may not read this; give it the right to, or use another one.",
  404: NOT_LISTED,
  410: NOT_LISTED,
  407: "A proxy stands in between and wants a credential; see HTTPS_PROXY and NO_PROXY.",
  429: "The system is asked too often; lower attempts, raise interval_ms, or use a credential of its own.",
};

/** What the outcome means, and what to do; neither ever holds a value. */
export function meaningOf(outcome: ReadbackOutcome): { meaning: string; remedy: string } {
  if (outcome.type === "pass") {
    return { meaning: "The system of record has what is expected.", remedy: "Nothing to do." };
  }
  if (outcome.type === "fail") {
    return { meaning: FAILURES[outcome.reason], remedy: "This is proof; under guard the answer would get a verdict." };
  }
  const { meaning, remedy } = reasons[outcome.reason];
  const status = outcome.status ?? 200;
  if (outcome.reason !== "readback_unconfirmed" || status === 200)
    return { meaning, remedy: ofCode(outcome.note) ?? remedy };
  if (status >= 300 && status < 400) {
    return { meaning, remedy: "Redirects are never followed; write the final address into the read-back." };
  }
  if (status >= 500) return { meaning, remedy: "The system has trouble of its own; try again later." };
  return { meaning, remedy: STATUSES[status] ?? remedy };
}

/** By the word for an error that stands in the note. */
function ofCode(note: string): string | undefined {
  if (/PROXY_STATUS_407/.test(note)) return STATUSES[407];
  if (/PROXY_/.test(note)) return "The proxy did not give a way through; see HTTPS_PROXY and NO_PROXY.";
  if (/ENOTFOUND|EAI_AGAIN/.test(note)) return "The host's name is not known; check the address and the network.";
  if (/ is not set$/.test(note)) return "Set the variable where fourgate runs.";
  if (/ (?:28P01|28000|EPASSWORD)$/.test(note))
    return "The database refused the user, the password, or a connection without TLS.";
  if (/ 42501$/.test(note)) return "The role may not read this; GRANT SELECT on the table, and USAGE on its schema.";
  if (/ ENOTLS$/.test(note))
    return "The database speaks no TLS; with sslmode=disable in the connection string none is asked for.";
  if (/ECONNREFUSED/.test(note)) return "Nothing listens at that host and port.";
  if (/CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS|ALTNAME/.test(note)) {
    return "The system's certificate is not trusted; for a private authority set NODE_EXTRA_CA_CERTS to its file.";
  }
  return undefined;
}
