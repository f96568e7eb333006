// Checks a contract's structure against the schema and says what is wrong in our own words; also finds keys given twice.

import type { Finding, Wording } from "./issue.ts";
import { nearestName } from "./nearest.ts";
import type { Position } from "./position.ts";
import { contractSchema } from "./schema.ts";
import { memberNamed, type Node, nodeAt, type Step, toValue } from "./tree.ts";
import validate, { type SchemaError } from "./validate.generated.js";
import { words } from "./words.ts";

/** Everything that the schema refuses. Empty means that compile.ts may rely on every type and every required member. */
export function checkStructure(root: Node): Finding[] {
  if (validate(toValue(root))) return [];
  const findings: Finding[] = [];
  const seen = new Set<string>();
  for (const error of validate.errors ?? []) {
    const finding = toFinding(root, error);
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

function toFinding(root: Node, error: SchemaError): Finding | undefined {
  const steps = toSteps(root, error.instancePath);
  const node = nodeAt(root, steps);
  if (node === undefined) return undefined;
  switch (error.keyword) {
    case "required": {
      const key = String(error.params.missingProperty);
      // A tool with an inline read-back is told that; that it has no verifier follows from it.
      if (key === "verifier" && nodeAt(node, ["readback"]) !== undefined) return undefined;
      return { at: node.at, steps: [...steps, key], ...words.missing(key) };
    }
    case "additionalProperties": {
      const key = String(error.params.additionalProperty);
      return { at: keyOffset(node, key), steps: [...steps, key], ...unknownKey(key, steps, error.schemaPath) };
    }
    case "false schema": {
      const key = String(steps.at(-1));
      const parent = nodeAt(root, steps.slice(0, -1));
      const at = parent === undefined ? node.at : keyOffset(parent, key);
      return { at, steps, ...words.onlyWithParse(key === "field" ? "embedded_json" : "regex") };
    }
    // Noise of the schema's own structure, and what compile.ts says better.
    case "if":
    case "propertyNames":
    case "uniqueItems":
      return undefined;
    case "minLength":
      if (error.schemaPath.includes("/propertyNames/")) return undefined;
      return { at: node.at, steps, ...words.empties(memberName(steps)) };
    case "minItems":
    case "minProperties":
      return { at: node.at, steps, ...words.empties(memberName(steps)) };
    case "type":
      return { at: node.at, steps, ...words.wrongType(node.type, memberName(steps)) };
    case "const":
      if (steps.at(-1) === "draft" && node.type === "boolean") return { at: node.at, steps, ...words.draft() };
      return { at: node.at, steps, ...words.wrongValue(memberName(steps)) };
    default:
      return { at: node.at, steps, ...words.wrongValue(memberName(steps)) };
  }
}

function unknownKey(key: string, steps: readonly Step[], schemaPath: string): Wording {
  if (key === "readback" && steps.length === 2) return words.readback();
  const known = knownKeys(schemaPath);
  return words.unknownKey(nearestName(key, known), known);
}

/** The names that the schema knows where an unknown one was found. */
function knownKeys(schemaPath: string): string[] {
  let node: unknown = contractSchema;
  const parts = schemaPath.split("/").slice(1, -1);
  for (const part of parts) node = (node as Record<string, unknown> | undefined)?.[decodeURIComponent(part)];
  return Object.keys((node as { properties?: object } | undefined)?.properties ?? {});
}

/** The name under which words.ts knows what would be right at a place. */
function memberName(steps: readonly Step[]): string {
  const last = steps.at(-1);
  if (last === undefined) return "";
  if (typeof last === "number") return `${memberName(steps.slice(0, -1))}[]`;
  if (steps.length === 2 && steps[0] === "tools") return "tools.*";
  if (steps.length === 4 && steps[2] === "extract") return "extract.*";
  return last;
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
