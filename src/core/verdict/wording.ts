// Words the verdict that an agent reads: what is known, and what to do now.

import type { Recovery } from "../contract/types.ts";
import { asciiOf } from "../select/select.ts";
import type { ReasonCode } from "./types.ts";

export interface Verdict {
  readonly label: string;
  readonly tool: string;
  readonly reason: ReasonCode;
  readonly checkedFields: readonly string[];
  readonly recovery: Recovery;
  /** The fields that the record does not have as asked, where that is known. */
  readonly unmetFields?: readonly string[] | undefined;
}

/** What the system of record showed, by reason; a reason of the contract's own falls back to the last sentence. */
const FINDINGS: Readonly<Record<string, string>> = {
  record_missing:
    "The tool reported success, but the system of record does not have the record: what was asked for is not done.",
  field_mismatch:
    "The tool reported success, and the record exists in the system of record, but not with the values that were asked for: the task is not complete.",
  record_present: "The tool reported success, but the system of record still has the record: the removal is not done.",
};

const OTHER_FINDING =
  "The tool reported success, but a check of the system of record found otherwise: the task is not complete.";

const ADVICE: Readonly<Record<Recovery, string>> = {
  stop: "Do not repeat this call, since it may act twice; do not report success; tell the user what is stated here.",
  ask_user: "Do not repeat this call, since it may act twice; tell the user what is stated here and ask how to go on.",
  retry_once:
    "This call may be repeated once, after looking at the state of the record; if the result is the same, stop and tell the user.",
};

/** The verdict's text: the marker and one JSON object on the first line, a sentence for the agent on the second. */
export function verdictText(verdict: Verdict): string {
  const statement = JSON.stringify({
    kind: "outcome_failed",
    tool: `${verdict.label}/${verdict.tool}`,
    evidence: { reason_code: verdict.reason, checked_fields: verdict.checkedFields },
    recovery: verdict.recovery,
  });
  const finding = Object.hasOwn(FINDINGS, verdict.reason) ? FINDINGS[verdict.reason] : OTHER_FINDING;
  const unmet = verdict.unmetFields ?? [];
  const named = unmet.length > 0 ? ` Not as asked: ${unmet.join(", ")}.` : "";
  return `[FOURGATE] ${statement}\n${finding}${named} ${ADVICE[verdict.recovery]}`;
}

/** The verdict as a content item, in ASCII; `quoted` is a bounded copy of what the tool said, for clients that show one item. */
export function verdictItem(verdict: Verdict, quoted?: string): string {
  const said = quoted ? `\nThe tool itself had answered: ${quoted}` : "";
  return asciiOf(JSON.stringify({ type: "text", text: verdictText(verdict) + said }));
}
