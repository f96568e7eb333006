// The figures of an outcome log: records in, counts out, in memory that does not grow with the log.

import type { Status } from "../verdict/types.ts";
import { type Latency, LatencyCounts } from "./latency.ts";
import { MAX_SUMMARY_DAYS, MAX_SUMMARY_FAILURES, MAX_SUMMARY_HOURS, MAX_SUMMARY_NAMES } from "./limits.ts";
import type { LoggedOutcome } from "./record-line.ts";

export type Totals = Readonly<Record<Status, number>>;

export interface ReasonCount {
  readonly status: Status;
  readonly reason_code: string;
  readonly count: number;
}

/** What is shown of a FAIL. */
export interface Failure {
  /** ISO 8601, UTC. */
  readonly time: string;
  readonly server: string;
  readonly tool: string;
  readonly mode: string;
  readonly reason_code: string;
  readonly checked_fields: readonly string[];
}

export interface Figures {
  readonly calls: number;
  readonly totals: Totals;
  /** `YYYY-MM-DD HH:MM UTC`; null without a record. */
  readonly first: string | null;
  readonly last: string | null;
  readonly servers: readonly string[];
  readonly modes: readonly string[];
  /** By `SERVER/TOOL`, most calls first. */
  readonly by_tool: Readonly<Record<string, Totals>>;
  /** By `YYYY-MM-DD` in UTC, in order. */
  readonly by_day: Readonly<Record<string, Totals>>;
  /** By `YYYY-MM-DDTHH` in UTC, in order; empty where there are too many hours to count. */
  readonly by_hour: Readonly<Record<string, Totals>>;
  /** PASS, FAIL, UNKNOWN; within each the most frequent first. */
  readonly reasons: readonly ReasonCount[];
  /** FAILs in enforce mode that were not put before the client. */
  readonly withheld_verdicts: number;
  readonly latency: Latency | null;
  /** Added milliseconds and how often, the smallest first. */
  readonly latency_counts: readonly (readonly [number, number])[];
  /** The latest FAILs, the newest first. */
  readonly last_failures: readonly Failure[];
}

/** Under this name stand those that came when there were too many different ones. */
export const OTHERS = "(others)";

const ORDER: readonly Status[] = ["pass", "fail", "unknown"];
const HOUR_MS = 3_600_000;
type Counts = Record<Status, number>;
const none = (): Counts => ({ pass: 0, fail: 0, unknown: 0 });

export class FiguresBuilder {
  readonly #totals = none();
  readonly #servers = new Set<string>();
  readonly #modes = new Set<string>();
  readonly #tools = new Map<string, Counts>();
  readonly #days = new Map<string, Counts>();
  readonly #hours = new Map<string, Counts>();
  readonly #reasons = new Map<string, { status: Status; reason_code: string; count: number }>();
  readonly #latency = new LatencyCounts();
  #failures: LoggedOutcome[] = [];
  #withheld = 0;
  #hourNumber = -1;
  #hour = "";
  #day = "";
  #first = Number.POSITIVE_INFINITY;
  #last = Number.NEGATIVE_INFINITY;

  add(record: LoggedOutcome): void {
    const { status, timeMs } = record;
    this.#totals[status]++;
    this.#first = Math.min(this.#first, timeMs);
    this.#last = Math.max(this.#last, timeMs);
    addName(this.#servers, record.server);
    addName(this.#modes, record.mode);
    count(this.#tools, `${record.server}/${record.tool}`, status, MAX_SUMMARY_NAMES);
    this.#at(timeMs);
    count(this.#days, this.#day, status, MAX_SUMMARY_DAYS);
    if (this.#hours.size <= MAX_SUMMARY_HOURS) count(this.#hours, this.#hour, status, MAX_SUMMARY_HOURS + 1);
    this.#reason(status, record.reasonCode);
    if (record.gateMs !== undefined) this.#latency.add(record.gateMs);
    if (status === "fail") this.#failed(record);
    if (status === "fail" && record.withheld) this.#withheld++;
  }

  result(): Figures {
    const { pass, fail, unknown } = this.#totals;
    const hours = this.#hours.size <= MAX_SUMMARY_HOURS ? this.#hours : new Map<string, Counts>();
    return {
      calls: pass + fail + unknown,
      totals: { ...this.#totals },
      first: minute(this.#first),
      last: minute(this.#last),
      servers: [...this.#servers].sort(),
      modes: [...this.#modes].sort(),
      by_tool: object([...this.#tools].sort(([a, x], [b, y]) => sum(y) - sum(x) || compare(a, b))),
      by_day: object([...this.#days].sort(([a], [b]) => compare(a, b))),
      by_hour: object([...hours].sort(([a], [b]) => compare(a, b))),
      reasons: [...this.#reasons.values()].sort(
        (a, b) =>
          ORDER.indexOf(a.status) - ORDER.indexOf(b.status) ||
          b.count - a.count ||
          compare(a.reason_code, b.reason_code),
      ),
      withheld_verdicts: this.#withheld,
      latency: this.#latency.result(),
      latency_counts: this.#latency.counts(),
      last_failures: this.#latest().map(({ timeMs, server, tool, mode, reasonCode, checkedFields }) => ({
        time: new Date(timeMs).toISOString(),
        server,
        tool,
        mode,
        reason_code: reasonCode,
        checked_fields: checkedFields,
      })),
    };
  }

  /** Most records are of the same hour as the one before. */
  #at(timeMs: number): void {
    const hours = Math.floor(timeMs / HOUR_MS);
    if (hours === this.#hourNumber) return;
    this.#hourNumber = hours;
    this.#hour = new Date(timeMs).toISOString().slice(0, 13);
    this.#day = this.#hour.slice(0, 10);
  }

  #reason(status: Status, code: string): void {
    const full = this.#reasons.size >= MAX_SUMMARY_NAMES && !this.#reasons.has(`${status} ${code}`);
    const reason_code = full ? OTHERS : code;
    const key = `${status} ${reason_code}`;
    const known = this.#reasons.get(key);
    if (known) known.count++;
    else this.#reasons.set(key, { status, reason_code, count: 1 });
  }

  #failed(record: LoggedOutcome): void {
    this.#failures.push(record);
    if (this.#failures.length > 50 * MAX_SUMMARY_FAILURES) this.#failures = this.#latest();
  }

  #latest(): LoggedOutcome[] {
    // Of two at the same time, the one that was written later is the newer.
    return this.#failures
      .map((record, at) => ({ record, at }))
      .sort((a, b) => b.record.timeMs - a.record.timeMs || b.at - a.at)
      .slice(0, MAX_SUMMARY_FAILURES)
      .map(({ record }) => record);
  }
}

function count(map: Map<string, Counts>, key: string, status: Status, most: number): void {
  const name = map.has(key) || map.size < most ? key : OTHERS;
  let counts = map.get(name);
  if (counts === undefined) {
    counts = none();
    map.set(name, counts);
  }
  counts[status]++;
}

function addName(names: Set<string>, name: string): void {
  names.add(names.has(name) || names.size < MAX_SUMMARY_NAMES ? name : OTHERS);
}

/** Without a prototype, so that a tool may be called `__proto__`. */
function object(entries: readonly (readonly [string, Counts])[]): Record<string, Totals> {
  const result: Record<string, Totals> = Object.create(null);
  for (const [key, value] of entries) result[key] = { ...value };
  return result;
}

const sum = ({ pass, fail, unknown }: Totals): number => pass + fail + unknown;
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function minute(timeMs: number): string | null {
  if (!Number.isFinite(timeMs)) return null;
  const iso = new Date(timeMs).toISOString();
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
}
