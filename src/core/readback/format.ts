// The read-back format: its schema, the generated check of it, and what would be right at each of its places.

import type { Format } from "../contract/structure.ts";
import type { Step } from "../contract/tree.ts";
import { kinds } from "./kinds/index.ts";
import { readbackNode } from "./schema.ts";
import validate from "./validate.generated.js";
import { commonRight } from "./words.ts";

export const readbackFormat: Format = {
  schema: readbackNode,
  validate,
  right(steps) {
    const name = nameOf(steps);
    if (name === "type") return kinds.map(({ type }) => `"${type}"`).join(" or ");
    const own = kinds.find(({ right }) => Object.hasOwn(right, name))?.right[name];
    return commonRight[name] ?? own ?? "something else";
  },
  beside: (steps) => `"scheme": "${["header", "prefix"].includes(String(steps.at(-1))) ? "header" : "basic"}"`,
};

/** Objects whose member names are chosen by the user. */
const CHOSEN = new Set(["expected_fields", "where", "headers", "variables"]);

function nameOf(steps: readonly Step[]): string {
  let name = "";
  for (const step of steps) {
    if (typeof step === "number") name += "[]";
    else if (CHOSEN.has(name) || name.endsWith("[]")) name += ".*";
    else name = step;
  }
  return name;
}
