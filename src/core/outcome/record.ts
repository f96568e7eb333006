// The text form of one outcome record: one line of JSON, ASCII, keys sorted, nothing in it but names, codes and counts.

import type { OutcomeFields } from "./types.ts";

/** What `run/` knows and the session does not. */
export interface RecordEnvelope {
  /** Milliseconds since 1970 UTC. */
  readonly timestampMs: number;
  /** Random id of this run of the guard. */
  readonly session: string;
  /** Number of the record within the session, from 1. */
  readonly seq: number;
  /** Digest of the contract file that decided. */
  readonly contract: string;
}

/** The version of the record format; a reader skips what it does not know. */
export const RECORD_VERSION = 1;

/** Takes an outcome and its envelope. Gives one JSON object on one line, without a newline at its end. Never throws. */
export function encodeRecord(outcome: OutcomeFields, envelope: RecordEnvelope): string {
  const members: [string, string | undefined][] = [
    ["call_ms", whole(outcome.call_ms)],
    ["checked_fields", `[${[...outcome.checked_fields].sort().map(text).join(",")}]`],
    ["contract", text(envelope.contract)],
    ["gate_ms", whole(outcome.gate_ms)],
    ["mark_forged", outcome.mark_forged ? "true" : undefined],
    ["mode", text(outcome.mode)],
    ["reason_code", text(outcome.reason_code)],
    ["seq", whole(envelope.seq)],
    ["server", text(outcome.server)],
    ["session", text(envelope.session)],
    ["status", text(outcome.status)],
    ["timestamp", (envelope.timestampMs / 1000).toFixed(3)],
    ["tool", text(outcome.tool)],
    ["v", String(RECORD_VERSION)],
    ["verdict_withheld", outcome.verdict_withheld === undefined ? undefined : text(outcome.verdict_withheld)],
    ["verify_ms", whole(outcome.verify_ms)],
  ];
  const present = members.filter(([, value]) => value !== undefined);
  return `{${present.map(([name, value]) => `"${name}":${value}`).join(",")}}`;
}

/** A count or a time as digits; one that is no such number is left out rather than written as something unreadable. */
function whole(value: number | undefined): string | undefined {
  return value !== undefined && Number.isFinite(value) && value >= 0 ? String(Math.round(value)) : undefined;
}

/** A JSON string in ASCII. Half a surrogate pair would break strict readers of the log, so it becomes U+FFFD. */
function text(value: string): string {
  return JSON.stringify(value.replace(/\p{Surrogate}/gu, "\ufffd")).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
