// What the writers of a summary say alike.

import type { Figures, ReasonCount, Totals } from "../core/summary/figures.ts";
import { reasons } from "../core/verdict/reasons.ts";
import { showLine } from "./characters.ts";
import { MAX_LINE_UNITS } from "./limits.ts";
import { counted } from "./words.ts";

export const line = (text: string): string => showLine(text, MAX_LINE_UNITS);

export const sum = ({ pass, fail, unknown }: Totals): number => pass + fail + unknown;

/** A count as people read it. */
export const grouped = (count: number): string => String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");

/** The one line of counts. */
export const totalLine = ({ calls, totals }: Figures): string =>
  `${counted(calls, "protected call", "protected calls")}  PASS ${totals.pass}  FAIL ${totals.fail}  UNKNOWN ${totals.unknown}`;

export const periodLine = ({ first, last }: Figures): string =>
  first === last ? `at ${first}` : `from ${first} to ${last}`;

export function latencyLine({ latency }: Figures): string {
  if (latency === null) return "added latency: no record tells";
  const { p50_ms, p95_ms, p99_ms, max_ms, samples } = latency;
  return `added latency: p50 ${p50_ms} ms, p95 ${p95_ms} ms, p99 ${p99_ms} ms, max ${max_ms} ms (${counted(samples, "call", "calls")})`;
}

/** A FAIL that whoever called was not told: in enforce mode this should not be. */
export const withheldSentence = ({ withheld_verdicts }: Figures): string =>
  `${counted(withheld_verdicts, "FAIL was", "FAILs were")} not put before the client in enforce mode: the answer was too long to take a verdict`;

/** What an UNKNOWN means and what to do about it; a code that a later version or a contract gave has none. */
export function adviceFor({ status, reason_code }: ReasonCount): { meaning: string; remedy: string } | undefined {
  if (status !== "unknown" || !Object.hasOwn(reasons, reason_code)) return undefined;
  const { meaning, remedy } = reasons[reason_code as keyof typeof reasons];
  return { meaning, remedy };
}
