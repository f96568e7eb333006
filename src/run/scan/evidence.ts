// What a report tells of a case that did not pass, or not as expected: structure by default, values when they are asked for, no secret ever.

import type { ToolContract } from "../../core/contract/types.ts";
import { MAX_EVIDENCE_CHARACTERS, MAX_TOLD_COMPARISONS, MAX_TOLD_VALUE_CHARACTERS } from "../../core/limits.ts";
import { kindOf, membersNamed, textOf } from "../../core/wire/json.ts";
import type { MismatchedField } from "../../report/model.ts";
import type { CallEnd } from "./call.ts";
import type { Checked } from "./check.ts";
import type { ScanContext } from "./context.ts";
import type { SeenValue } from "./reads.ts";
import { shown } from "./shown.ts";

type Context = Pick<ScanContext, "redactor" | "showValues">;

const WITHHELD = "[WITHHELD]";
const NOT_TOLD = "[NOT TOLD]";

/** The fields that were compared: paths of the record, or, with a verifier, the fields that it was given. */
export function checkedFields({ readback, extract }: ToolContract): string[] {
  if (readback === undefined) return [...extract.keys()].sort();
  const paths = readback.expected.flatMap((group) => group.map(({ written }) => written));
  return [...new Set(paths)].sort();
}

/** The fields that are not as they should be, each with what was expected and what was read. */
export function mismatchedFields({ reply, sight }: Checked, { redactor, showValues }: Context): MismatchedField[] {
  if (reply.ended === "read") {
    if (reply.outcome.type !== "fail") return [];
    const seen = new Map((sight?.comparisons ?? []).map((one) => [one.path, one]));
    return reply.outcome.unmet.map((path) => {
      const value = (json: string | undefined): string => {
        if (!showValues) return WITHHELD;
        return told(path, json, redactor);
      };
      return { path, expected: value(seen.get(path)?.expected), observed: value(seen.get(path)?.observed) };
    });
  }
  const { mismatched_fields: named } = evidenceOf(reply) ?? {};
  const paths = Array.isArray(named) ? named : [];
  return paths
    .filter((path) => typeof path === "string")
    .map((path) => ({ path: redactor.text(path), expected: NOT_TOLD, observed: NOT_TOLD }));
}

/**
 * Whether the record has another value where one with the run's token was expected. A verifier may name fields, or places in the
 * record; where it does not name fields alone, any field with the token may be meant.
 */
export function isForeign(
  { reply, outcome }: Checked,
  { extract }: ToolContract,
  fields: ReadonlyMap<string, string>,
  runId: string,
): boolean {
  if (outcome.status !== "fail" || outcome.reason === "record_missing") return false;
  const withToken = [...fields].flatMap(([name, json]) => (json.includes(runId) ? [name] : []));
  if (reply.ended === "read") {
    const unmet = reply.outcome.type === "fail" ? reply.outcome.fields : [];
    return withToken.some((name) => unmet.includes(name));
  }
  const { mismatched_fields: named } = evidenceOf(reply) ?? {};
  const namesFields = Array.isArray(named) && named.length > 0 && named.every((name) => extract.has(name));
  return withToken.some((name) => !namesFields || named.includes(name));
}

/** The call as it was made. */
export function tellRequest(tool: string, argumentsJson: string, { redactor, showValues }: Context): unknown {
  return redactor.value({ tool, arguments: shown(argumentsJson, showValues) });
}

/** The answer as it came. */
export function tellAnswer(end: CallEnd | undefined, { redactor, showValues }: Context): unknown {
  if (end === undefined) return { none: "no call was made" };
  if (end.type === "unknown") return { none: end.reason };
  const { bytes, holder } = end;
  const parts: Record<string, unknown> = {};
  for (const name of ["result", "error"] as const) {
    const [value] = membersNamed(bytes, holder, name);
    if (value === undefined) continue;
    parts[name] = shown(textOf(bytes, value), showValues);
    const code =
      name === "error" && kindOf(bytes, value) === "object" ? membersNamed(bytes, value, "code")[0] : undefined;
    const digits = code && textOf(bytes, code);
    if (digits !== undefined && /^-?\d{1,9}$/.test(digits)) parts.error_code = Number(digits);
  }
  return redactor.value(parts);
}

/** What was read back. */
export function tellCheck(checked: Checked, { redactor, showValues }: Context): unknown {
  const { reply, sight, stderr } = checked;
  if (reply.ended === "read") {
    const { outcome } = reply;
    const seen = [...(sight?.comparisons ?? [])].sort(
      (a, b) => Number(a.outcome === "equal") - Number(b.outcome === "equal"),
    );
    return redactor.value({
      ...(sight && { asks: sight.asks }),
      attempts: outcome.attempts,
      ...(outcome.status !== undefined && { status: outcome.status }),
      note: outcome.note,
      ...(outcome.type !== "pass" && { reason_code: outcome.reason }),
      ...(sight?.shape !== undefined && sight.shape.length <= MAX_EVIDENCE_CHARACTERS && { record: sight.shape }),
      comparisons: seen.slice(0, MAX_TOLD_COMPARISONS).map((one) => tellComparison(one, redactor, showValues)),
    });
  }
  const evidence = evidenceOf(reply);
  return redactor.value({
    verifier: reply.ended === "exit" && !reply.overflow ? `exit status ${reply.code ?? reply.signal}` : reply.ended,
    ...(evidence !== undefined && { evidence: tellEvidence(evidence, showValues) }),
    ...(stderr !== "" && { stderr }),
  });
}

function tellComparison(one: SeenValue, redactor: Context["redactor"], showValues: boolean): object {
  const { path, compare, outcome } = one;
  const value = (json: string | undefined) => told(path, json, redactor);
  return {
    path,
    compare,
    outcome,
    ...(showValues && { expected: value(one.expected), observed: value(one.observed) }),
  };
}

/** A value as it may be shown. One that is too long is not cut: the part that stays could hold half a secret. */
function told(path: string, json: string | undefined, redactor: Context["redactor"]): string {
  if (json === undefined) return NOT_TOLD;
  if (json.length > MAX_TOLD_VALUE_CHARACTERS) return `[${json.length} CHARACTERS]`;
  return redactor.field(path, json);
}

/** What `fourgate verify` and verifiers like it say of themselves; these hold names and counts, never values. */
const NAMES_AND_COUNTS = new Set(["attempts", "status", "method", "checked_fields", "mismatched_fields"]);

function tellEvidence(evidence: Readonly<Record<string, unknown>>, showValues: boolean): object {
  const members: Record<string, unknown> = Object.create(null);
  for (const [name, member] of Object.entries(evidence)) {
    members[name] = NAMES_AND_COUNTS.has(name) ? member : shown(JSON.stringify(member), showValues);
  }
  return members;
}

/** The `evidence` object that a verifier gave beside its status. */
function evidenceOf(reply: Checked["reply"]): Readonly<Record<string, unknown>> | undefined {
  if (reply.ended !== "exit" || reply.overflow || reply.code !== 0) return undefined;
  try {
    const { evidence } = JSON.parse(new TextDecoder().decode(reply.stdout)) as { evidence?: unknown };
    if (typeof evidence !== "object" || evidence === null || Array.isArray(evidence)) return undefined;
    return evidence as Readonly<Record<string, unknown>>;
  } catch {
    return undefined;
  }
}
