// What the read-back of a case was, in a few words for a table: "GET 404", or the fields that were checked.

import type { CaseReport } from "./model.ts";

/** Empty where nothing was read. */
export function readWords(one: CaseReport): string {
  const seen = one.evidence?.readback;
  const told = isObject(seen)
    ? (exchange(seen) ?? (isObject(seen.evidence) ? exchange(seen.evidence) : undefined))
    : undefined;
  return told ?? (one.attempts > 0 ? one.checked_fields.join(", ") : "");
}

/** Method and status of a read over HTTP: a read-back's, or what a verifier says of itself. */
function exchange({ method, asks, status }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof status !== "number" || !Number.isInteger(status)) return undefined;
  const verb =
    typeof method === "string" ? method : typeof asks === "string" ? /^[A-Z]{3,7}(?= )/.exec(asks)?.[0] : undefined;
  return `${verb ?? "GET"} ${status}`;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
