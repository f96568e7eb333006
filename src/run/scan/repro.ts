// How a person sees a FAIL by hand, in four steps; without any value that is not shown elsewhere.

import type { Redactor } from "../../core/redact/redactor.ts";
import type { ScanCase } from "../../core/scan/types.ts";
import type { MismatchedField } from "../../report/model.ts";
import type { Checked } from "./check.ts";

/** The four steps. */
export function reproSteps(
  one: ScanCase,
  reason: string,
  mismatched: readonly MismatchedField[],
  checked: Checked | undefined,
  file: string,
  again: string,
  redactor: Redactor,
): string[] {
  const { line, column } = one.place;
  const asks = checked?.sight?.asks;
  const fields = mismatched.map(({ path }) => path).join(", ");
  return [
    `Run ${again}`,
    `It calls ${one.tool} once, with the arguments of the case at ${file}:${line}:${column}; the server reports success.`,
    asks === undefined
      ? "Its verifier then reads the system of record with a credential of its own."
      : `Then read the record back with a credential of your own: ${asks}.`,
    `What is there is not what was reported: ${reason}${fields === "" ? "" : ` (${fields})`}.`,
  ].map((step) => redactor.text(step));
}

/** A word for a POSIX shell. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
