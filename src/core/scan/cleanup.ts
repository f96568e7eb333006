// The arguments of a clean-up call: fixed JSON in which the case's fields take their places, and only records of this run are named.

import type { Compilation } from "../contract/compile.ts";
import { showName } from "../contract/issue.ts";
import { nearestName } from "../contract/nearest.ts";
import { offsetInString } from "../contract/position.ts";
import type { Node, Step } from "../contract/tree.ts";
import type { ToolContract } from "../contract/types.ts";
import { scalarText } from "../readback/url-template.ts";
import type { Fields } from "../select/types.ts";
import { insideQuotes, writeArguments } from "./argument-text.ts";
import { checkCleanup, PLACEHOLDER } from "./cleanup-safety.ts";
import { isBlank } from "./record-id.ts";
import type { ArgumentTemplate, CleanupPart } from "./types.ts";
import { words } from "./words.ts";

/** Reads the arguments of a clean-up. Undefined for anything but an object. */
export function readCleanupArguments(
  node: Node | undefined,
  steps: readonly Step[],
  contract: ToolContract | undefined,
  caseArguments: ArgumentTemplate | undefined,
  compilation: Compilation,
): readonly CleanupPart[] | undefined {
  const { text, note } = compilation;
  if (node?.type !== "object") return undefined;
  const parts: CleanupPart[] = [];
  const add = (json: string): void => {
    const last = parts.at(-1);
    if (last?.type === "json") parts[parts.length - 1] = { type: "json", text: last.text + json };
    else parts.push({ type: "json", text: json });
  };
  writeArguments(node, steps, { add, string }, compilation);
  if (contract !== undefined) checkCleanup(node, steps, contract, caseArguments ?? [], compilation);
  return parts;

  function string(at: Node & { type: "string" }, here: readonly Step[]): void {
    const whole = /^\{([A-Za-z_][\w.-]*)\}$/.exec(at.text)?.[1];
    if (whole !== undefined && whole !== "run_id") {
      parts.push({ type: "value", field: fieldNamed(whole, at, 0, here) });
      return;
    }
    let from = 0;
    add('"');
    for (const found of at.text.matchAll(PLACEHOLDER)) {
      add(insideQuotes(at.text.slice(from, found.index)));
      const name = found[1]!;
      if (name === "run_id") parts.push({ type: "runId" });
      else parts.push({ type: "text", field: fieldNamed(name, at, found.index, here) });
      from = found.index + found[0].length;
    }
    add(`${insideQuotes(at.text.slice(from))}"`);
  }

  /** The field that a placeholder stands for. */
  function fieldNamed(name: string, at: Node & { type: "string" }, unit: number, here: readonly Step[]): string {
    if (contract === undefined) return name;
    if (name === "id" && contract.recordIdField !== undefined) return contract.recordIdField;
    if (contract.extract.has(name)) return name;
    const nearest = nearestName(name, [...contract.extract.keys()]);
    const wording =
      name === "id" ? words.noId() : words.placeholder(nearest === undefined ? undefined : showName(nearest));
    note(offsetInString(text, at, unit), here, wording);
    return name;
  }
}

/** The fields that a clean-up needs. */
export function cleanupFields(parts: readonly CleanupPart[]): readonly string[] {
  return [...new Set(parts.flatMap((part) => (part.type === "value" || part.type === "text" ? [part.field] : [])))];
}

/** The arguments as JSON text. Undefined when a value is missing, null, empty, or a structure inside a text. */
export function fillCleanup(parts: readonly CleanupPart[], fields: Fields, runId: string): string | undefined {
  let filled = "";
  for (const part of parts) {
    if (part.type === "json") filled += part.text;
    else if (part.type === "runId") filled += runId;
    else {
      const json = fields.get(part.field);
      if (json === undefined || isBlank(json)) return undefined;
      const text = part.type === "value" ? json : scalarText(json);
      if (text === undefined) return undefined;
      filled += part.type === "value" ? text : insideQuotes(text);
    }
  }
  return filled;
}
