// Reads the outcome log of a guard that a test does not hold itself.

import { existsSync, readFileSync } from "node:fs";
import type { OutcomeLine } from "./harness.ts";

/** Every record, in order; a line that is torn throws. */
export function readLog(log: string): OutcomeLine[] {
  if (!existsSync(log)) return [];
  const lines = readFileSync(log, "utf8").split("\n");
  return lines.slice(0, -1).map((line) => JSON.parse(line) as OutcomeLine);
}

/** The records in order, as `tool status/reason`. */
export const outcomesIn = (log: string) => readLog(log).map((one) => `${one.tool} ${one.status}/${one.reason_code}`);
