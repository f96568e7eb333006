// The scan format: its schema, the generated check of it, and the names of its places.

import { contractFormat } from "../contract/format.ts";
import type { Format } from "../contract/structure.ts";
import type { Step } from "../contract/tree.ts";
import { scanShape } from "./schema.ts";
import validate from "./validate.generated.js";
import { right } from "./words.ts";

export const scanFormat: Format = {
  schema: scanShape,
  validate,
  right: (steps) => asContract(steps, contractFormat.right) ?? right[nameOf(steps)] ?? "something else",
  beside: contractFormat.beside,
};

/** What stands under `outcome_contract` is what stands under a tool of a contract, and is worded as there. */
function asContract(steps: readonly Step[], of: (steps: readonly Step[]) => string): string | undefined {
  return steps[2] === "outcome_contract" && steps.length > 3 ? of(["tools", "", ...steps.slice(3)]) : undefined;
}

function nameOf(steps: readonly Step[]): string {
  return steps.map((step, depth) => (typeof step === "number" ? "[]" : depth === 0 ? step : `.${step}`)).join("");
}
