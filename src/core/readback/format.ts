// The read-back format: its schema, the generated check of it, and what would be right at each of its places.

import type { Format } from "../contract/structure.ts";
import type { Step } from "../contract/tree.ts";
import type { Validate } from "../contract/validate.generated.js";
import { kindNamed, kinds } from "./kinds/index.ts";
import { readbackShapes } from "./schema.ts";
import * as checks from "./validate.generated.js";
import { commonRight } from "./words.ts";

/** The formats that a read-back of that type must have: of what all types share, and of the type's own keys where it is known. */
export function readbackFormats(type: string | undefined): readonly Format[] {
  const names = type !== undefined && kindNamed(type) ? ["any", type] : ["any"];
  return names.map((name) => ({
    ...wording,
    schema: readbackShapes[name]!,
    validate: (checks as Readonly<Record<string, Validate>>)[name]!,
  }));
}

const wording: Pick<Format, "right" | "beside"> = {
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
    else if (step === "env" && name !== "") name += ".env";
    else if (CHOSEN.has(name) || name.endsWith("[]")) name += ".*";
    else name = step;
  }
  return name;
}
