// `expected_fields` and what is written like it: path of the record, then what must stand there.

import { comparatorNamed } from "../compare/index.ts";
import type { CompareOptions } from "../compare/types.ts";
import type { Compilation } from "../contract/compile.ts";
import { offsetInString } from "../contract/position.ts";
import { memberOf, type Node, type Step } from "../contract/tree.ts";
import { parsePath } from "../select/path.ts";
import type { Path } from "../select/types.ts";
import { normalNumber } from "../wire/ids.ts";
import type { FieldUse } from "./kinds/kind.ts";
import type { Expectation } from "./types.ts";
import { words } from "./words.ts";

/** Reads a map of expectations, noting what is wrong; the extracted fields that it names are added to `uses`. */
export function readExpectations(
  node: Node | undefined,
  steps: readonly Step[],
  compilation: Compilation,
  uses: FieldUse[],
): Expectation[] {
  if (node?.type !== "object") return [];
  const read: Expectation[] = [];
  for (const { key, at, value } of node.members) {
    const here = [...steps, key];
    const parsed = parsePath(key);
    if (!parsed.ok) compilation.note(at, here, words.path(parsed.message));
    const rest = readExpectation(value, here, compilation, uses);
    if (parsed.ok && rest !== undefined) read.push({ written: key, path: parsed.path, ...rest });
  }
  return read;
}

function readExpectation(
  node: Node,
  steps: readonly Step[],
  { note }: Compilation,
  uses: FieldUse[],
): Omit<Expectation, "written" | "path"> | undefined {
  if (node.type === "string") {
    uses.push({ name: node.text, at: node.at, steps });
    return { expected: { field: node.text }, compare: "exact", options: {} };
  }
  if (node.type !== "object") return undefined;
  const field = memberOf(node, "field");
  const value = memberOf(node, "value");
  if ((field === undefined) === (value === undefined)) note(node.at, steps, words.fieldOrValue());
  if (field?.type === "string") uses.push({ name: field.text, at: field.at, steps: [...steps, "field"] });
  const json = value && jsonOf(value);
  if (value !== undefined && json === undefined) note(value.at, [...steps, "value"], words.notJson());
  const named = memberOf(node, "compare");
  const compare = named?.type === "string" ? named.text : "exact";
  if (compare === "one_of" && value !== undefined && (value.type !== "list" || value.items.length === 0)) {
    note(value.at, [...steps, "value"], words.oneOfNeedsList());
  }
  const options = readOptions(node, compare, steps, note);
  if (json !== undefined) return { expected: { json }, compare, options };
  return field?.type === "string" ? { expected: { field: field.text }, compare, options } : undefined;
}

function readOptions(node: Node, compare: string, steps: readonly Step[], note: Compilation["note"]): CompareOptions {
  const known = comparatorNamed(compare)?.options;
  const by = memberOf(node, "by");
  const tolerance = memberOf(node, "tolerance");
  for (const [key, member] of [["by", by] as const, ["tolerance", tolerance] as const]) {
    if (member !== undefined && known !== undefined && !known.includes(key)) {
      note(member.at, [...steps, key], words.useless(key, compare));
    }
  }
  const token = tolerance?.type === "number" ? tolerance.token : undefined;
  if (tolerance !== undefined && (token === undefined || token.startsWith("-") || normalNumber(token) === undefined)) {
    note(tolerance.at, [...steps, "tolerance"], words.tolerance());
  }
  return {
    ...(by?.type === "string" && { by: by.text }),
    ...(token !== undefined && { tolerance: token }),
  };
}

/** A path that stands as a value. */
export function readPathAt(
  node: Node | undefined,
  steps: readonly Step[],
  { text, note }: Compilation,
): Path | undefined {
  if (node?.type !== "string") return undefined;
  const parsed = parsePath(node.text);
  if (parsed.ok) return parsed.path;
  note(offsetInString(text, node, parsed.at), steps, words.path(parsed.message));
  return undefined;
}

/** The JSON text of a value, numbers with their digits; undefined when a number in it is not JSON's. */
export function jsonOf(node: Node): string | undefined {
  switch (node.type) {
    case "null":
      return "null";
    case "boolean":
      return String(node.is);
    case "number":
      return normalNumber(node.token) === undefined ? undefined : node.token;
    case "string":
      return JSON.stringify(node.text);
    case "list": {
      const items = node.items.map(jsonOf);
      return items.includes(undefined) ? undefined : `[${items.join()}]`;
    }
    case "object": {
      const members = node.members.map(({ key, value }) => [key, jsonOf(value)] as const);
      if (members.some(([, json]) => json === undefined)) return undefined;
      return `{${members.map(([key, json]) => `${JSON.stringify(key)}:${json}`).join()}}`;
    }
  }
}
