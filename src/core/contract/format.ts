// The contract format: its schema, the generated check of it, and the names of its places.

import { contractShape } from "./schema.ts";
import type { Format } from "./structure.ts";
import type { Step } from "./tree.ts";
import validate from "./validate.generated.js";
import { words } from "./words.ts";

export const contractFormat: Format = {
  schema: contractShape,
  validate,
  right: (steps) => words.right(nameOf(steps)),
  beside: (steps) => `"parse": "${steps.at(-1) === "field" ? "embedded_json" : "regex"}"`,
};

/** The name under which words.ts knows what would be right at a place. */
function nameOf(steps: readonly Step[]): string {
  const last = steps.at(-1);
  if (last === undefined) return "";
  if (typeof last === "number") return `${nameOf(steps.slice(0, -1))}[]`;
  if (steps.length === 2 && steps[0] === "tools") return "tools.*";
  if (steps.length === 2 && (steps[0] === "secret_files" || steps[0] === "secret_command")) return `${steps[0]}.*`;
  if (steps.length === 4 && steps[2] === "extract") return "extract.*";
  return last;
}
