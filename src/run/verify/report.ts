// The dry run's account of itself: what was asked, what came, what was compared. Values are in it only when they are to be shown.

import { parseValue, type Value } from "../../core/compare/value.ts";
import { type Explained, explain, jsonText, shapeOf } from "../../core/readback/explain.ts";
import type { Finding, Observation, Readback, ReadbackOutcome } from "../../core/readback/types.ts";
import type { Fields } from "../../core/select/types.ts";
import { meaningOf } from "./hints.ts";

export interface Comparison {
  readonly path: string;
  readonly compare: string;
  readonly outcome: Explained["outcome"];
  /** A type, or the value. */
  readonly expected: string;
  readonly read: string;
  /** One of several paths of which one must hold. */
  readonly any_of?: true;
}

export interface Attempt {
  readonly ms: number;
  readonly note: string;
  readonly status?: number;
  /** The structure of what came, or the whole of it. */
  readonly got?: string;
  readonly comparisons: readonly Comparison[];
  /** Why this attempt proved nothing. */
  readonly doubt?: string;
}

export interface Report {
  readonly tool?: string;
  readonly type: string;
  readonly asks: string;
  readonly credentials: readonly { readonly name: string; readonly set: boolean }[];
  readonly fields: Readonly<Record<string, string>>;
  readonly attempts: readonly Attempt[];
  readonly status: ReadbackOutcome["type"];
  readonly reason_code: string;
  readonly unmet: readonly string[];
  readonly meaning: string;
  readonly remedy: string;
}

/** One attempt as it is told. */
export function tellAttempt(
  readback: Readback,
  observation: Observation,
  finding: Finding,
  ms: number,
  fields: Fields,
  showValues: boolean,
): Attempt {
  const value = observation.type === "record" ? parseValue(observation.json) : undefined;
  const tell = (one: Value | undefined): string =>
    one === undefined ? "nothing" : showValues ? jsonText(one) : shapeOf(one);
  const sizes = new Map<number, number>();
  const explained = explain(readback, observation, fields);
  for (const { group } of explained) sizes.set(group, (sizes.get(group) ?? 0) + 1);
  return {
    ms: Math.round(ms),
    note: observation.note,
    ...(observation.status !== undefined && { status: observation.status }),
    ...(value !== undefined && { got: tell(value) }),
    comparisons: explained.map(({ group, path, compare, outcome, expected, observed }) => ({
      path,
      compare,
      outcome,
      expected: tell(expected),
      read: tell(observed),
      ...(sizes.get(group)! > 1 && { any_of: true as const }),
    })),
    ...(finding.type === "doubt" && { doubt: finding.note ?? finding.reason }),
  };
}

/** The fields as they are told. */
export function tellFields(fields: Fields, showValues: boolean): Record<string, string> {
  const told: Record<string, string> = Object.create(null);
  for (const [name, json] of fields) {
    const value = parseValue(json);
    told[name] = value === undefined ? "not usable" : showValues ? jsonText(value) : shapeOf(value);
  }
  return told;
}

/** What the outcome adds to the report. */
export function tellOutcome(
  outcome: ReadbackOutcome,
): Pick<Report, "status" | "reason_code" | "unmet" | "meaning" | "remedy"> {
  return {
    status: outcome.type,
    reason_code: outcome.type === "pass" ? "postcondition_satisfied" : outcome.reason,
    unmet: outcome.type === "fail" ? outcome.unmet : [],
    ...meaningOf(outcome),
  };
}

/** The report as text for people. */
export function reportText(report: Report): string {
  const lines = [
    `asks         ${report.asks}`,
    ...report.credentials.map(({ name, set }) => `credential   ${name} (${set ? "set" : "NOT SET"})`),
    ...Object.entries(report.fields).map(([name, told]) => `field        ${name}: ${told}`),
  ];
  report.attempts.forEach((attempt, index) => {
    lines.push("", `attempt ${index + 1}    ${attempt.note} (${attempt.ms} ms)`);
    if (attempt.got !== undefined) lines.push(`  got        ${attempt.got}`);
    for (const one of attempt.comparisons) {
      const beside = one.any_of ? ", one of several" : "";
      lines.push(
        `  ${one.outcome.padEnd(10)} ${one.path} (${one.compare}${beside}): expected ${one.expected}, read ${one.read}`,
      );
    }
    if (attempt.doubt !== undefined) lines.push(`  doubt      ${attempt.doubt}`);
  });
  const tried = `${report.attempts.length} ${report.attempts.length === 1 ? "attempt" : "attempts"}`;
  lines.push("", `${report.status.toUpperCase()} ${report.reason_code} after ${tried}`);
  if (report.unmet.length > 0) lines.push(`not as expected: ${report.unmet.join(", ")}`);
  lines.push(report.meaning);
  if (report.status !== "pass") lines.push(report.remedy);
  return lines.map((line) => `${printable(line)}\n`).join("");
}

/** What could move the cursor or hide text is escaped. */
function printable(line: string): string {
  return line.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (c) => `\\u{${c.codePointAt(0)!.toString(16)}}`);
}
