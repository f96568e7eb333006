// A case's arguments: JSON text as it is written, digit for digit, with the run's token where `{run_id}` stands in a text.

import type { Compilation } from "../contract/compile.ts";
import { offsetInString } from "../contract/position.ts";
import type { Node, Step } from "../contract/tree.ts";
import { insideQuotes, writeArguments } from "./argument-text.ts";
import type { ArgumentTemplate } from "./types.ts";
import { words } from "./words.ts";

const RUN_ID = "{run_id}";
const MISSPELT = /\{run[-_ ]?id\}/i;

/** Reads an object of arguments, noting what cannot be sent. Undefined for anything but an object. */
export function readCaseArguments(
  node: Node | undefined,
  steps: readonly Step[],
  compilation: Compilation,
): ArgumentTemplate | undefined {
  const { text, note } = compilation;
  if (node?.type !== "object") return undefined;
  const parts: string[] = [""];
  const add = (json: string): void => {
    parts[parts.length - 1] += json;
  };
  writeArguments(node, steps, { add, string }, compilation);
  return parts;

  function string(at: Node & { type: "string" }, here: readonly Step[]): void {
    const wrong = at.text.split(RUN_ID).join("\0".repeat(RUN_ID.length)).search(MISSPELT);
    if (wrong >= 0) note(offsetInString(text, at, wrong), here, words.runIdSpelling());
    const [first = "", ...more] = at.text.split(RUN_ID).map(insideQuotes);
    add(`"${first}`);
    parts.push(...more);
    add('"');
  }
}

/** The arguments as JSON text. `runId` must be plain letters and digits. */
export function fillCaseArguments(template: ArgumentTemplate, runId: string): string {
  return template.join(runId);
}
