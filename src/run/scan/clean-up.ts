// After a case: removes what it created, and only that.

import { parseValue, type Value } from "../../core/compare/value.ts";
import { credentialNames } from "../../core/contract/check.ts";
import { scalarText } from "../../core/readback/url-template.ts";
import { cleanupFields, fillCleanup } from "../../core/scan/cleanup.ts";
import { argumentFields, judgeAnswer } from "../../core/scan/judge.ts";
import type { ScanCase } from "../../core/scan/types.ts";
import { normalNumber } from "../../core/wire/ids.ts";
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
  if (!needed.every((field) => isPlain(field))) return left("id_unusable");
  const filled = fillCleanup(cleanup.arguments, known.fields, context.runId);
  // A server that said that it did nothing may have done it all the same.
  if (filled === undefined) return failed("id_unknown");
  if (named().some((field) => isOlder(field)) || (known.foreign && named().some(isForeign))) {
    return failed("not_created_by_this_run");
  }
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
    const json = named()
      .map((field) => known.fields.get(field))
      .find(Boolean);
    const id = scalarText(json) ?? (json === undefined ? context.runId : "(not a single value)");
    return { tool: one.tool, case: one.index, id: context.redactor.text(id) };
  }

  /** The fields that name the record: also its id where the clean-up does not use it, since the id tells whether it is older. */
  function named(): readonly string[] {
    return contract.recordIdField === undefined ? needed : [contract.recordIdField, ...needed];
  }

  /** What a server says goes into a call that removes only if it is one name or number: no pattern, no path, no structure. */
  function isPlain(field: string): boolean {
    const json = known.fields.get(field);
    if (contract.extract.get(field)?.source !== "result" || json === undefined) return true;
    const text = /^["\d-]/.test(json) ? scalarText(json) : undefined;
    return text !== undefined && text.trim() !== "" && text.length <= MAX_ID && !NOT_PLAIN.test(text);
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

/** Of patterns, paths and escapes. */
const NOT_PLAIN = /[*?%/\\\p{Cc}]|\.\./u;

/** Characters; longer is no name. */
const MAX_ID = 512;

/**
 * Whether a text stands in the JSON text, whatever its case: as a value, as part of one (`issues/old1`), as a number of the same value or
 * digits of a text (`#42`), or in a key. Judged widely, since what is found here is left alone. The run's token is no part of an old id.
 */
function isNamedIn(json: string, text: string, runId: string): boolean {
  const word = text.trim().replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "") || text;
  const number = normalNumber(word.replace(/^0+(?=\d)/, ""));
  // Digits beside these make another number: 142 is not 42.
  const digits = number !== undefined && /^\d+$/.test(number) ? new RegExp(`(?<!\\d)0*${number}(?!\\d)`) : undefined;
  const root = parseValue(json);
  return root === undefined || holds(root);

  function holds(value: Value): boolean {
    if (value.type === "list") return value.items.some(holds);
    if (value.type === "object") return [...value.members].some(([key, member]) => mentions(key) || holds(member));
    if (value.type === "number") {
      return value.token === word || (number !== undefined && normalNumber(value.token) === number);
    }
    return value.type === "string" && mentions(value.text);
  }

  function mentions(own: string): boolean {
    const rest = own.replaceAll(runId, "\0").toLowerCase();
    return digits === undefined ? rest.includes(word.toLowerCase()) : digits.test(rest);
  }
}
