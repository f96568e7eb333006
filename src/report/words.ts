// What all writers say alike: which cases are trouble, the line of counts, what a reason means.

import { scanReasons } from "../core/scan/reasons.ts";
import { reasons } from "../core/verdict/reasons.ts";
import type { CaseReport, ScanReport, Totals } from "./model.ts";

interface Words {
  readonly meaning: string;
  readonly remedy: string;
}

/** A case that is not as it should be: `failure` is proven, `error` is doubt. Doubt is never nothing, whatever was expected. */
export function troubleOf(one: CaseReport): "failure" | "error" | undefined {
  if (one.status === "unknown") return "error";
  return one.as_expected ? undefined : "failure";
}

/** How many cases the system of record decided, either way. */
export const verifiedCases = ({ pass, fail }: Totals): number => pass + fail;

/** PASS, FAIL or UNKNOWN. */
export const statusWord = ({ status }: CaseReport): string => status.toUpperCase();

/** The status, and what else there is to say when a case expects a FAIL. */
export function resultWords(one: CaseReport): string {
  if (one.expected !== "fail" || one.status === "unknown") return statusWord(one);
  return one.as_expected ? `${statusWord(one)}, as expected` : `${statusWord(one)}, but FAIL was expected`;
}

/** The counts, in one line. */
export function countsLine({ totals, duration_ms, min_verified = 0 }: ScanReport): string {
  const { pass, fail, unknown, as_expected, cases, not_run } = totals;
  const verified = `${verifiedCases(totals)} verified (${pass} PASS, ${fail} FAIL), ${unknown} UNKNOWN`;
  const few = verifiedCases(totals) < min_verified ? `; fewer verified than --min-verified ${min_verified}` : "";
  return `${verified}, ${not_run} not run; ${as_expected} of ${cases} as expected; ${durationText(duration_ms)}${few}`;
}

/** The run in one sentence. */
export function headline(report: ScanReport): string {
  const { totals } = report;
  if (verifiedCases(totals) === 0) return "Nothing was verified";
  const off = report.cases.filter((one) => troubleOf(one) !== undefined).length;
  if (off === 0 && totals.not_run === 0)
    return totals.cases === 1 ? "The case is as expected" : "Every case is as expected";
  if (off === 0) return `${counted(totals.not_run, "case was", "cases were")} not run`;
  return `${off} of ${counted(totals.cases, "case", "cases")} ${off === 1 ? "is" : "are"} not as expected`;
}

/** Why the scan stopped, in one sentence. */
export function stoppedSentence({ stopped, totals }: ScanReport): string | undefined {
  if (stopped === null) return undefined;
  const left = totals.not_run === 0 ? "" : `, and ${counted(totals.not_run, "case was", "cases were")} not run`;
  const [when, writes] =
    stopped.after_case === 0
      ? ["before the first case", "no writes were"]
      : [`after case ${stopped.after_case}`, "no more writes were"];
  return `Stopped ${when} (${stopped.reason_code}): ${writes} sent${left}.`;
}

export const counted = (count: number, one: string, more: string): string => `${count} ${count === 1 ? one : more}`;

/** Milliseconds as a person reads them. */
export function durationText(ms: number): string {
  if (!Number.isFinite(ms) || ms < 0) return "0 ms";
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

/** Milliseconds as seconds with three decimals, for formats that count so. */
export const seconds = (ms: number): string => (Number.isFinite(ms) && ms > 0 ? ms / 1000 : 0).toFixed(3);

/** A line or column that an editor accepts. */
export const position = (given: number): number => (Number.isSafeInteger(given) && given > 0 ? given : 1);

/** The reasons of a FAIL that the bundled read-backs give. */
const failReasons: Readonly<Record<string, Words>> = {
  record_missing: {
    meaning: "The tool reported success, and the system of record has no such record.",
    remedy: "Repeat the steps by hand: the tool said done and was not.",
  },
  field_mismatch: {
    meaning: "The record is there, and a field is not as the call asked for.",
    remedy: "Compare the expected and the observed value of each field that is named.",
  },
  record_present: {
    meaning: "The tool reported that the record was removed, and it is still there.",
    remedy: "Repeat the steps by hand: the tool said done and was not.",
  },
};

const known: ReadonlyMap<string, Words> = new Map(Object.entries({ ...failReasons, ...scanReasons, ...reasons }));

/** What a reason means and what to do; a contract's own reasons have no text here. */
export function reasonWords(code: string): Words {
  return (
    known.get(code) ?? {
      meaning: "The contract allows its verifier to give this reason.",
      remedy: "Look at the contract and its verifier for what it stands for.",
    }
  );
}
