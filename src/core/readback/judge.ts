// Judges what one read saw against what a contract expects. Nothing is guessed: whatever cannot be read with certainty is a doubt.

import { compareValues } from "../compare/index.ts";
import { parseValue, type Value } from "../compare/value.ts";
import type { Fields } from "../select/types.ts";
import { kindOf, type Span } from "../wire/json.ts";
import { jsonValue } from "../wire/validate.ts";
import { doubt, judgeOne } from "./expectation.ts";
import { findElement } from "./find.ts";
import { locate } from "./locate.ts";
import { hasNextPage } from "./paging.ts";
import type { Expectation, Finding, Observation, Readback } from "./types.ts";

/** Where the record is, or what can be said without one. */
export type Record =
  | { readonly type: "at"; readonly bytes: Uint8Array; readonly record: Span }
  | { readonly type: "gone" }
  | Extract<Finding, { type: "doubt" }>;

/** Judges one read. Never throws. */
export function judge(readback: Readback, observation: Observation, fields: Fields): Finding {
  const found = findRecord(readback, observation, fields);
  if (found.type === "doubt") return found;
  if (found.type === "gone") return existence(readback, false);
  const { bytes, record } = found;
  if (isTombstone(readback, bytes, record)) return existence(readback, false);
  const judged = judgeFields(readback.expected, bytes, record, fields);
  if (readback.expect === "present" || judged.type === "doubt") return judged;
  // A record that is not the one that was to go says nothing about that one.
  if (judged.type === "fail") return doubt("readback_unconfirmed", "another record was read than the expected one");
  return existence(readback, true);
}

/** When the record is not on this page of a list that goes on: how many elements are. Undefined when no further page is wanted. */
export function elementsBefore(readback: Readback, observation: Observation, fields: Fields): number | undefined {
  if (readback.find === undefined || observation.type !== "record" || observation.next === undefined) return undefined;
  const bytes = new TextEncoder().encode(observation.json);
  const root = jsonValue(bytes, 0, bytes.length);
  const found = root && findElement(bytes, root, readback.find, fields);
  return found?.type === "none" ? found.count : undefined;
}

/** Finds the record in what one read saw. */
export function findRecord(readback: Readback, observation: Observation, fields: Fields): Record {
  if (observation.type === "doubt") {
    const { reason, note, retryAfterMs } = observation;
    return { ...doubt(reason, note), ...(retryAfterMs !== undefined && { retryAfterMs }) };
  }
  if (observation.type === "missing") return { type: "gone" };
  const bytes = new TextEncoder().encode(observation.json);
  const root = jsonValue(bytes, 0, bytes.length);
  if (root === undefined) return doubt("readback_error", "what was read is not JSON");
  let record = root;
  if (readback.find !== undefined) {
    const found = findElement(bytes, root, readback.find, fields);
    if (found.type === "doubt") return found;
    if (found.type === "none") {
      if (observation.more === true || hasNextPage(bytes, root, (observation.before ?? 0) + found.count)) {
        return doubt("readback_unconfirmed", "it is not on this page of the list, and there are more pages");
      }
      if (readback.find.complete) return { type: "gone" };
      return doubt("readback_unconfirmed", "it is not in the list, which the contract does not call complete");
    }
    record = found.element;
  }
  if (kindOf(bytes, record) !== "object") return doubt("readback_unconfirmed", "what was read is not an object");
  return { type: "at", bytes, record };
}

function existence({ expect }: Readback, exists: boolean): Finding {
  if (exists === (expect === "present")) return { type: "match" };
  return { type: "fail", reason: exists ? "record_present" : "record_missing", unmet: [], fields: [], sight: "" };
}

function isTombstone({ tombstone }: Readback, bytes: Uint8Array, record: Span): boolean {
  if (tombstone === undefined) return false;
  const found = locate(bytes, record, tombstone.path);
  const wanted = parseValue(tombstone.json);
  return found !== undefined && wanted !== undefined && compareValues("exact", wanted, found) === "equal";
}

function judgeFields(groups: Readback["expected"], bytes: Uint8Array, record: Span, fields: Fields): Finding {
  const unmet: Expectation[] = [];
  const seen: string[] = [];
  let unclear: ReturnType<typeof doubt> | undefined;
  for (const group of groups) {
    const judged = group.map((expectation) => judgeOne(expectation, bytes, record, fields));
    if (judged.includes("equal")) continue;
    const doubts = judged.filter((one) => typeof one === "object");
    if (doubts.length > 0) {
      // One value that cannot be compared does not excuse another that is wrong; a record of another shape does.
      if (unclear === undefined || unclear.reason === "readback_unconfirmed") unclear = doubts[0];
      continue;
    }
    unmet.push(...group);
    for (const { path } of group) seen.push(JSON.stringify(spell(locate(bytes, record, path))));
  }
  if (unclear !== undefined && (unmet.length === 0 || unclear.reason !== "readback_unconfirmed")) return unclear;
  if (unmet.length === 0) return { type: "match" };
  return {
    type: "fail",
    reason: "field_mismatch",
    unmet: unmet.map(({ written }) => written),
    fields: [...new Set(unmet.flatMap(({ expected }) => ("field" in expected ? [expected.field] : [])))].sort(),
    sight: seen.join(),
  };
}

/** Equal for equal values; numbers by their digits. */
function spell(value: Value | undefined): unknown {
  if (value === undefined) return "?";
  if (value.type === "list") return value.items.map(spell);
  if (value.type === "object") return [...value.members].map(([name, member]) => [name, spell(member)]).sort();
  return value;
}
