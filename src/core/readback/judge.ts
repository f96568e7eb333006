// Judges what one read saw against what a contract expects. Nothing is guessed: whatever cannot be read with certainty is a doubt.

import { compareValues } from "../compare/index.ts";
import { parseValue, type Value } from "../compare/value.ts";
import type { Fields, Path } from "../select/types.ts";
import { kindOf, type Span } from "../wire/json.ts";
import { jsonValue } from "../wire/validate.ts";
import { doubt, judgeOne } from "./expectation.ts";
import { findElement } from "./find.ts";
import { locate } from "./locate.ts";
import { nearlyEqual } from "./nearly.ts";
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
  if (found.type === "gone") {
    const finding = existence(readback, false);
    return finding.type === "match" ? { ...finding, absence: true } : finding;
  }
  const { bytes, record } = found;
  const buried = isTombstone(readback, bytes, record);
  if (typeof buried === "object") return buried;
  if (buried) return existence(readback, false);
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
      const { more, total = 0, before = 0 } = observation;
      if (more || total > before + found.count || hasNextPage(bytes, root, readback.find.in, found.count, before)) {
        return doubt("readback_unconfirmed", "it is not on this page of the list, and there may be more pages");
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

/** Null is a definite other value; one of another type, or one that nearly is the tombstone's, is a doubt. */
function isTombstone({ tombstone }: Readback, bytes: Uint8Array, record: Span): boolean | ReturnType<typeof doubt> {
  if (tombstone === undefined) return false;
  const found = locate(bytes, record, tombstone.path);
  const wanted = parseValue(tombstone.json);
  if (found === undefined || wanted === undefined) {
    if (tombstone.onlyWhenDeleted && lacksLast(bytes, record, tombstone.path)) return false;
    return doubt("readback_shape_invalid", "the path of tombstone is not in what was read");
  }
  const comparison = compareValues("exact", wanted, found);
  if (comparison === "equal") return true;
  if (comparison === "different") {
    if (wanted.type === "null" || found.type === "null") return false;
    if (wanted.type === found.type && !nearlyEqual("exact", wanted, found)) return false;
  }
  return doubt(
    "readback_unconfirmed",
    "whether the record is deleted cannot be told from what is at the path of tombstone",
  );
}

/** Whether only the last member of the path is not there. */
function lacksLast(bytes: Uint8Array, record: Span, path: Path): boolean {
  const parent = locate(bytes, record, path.slice(0, -1));
  const last = path.at(-1);
  return (
    parent?.type === "object" && last?.type !== "each" && last?.type !== "index" && !parent.members.has(last!.name)
  );
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
