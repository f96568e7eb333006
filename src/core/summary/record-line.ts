// One line of an outcome log as a reader takes it: any line may be torn, foreign or hostile.

import type { Status } from "../verdict/types.ts";
import { MAX_SUMMARY_LINE_BYTES, MAX_SUMMARY_NAME_UNITS } from "./limits.ts";

/** What the figures need of a record. */
export interface LoggedOutcome {
  /** Milliseconds since 1970 UTC. */
  readonly timeMs: number;
  readonly server: string;
  readonly tool: string;
  readonly mode: string;
  readonly status: Status;
  readonly reasonCode: string;
  readonly checkedFields: readonly string[];
  /** Whole milliseconds; undefined when the record has no such number. */
  readonly gateMs: number | undefined;
  /** A FAIL in enforce mode that was not put before the client. */
  readonly withheld: boolean;
}

/** What guard writes before a record on stderr; clients that keep a server's stderr put a time or a name before it. */
const MARK = "[FOURGATE_OUTCOME] ";

/** The end of the year 9999, in seconds: later is no time of a log. */
const LATEST = 253_402_300_800;

const STATUSES: ReadonlySet<unknown> = new Set(["pass", "fail", "unknown"]);

/** More checked fields than this are not shown of a record. */
const MAX_FIELDS = 20;

/**
 * Takes a line without its newline. Gives the record, `blank` for a line of white space, or undefined for what is no record: longer than
 * 64 KiB, no JSON object, a status or a time that is none. Never throws.
 */
export function readRecordLine(line: string): LoggedOutcome | "blank" | undefined {
  if (line.trim() === "") return "blank";
  // Three bytes a unit at most: what is surely too long in bytes, and what only might be.
  if (line.length > MAX_SUMMARY_LINE_BYTES) return undefined;
  const mark = line.startsWith("{") ? -1 : line.indexOf(MARK);
  const value = objectIn(mark < 0 ? line : line.slice(mark + MARK.length));
  if (value === undefined || !STATUSES.has(value.status)) return undefined;
  const { timestamp } = value;
  if (typeof timestamp !== "number" || !(timestamp >= 0 && timestamp < LATEST)) return undefined;
  return {
    timeMs: timestamp * 1000,
    server: name(value.server),
    tool: name(value.tool),
    mode: name(value.mode),
    status: value.status as Status,
    reasonCode: name(value.reason_code),
    checkedFields: Array.isArray(value.checked_fields) ? value.checked_fields.slice(0, MAX_FIELDS).map(name) : [],
    gateMs: whole(value.gate_ms),
    withheld: typeof value.verdict_withheld === "string",
  };
}

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

function name(value: unknown): string {
  if (typeof value !== "string" || value === "") return "unknown";
  const cut = value.length <= MAX_SUMMARY_NAME_UNITS ? value : value.slice(0, MAX_SUMMARY_NAME_UNITS);
  if (!/[\ud800-\udfff]/.test(cut)) return cut;
  // Strict readers of JSON take no half of a pair.
  return (cut === value ? cut : cut.replace(/[\ud800-\udbff]$/, "")).replace(/\p{Surrogate}/gu, "\ufffd");
}

const whole = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
