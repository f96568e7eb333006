// Checks a contract's structure against the schema and says what is wrong in our own words; also finds keys given twice.

import type { Finding, Wording } from "./issue.ts";
import { nearestName } from "./nearest.ts";
import type { Position } from "./position.ts";
import { memberNamed, type Node, nodeAt, type Step, toValue } from "./tree.ts";
import type { SchemaError, Validate } from "./validate.generated.js";
import { words } from "./words.ts";

/** What a file must be like: a contract, or something else that is written and checked in the same way. */
export interface Format {
  readonly schema: object;
  /** The generated check of that schema. */
  readonly validate: Validate;
  /** What would be right at a place. */
  readonly right: (steps: readonly Step[]) => string;
  /** What a member needs beside it, at a place where it is refused without. */
  readonly beside: (steps: readonly Step[]) => string;
}

/** Everything that the schema refuses. Empty means that compile.ts may rely on every type and every required member. */
export function checkStructure(root: Node, format: Format): Finding[] {
  const { validate } = format;
  if (validate(toValue(root))) return [];
  const findings: Finding[] = [];
  const seen = new Set<string>();
  for (const error of validate.errors ?? []) {
    const finding = toFinding(root, error, format);
    if (finding === undefined) continue;
    const place = JSON.stringify(finding.steps);
    // A value gets one message; what else the schema says about it follows from the first.
    if (!seen.has(place)) findings.push(finding);
    seen.add(place);
  }
  return findings;
}

/** Every key that an object gives a second time. */
export function findDuplicates(root: Node, position: (offset: number) => Position): Finding[] {
  const findings: Finding[] = [];
  // The way to the current value; one array for the whole walk, copied only where there is something to say.
  const steps: Step[] = [];
  const walk = (node: Node, step: Step): void => {
    steps.push(step);
    if (node.type === "list") node.items.forEach(walk);
    else if (node.type === "object") {
      const first = new Map<string, number>();
      for (const { key, at, value } of node.members) {
        const before = first.get(key);
        if (before === undefined) first.set(key, at);
        else findings.push(duplicate([...steps.slice(1), key], at, position(before)));
        walk(value, key);
      }
    }
    steps.pop();
  };
  walk(root, "");
  return findings;
}

function duplicate(steps: readonly Step[], at: number, { line }: Position): Finding {
  const isTool = steps.length === 2 && steps[0] === "tools";
  return { at, steps, ...(isTool ? words.duplicateTool(line) : words.duplicateKey(line)) };
}

function toFinding(root: Node, error: SchemaError, format: Format): Finding | undefined {
  const { right } = format;
  const steps = toSteps(root, error.instancePath);
  const node = nodeAt(root, steps);
  if (node === undefined) return undefined;
  switch (error.keyword) {
    case "required": {
      // Which of verifier and readback is missing or too many is said by compile.ts.
      if (error.schemaPath.includes("/oneOf/")) return undefined;
      const key = String(error.params.missingProperty);
      return { at: node.at, steps: [...steps, key], ...words.missing(right([...steps, key])) };
    }
    case "additionalProperties": {
      const key = String(error.params.additionalProperty);
      return { at: keyOffset(node, key), steps: [...steps, key], ...unknownKey(key, error.schemaPath, format) };
    }
    case "false schema": {
      const key = String(steps.at(-1));
      const parent = nodeAt(root, steps.slice(0, -1));
      const at = parent === undefined ? node.at : keyOffset(parent, key);
      return { at, steps, ...words.onlyWith(format.beside(steps)) };
    }
    // Noise of the schema's own structure, and what compile.ts says better.
    case "if":
    case "oneOf":
    case "propertyNames":
    case "uniqueItems":
      return undefined;
    case "minLength":
      if (error.schemaPath.includes("/propertyNames/")) return undefined;
      return { at: node.at, steps, ...words.empties(right(steps)) };
    case "minItems":
    case "minProperties":
      if (Number(error.params.limit) > 1 && node.type === "object" && node.members.length > 0) {
        return { at: node.at, steps, ...words.wrongValue(right(steps)) };
      }
      return { at: node.at, steps, ...words.empties(right(steps)) };
    case "type":
      return { at: node.at, steps, ...words.wrongType(node.type, right(steps)) };
    case "const":
      if (steps.at(-1) === "draft" && node.type === "boolean") return { at: node.at, steps, ...words.draft() };
      return { at: node.at, steps, ...words.wrongValue(right(steps)) };
    default:
      return { at: node.at, steps, ...words.wrongValue(right(steps)) };
  }
}

function unknownKey(key: string, schemaPath: string, { schema }: Format): Wording {
  const known = knownKeys(schema, schemaPath);
  return words.unknownKey(nearestName(key, known), known);
}

/** The names that the schema knows where an unknown one was found. */
function knownKeys(schema: object, schemaPath: string): string[] {
  let node: unknown = schema;
  const parts = schemaPath.split("/").slice(1, -1);
  for (const part of parts) node = (node as Record<string, unknown> | undefined)?.[decodeURIComponent(part)];
  return Object.keys((node as { properties?: object } | undefined)?.properties ?? {});
}

function keyOffset(node: Node, key: string): number {
  return memberNamed(node, key)?.at ?? node.at;
}

/** JSON Pointer -> steps, list items as numbers. */
function toSteps(root: Node, pointer: string): Step[] {
  const steps: Step[] = [];
  for (const part of pointer.split("/").slice(1)) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    steps.push(nodeAt(root, steps)?.type === "list" ? Number(name) : name);
  }
  return steps;
}
