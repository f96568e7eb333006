// After a case: removes what it created, and only that.

import { credentialNames } from "../../core/contract/check.ts";
import { scalarText } from "../../core/readback/url-template.ts";
import { cleanupFields, fillCleanup } from "../../core/scan/cleanup.ts";
import { argumentFields, judgeAnswer } from "../../core/scan/judge.ts";
import type { ScanCase } from "../../core/scan/types.ts";
import { eachScalar, kindOf, type Span, textOf } from "../../core/wire/json.ts";
import type { CaseCleanup, Leftover } from "../../report/model.ts";
import { callTool } from "./call.ts";
import { check } from "./check.ts";
import type { ScanContext } from "./context.ts";

export interface CleanedUp {
  readonly cleanup: CaseCleanup;
  readonly leftover?: Leftover;
}

/** What is known of a case when its clean-up begins. */
export interface CaseKnown {
  /** The call was sent. */
  readonly called: boolean;
  /** The server said that it did not do it. */
  readonly refused: boolean;
  /** The server may still carry the call out. */
  readonly unsettled: boolean;
  /** The check proved that there is no such record. */
  readonly missing: boolean;
  readonly argumentsJson: string;
  readonly fields: ReadonlyMap<string, string>;
}

/** Makes the clean-up call of a case, at most once. Undefined when the case asks for none. Never rejects. */
export async function cleanUp(context: ScanContext, one: ScanCase, known: CaseKnown): Promise<CleanedUp | undefined> {
  const { cleanup, contract } = one;
  if (cleanup === undefined) return undefined;
  if (!known.called) return { cleanup: { status: "not_needed", reason_code: "not_called" } };
  const failed = (reason_code: string): CleanedUp => {
    // What was proven not to be there is not left over.
    if (known.missing) return { cleanup: { status: "not_needed", reason_code: "record_missing" } };
    if (known.refused && reason_code === "not_success_result")
      return { cleanup: { status: "not_needed", reason_code } };
    return { cleanup: { status: "failed", reason_code }, leftover: leftover() };
  };
  const needed = cleanupFields(cleanup.arguments);
  const filled = fillCleanup(cleanup.arguments, known.fields, context.runId);
  if (filled === undefined) {
    // The server said that it did nothing, and nothing names what it might have done.
    return failed(known.refused ? "not_success_result" : "id_unknown");
  }
  if (!needed.every((field) => isPlain(field))) return failed("id_unusable");
  if (needed.some((field) => isOlder(field))) return failed("not_created_by_this_run");
  const limitMs = Math.min(context.callTimeoutMs, context.cleanupBy() - performance.now());
  const end = await callTool(context, cleanup.tool, filled, limitMs);
  if (end.type === "unknown") return failed(end.reason);
  const own = cleanup.contract ?? { ...contract, extract: new Map(), recordIdField: undefined };
  const fields = argumentFields(own, filled);
  const judged = judgeAnswer(own, end.bytes, end.holder, fields);
  if (judged.type === "task") return failed("deferred");
  if (judged.type === "undecidable") return failed(judged.reason);
  if (cleanup.contract !== undefined) {
    if (credentialNames(cleanup.contract).some((name) => !context.environment[name]))
      return failed("credential_missing");
    const { outcome } = await check(context, cleanup.contract, false, judged.input);
    if (outcome.status !== "pass") return failed(outcome.reason);
  }
  const done: CaseCleanup = {
    status: "done",
    reason_code: cleanup.contract ? "postcondition_satisfied" : "reported_done",
  };
  return known.unsettled ? { cleanup: done, leftover: leftover() } : { cleanup: done };

  function leftover(): Leftover {
    const json = [contract.recordIdField ?? "", ...needed].map((field) => known.fields.get(field)).find(Boolean);
    const id = scalarText(json) ?? (json === undefined ? context.runId : "(not a single value)");
    return { tool: one.tool, case: one.index, id: context.redactor.text(id) };
  }

  /** What a server says goes into a call that removes only if it is one name or number: no pattern, no path, no structure. */
  function isPlain(field: string): boolean {
    const json = known.fields.get(field);
    if (contract.extract.get(field)?.source !== "result" || json === undefined) return true;
    const text = /^["\d-]/.test(json) ? scalarText(json) : undefined;
    return text !== undefined && text.trim() !== "" && !NOT_PLAIN.test(text);
  }

  /** A value out of the answer that the call itself had named, without the run's token in it: the record may be older than the run. */
  function isOlder(field: string): boolean {
    const json = known.fields.get(field);
    if (contract.extract.get(field)?.source !== "result" || json === undefined) return false;
    const text = scalarText(json);
    return text !== undefined && !text.includes(context.runId) && scalarsIn(known.argumentsJson).has(text);
  }
}

/** Of patterns, paths and escapes. */
const NOT_PLAIN = /[*?%/\\\p{Cc}]|\.\./u;

/** Every text and number in a JSON text. */
function scalarsIn(json: string): ReadonlySet<string> {
  const bytes = new TextEncoder().encode(json);
  const found = new Set<string>();
  eachScalar(bytes, { start: 0, end: bytes.length }, (scalar: Span) => {
    const kind = kindOf(bytes, scalar);
    const text = kind === "string" || kind === "number" ? scalarText(textOf(bytes, scalar)) : undefined;
    if (text !== undefined) found.add(text);
  });
  return found;
}
