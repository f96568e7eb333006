// For people: how each expectation compares with what was read, and what shape that has. Values only where they are asked for.

import { parseValue, type Value } from "../compare/value.ts";
import type { Fields } from "../select/types.ts";
import { judgeOne } from "./expectation.ts";
import { findRecord } from "./judge.ts";
import { locate } from "./locate.ts";
import type { Observation, Readback } from "./types.ts";

/** One expectation after a read. */
export interface Explained {
  /** Expectations of one group share a number; of those, one must hold. */
  readonly group: number;
  readonly path: string;
  readonly compare: string;
  readonly outcome: "equal" | "different" | "undecided" | "missing";
  readonly expected: Value | undefined;
  readonly observed: Value | undefined;
}

/** How each expectation fared; empty when no record was read. */
export function explain(readback: Readback, observation: Observation, fields: Fields): Explained[] {
  const found = findRecord(readback, observation, fields);
  if (found.type !== "at") return [];
  const { bytes, record } = found;
  return readback.expected.flatMap((expectations, group) =>
    expectations.map((expectation): Explained => {
      const { written: path, path: way, compare, expected } = expectation;
      const json = "json" in expected ? expected.json : fields.get(expected.field);
      const observed = locate(bytes, record, way);
      const judged = judgeOne(expectation, bytes, record, fields);
      const outcome = typeof judged === "string" ? judged : observed === undefined ? "missing" : "undecided";
      return { group, path, compare, outcome, expected: json === undefined ? undefined : parseValue(json), observed };
    }),
  );
}

/** Levels and members of a value that are described. */
const MAX_DEPTH = 4;
const MAX_MEMBERS = 40;

/** A value's structure: names of members and types, no values. */
export function shapeOf(value: Value, depth = 0): string {
  if (value.type === "list") {
    if (value.items.length === 0) return "[] (empty)";
    const inner = depth < MAX_DEPTH ? shapeOf(value.items[0]!, depth + 1) : "...";
    return `[${value.items.length} x ${inner}]`;
  }
  if (value.type === "object") {
    if (depth >= MAX_DEPTH) return "{...}";
    const names = [...value.members].slice(0, MAX_MEMBERS);
    const shown = names.map(([name, member]) => `${JSON.stringify(name)}: ${shapeOf(member, depth + 1)}`);
    if (value.members.size > MAX_MEMBERS) shown.push(`${value.members.size - MAX_MEMBERS} more`);
    return `{${shown.join(", ")}}`;
  }
  if (value.type === "string") return value.text === "" ? "empty string" : "string";
  return value.type;
}

/** A value as JSON, with the digits that it came with. */
export function jsonText(value: Value): string {
  switch (value.type) {
    case "null":
      return "null";
    case "boolean":
      return String(value.is);
    case "number":
      return value.token;
    case "string":
      return JSON.stringify(value.text);
    case "list":
      return `[${value.items.map(jsonText).join(",")}]`;
    case "object":
      return `{${[...value.members].map(([name, member]) => `${JSON.stringify(name)}:${jsonText(member)}`).join(",")}}`;
  }
}
