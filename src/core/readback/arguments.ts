// Arguments of a tool call: fixed JSON in which extracted values take their places, each with its type and all its digits.

import type { Node, Step } from "../contract/tree.ts";
import type { Fields } from "../select/types.ts";
import { jsonOf } from "./expected.ts";
import type { FieldUse } from "./kinds/kind.ts";

/** In turn JSON text and the name of a field, the first and the last being texts. */
export type ArgumentParts = readonly string[];

/**
 * Reads arguments: `{"field": NAME}` anywhere in them stands for the field's value, `{"value": X}` for X as it is written.
 * Undefined when a number in them is not JSON's.
 */
export function readArguments(
  node: Node,
  steps: readonly Step[],
  uses: FieldUse[],
): { parts: ArgumentParts } | undefined {
  const parts: string[] = [""];
  const add = (text: string): void => {
    parts[parts.length - 1] += text;
  };
  const literal = (at: Node): boolean => {
    const json = jsonOf(at);
    if (json !== undefined) add(json);
    return json !== undefined;
  };
  const object = (at: Node & { type: "object" }, here: readonly Step[]): boolean => {
    add("{");
    const good = at.members.every(({ key, value }, i) => {
      add(`${i > 0 ? "," : ""}${JSON.stringify(key)}:`);
      return walk(value, [...here, key]);
    });
    add("}");
    return good;
  };
  const walk = (at: Node, here: readonly Step[]): boolean => {
    if (at.type === "list") {
      add("[");
      const good = at.items.every((item, i) => {
        if (i > 0) add(",");
        return walk(item, [...here, i]);
      });
      add("]");
      return good;
    }
    if (at.type !== "object") return literal(at);
    const only = at.members.length === 1 ? at.members[0] : undefined;
    if (only?.key === "value") return literal(only.value);
    if (only?.key !== "field" || only.value.type !== "string") return object(at, here);
    uses.push({ name: only.value.text, at: only.value.at, steps: [...here, "field"] });
    parts.push(only.value.text, "");
    return true;
  };
  // The whole is an object of arguments, even when its only one is called field or value.
  return node.type === "object" && object(node, steps) ? { parts } : undefined;
}

/** The arguments as JSON text. Undefined when a value is missing, null or an empty text, which ask for nothing certain. */
export function fillArguments(parts: ArgumentParts, fields: Fields): string | undefined {
  let filled = "";
  for (const [i, part] of parts.entries()) {
    const json = i % 2 === 0 ? part : fields.get(part);
    if (json === undefined || (i % 2 === 1 && (json === "null" || json === '""'))) return undefined;
    filled += json;
  }
  return filled;
}
