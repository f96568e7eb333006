// Runs a read-back to its outcome: attempts, pauses and limits; the deciding itself is the core's.

import { MAX_READBACK_PAGES, READBACK_ATTEMPT_LIMIT_MS } from "../core/limits.ts";
import { afterAttempt, startAttempts } from "../core/readback/attempts.ts";
import { elementsBefore, judge } from "../core/readback/judge.ts";
import type { Finding, Observation, Readback, ReadbackOutcome } from "../core/readback/types.ts";
import type { Fields } from "../core/select/types.ts";
import type { Adapter } from "./adapter.ts";

export interface CheckOptions {
  readonly fields: Fields;
  /** For all attempts together, milliseconds; the read-back's own limit holds beside it. */
  readonly budgetMs: number;
  /** How old the answer is that is checked, milliseconds. */
  readonly ageMs: number;
  readonly signal: AbortSignal;
  /** Told of each attempt; for the dry run. */
  readonly onAttempt?: (observation: Observation, finding: Finding, ms: number) => void;
}

/** Reads until the outcome is settled. Never rejects, and is done when the budget is. */
export async function checkReadback(
  readback: Readback,
  adapter: Adapter,
  options: CheckOptions,
): Promise<ReadbackOutcome> {
  const begin = performance.now();
  const elapsed = () => performance.now() - begin;
  const timeoutMs = Math.min(readback.timeoutMs, options.budgetMs);
  let attempts = startAttempts(readback, timeoutMs, options.ageMs);
  for (;;) {
    const beganMs = elapsed();
    const observation = await readPages(
      readback,
      adapter,
      options,
      Math.min(READBACK_ATTEMPT_LIMIT_MS, timeoutMs - beganMs),
    );
    const finding = judge(readback, observation, options.fields);
    options.onAttempt?.(observation, finding, elapsed() - beganMs);
    const next = afterAttempt(attempts, finding, beganMs, elapsed());
    attempts = next.attempts;
    if (next.type === "done" || options.signal.aborted) {
      const last = next.type === "done" ? next.finding : finding;
      return outcomeOf(last, attempts.made, observation);
    }
    await pause(next.afterMs, options.signal);
  }
}

/** One attempt: the first page, and while the record is in none and there is another, that one. */
async function readPages(
  readback: Readback,
  adapter: Adapter,
  options: CheckOptions,
  limitMs: number,
): Promise<Observation> {
  const end = performance.now() + limitMs;
  let observation = await readOnce(adapter, options, limitMs);
  let before = 0;
  for (let page = 1; page < MAX_READBACK_PAGES; page++) {
    const elements = elementsBefore(readback, observation, options.fields);
    if (elements === undefined || observation.type !== "record") break;
    before += elements;
    observation = await readOnce(adapter, options, end - performance.now(), observation.next);
    if (observation.type === "record") observation = { ...observation, before };
    // That a further page is not there does not say that the record is not.
    if (observation.type === "missing") {
      const { note } = observation;
      observation = {
        ...observation,
        type: "doubt",
        reason: "readback_unconfirmed",
        note: `${note}, for a further page`,
      };
    }
  }
  return observation;
}

async function readOnce(
  adapter: Adapter,
  { fields, signal }: CheckOptions,
  limitMs: number,
  page?: string,
): Promise<Observation> {
  let timer: NodeJS.Timeout | undefined;
  // An adapter that overstays its limit is not waited for.
  const late = new Promise<Observation>((resolve) => {
    const answer = { type: "doubt", reason: "readback_timeout", note: "the read took too long" } as const;
    timer = setTimeout(resolve, Math.max(0, limitMs) + LATE_MS, answer);
  });
  const failed = { type: "doubt", reason: "readback_error", note: "the read failed" } as const;
  const read = adapter.read({ fields, limitMs, signal, ...(page !== undefined && { page }) }).catch(() => failed);
  const observation = await Promise.race([read, late]);
  clearTimeout(timer);
  return observation;
}

/** What an adapter gets to end by itself. */
const LATE_MS = 20;

function outcomeOf(finding: Finding, attempts: number, { note, status }: Observation): ReadbackOutcome {
  const facts = { attempts, note, ...(status === undefined ? {} : { status }) };
  if (finding.type === "match") return { ...facts, type: "pass" };
  if (finding.type === "doubt")
    return { ...facts, type: "unknown", reason: finding.reason, note: finding.note ?? note };
  const { reason, unmet, fields } = finding;
  return { ...facts, type: "fail", reason, unmet, fields };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
  });
}
