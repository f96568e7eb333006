// Wire values as evidence: their structure, or, when values are to be shown, themselves.

import { parseValue, type Value } from "../../core/compare/value.ts";
import { MAX_EVIDENCE_CHARACTERS } from "../../core/limits.ts";
import { shapeOf } from "../../core/readback/explain.ts";

/** What a JSON text is shown as. */
export function shown(json: string, showValues: boolean): unknown {
  const value = parseValue(json);
  if (value === undefined) return `(${json.length} characters that cannot be shown)`;
  if (showValues && json.length <= MAX_EVIDENCE_CHARACTERS) return plain(value);
  const shape = shapeOf(value);
  return shape.length <= MAX_EVIDENCE_CHARACTERS ? shape : `(${json.length} characters)`;
}

/** Plain data; a number that JavaScript would round is given as a text of its digits. */
function plain(value: Value): unknown {
  switch (value.type) {
    case "null":
      return null;
    case "boolean":
      return value.is;
    case "number":
      return String(Number(value.token)) === value.token ? Number(value.token) : value.token;
    case "string":
      return value.text;
    case "list":
      return value.items.map(plain);
    case "object": {
      const members: Record<string, unknown> = Object.create(null);
      for (const [name, member] of value.members) members[name] = plain(member);
      return members;
    }
  }
}
