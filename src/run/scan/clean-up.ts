// After a case: removes what it created, and only that.

import { credentialNames } from "../../core/contract/check.ts";
import { scalarText } from "../../core/readback/url-template.ts";
import { cleanupFields, fillCleanup } from "../../core/scan/cleanup.ts";
import { argumentFields, judgeAnswer } from "../../core/scan/judge.ts";
import { isBlank, isNamedIn, isPlainId } from "../../core/scan/record-id.ts";
import type { ScanCase } from "../../core/scan/types.ts";
import type { CaseCleanup, Leftover } from "../../report/model.ts";
import { callTool } from "./call.ts";
import { check } from "./check.ts";
import type { ScanContext } from "./context.ts";

export interface CleanedUp {
  readonly cleanup: CaseCleanup;
  readonly leftover?: Leftover;
  /** The call was not answered, so nothing may be written any more, for this reason. */
  readonly stopped?: string;
}

/** What is known of a case when its clean-up begins. */
export interface CaseKnown {
  /** The call was sent. */
  readonly called: boolean;
  /** The server may still carry the call out. */
  readonly unsettled: boolean;
  /** The check found another value where the run's token was expected. */
  readonly foreign: boolean;
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
    return left(reason_code);
  };
  const left = (reason_code: string): CleanedUp => ({
    cleanup: { status: "failed", reason_code },
    leftover: leftover(),
  });
  const needed = cleanupFields(cleanup.arguments);
  // An odd id proves nothing either way: what was read under it, or not found, need not be what was made.
  if (!needed.every((field) => isUsable(field))) return left("id_unusable");
  const filled = fillCleanup(cleanup.arguments, known.fields, context.runId);
  // A server that said that it did nothing may have done it all the same.
  if (filled === undefined) return failed("id_unknown");
  if (named().some((field) => isOlder(field)) || (known.foreign && named().some(isForeign))) {
    return failed("not_created_by_this_run");
  }
  const end = await callTool(context, cleanup.tool, filled, context.callTimeoutMs, context.over);
  if (end.type === "unknown") return { ...failed(end.reason), ...(end.fatal && { stopped: end.reason }) };
  const own = cleanup.contract ?? { ...contract, extract: new Map(), recordIdField: undefined };
  const fields = argumentFields(own, filled);
  const judged = judgeAnswer(own, end.bytes, end.holder, fields);
  if (judged.type === "task") return failed("deferred");
  if (judged.type === "undecidable") return failed(judged.reason);
  if (cleanup.contract !== undefined) {
    if (credentialNames(cleanup.contract).some((name) => !context.environment[name]))
      return failed("credential_missing");
    // Told to stop, a scan still proves the removal while there is time.
    const { outcome } = await check({ ...context, stop: context.over }, cleanup.contract, false, judged.input);
    if (outcome.status !== "pass") return failed(outcome.reason);
  }
  const done: CaseCleanup = {
    status: "done",
    reason_code: cleanup.contract ? "postcondition_satisfied" : "reported_done",
  };
  return known.unsettled ? { cleanup: done, leftover: leftover() } : { cleanup: done };

  function leftover(): Leftover {
    const json = named()
      .map((field) => known.fields.get(field))
      .find((one) => !isBlank(one));
    const id = scalarText(json) ?? (json === undefined ? context.runId : "(not a single value)");
    return { tool: one.tool, case: one.index, id: context.redactor.text(id) };
  }

  /** The fields that name the record: also its id where the clean-up does not use it, since the id tells whether it is older. */
  function named(): readonly string[] {
    return contract.recordIdField === undefined ? needed : [contract.recordIdField, ...needed];
  }

  /** What a server says goes into a call that removes only if it names one thing. */
  function isUsable(field: string): boolean {
    const json = known.fields.get(field);
    return contract.extract.get(field)?.source !== "result" || json === undefined || isBlank(json) || isPlainId(json);
  }

  /** Whether the record was named by the answer alone. */
  function isForeign(field: string): boolean {
    return contract.extract.get(field)?.source === "result" && !known.fields.get(field)?.includes(context.runId);
  }

  /** A value out of the answer that the call itself had named, without the run's token in it: the record may be older than the run. */
  function isOlder(field: string): boolean {
    const json = known.fields.get(field);
    if (contract.extract.get(field)?.source !== "result" || json === undefined) return false;
    const text = scalarText(json);
    return text !== undefined && !text.includes(context.runId) && isNamedIn(known.argumentsJson, text, context.runId);
  }
}
