// JSON text of any value, keys sorted, so that two runs can be compared; total, whatever a server answered.

import { jsonString } from "./characters.ts";
import { MAX_JSON_DEPTH } from "./limits.ts";

/** Indented JSON with sorted keys and no control character but the ends of lines. What JSON cannot say becomes null. */
export function sortedJson(value: unknown): string {
  return write(value, "", 0);
}

function write(value: unknown, indent: string, depth: number): string {
  if (typeof value === "string") return jsonString(value);
  if (typeof value === "bigint") return String(value);
  if (typeof value === "boolean") return String(value);
  if (typeof value === "number") return Number.isFinite(value) ? JSON.stringify(value) : "null";
  if (typeof value !== "object" || value === null) return "null";
  if (depth >= MAX_JSON_DEPTH) return `"[deeper than ${MAX_JSON_DEPTH} levels]"`;
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    return list(
      "[",
      Array.from(value, (item) => write(item, inner, depth + 1)),
      "]",
      indent,
    );
  }
  const members = Object.keys(value)
    .sort()
    .map((key) => [key, (value as Record<string, unknown>)[key]] as const)
    .filter(([, member]) => member !== undefined)
    .map(([key, member]) => `${jsonString(key)}: ${write(member, inner, depth + 1)}`);
  return list("{", members, "}", indent);
}

function list(open: string, items: readonly string[], close: string, indent: string): string {
  if (items.length === 0) return `${open}${close}`;
  return `${open}\n${items.map((item) => `${indent}  ${item}`).join(",\n")}\n${indent}${close}`;
}
