// Writes arguments as JSON text: digit for digit, in the order of the file. What a text in them may stand for is the caller's.

import type { Compilation } from "../contract/compile.ts";
import type { Node, Step } from "../contract/tree.ts";
import { normalNumber } from "../wire/ids.ts";
import { words } from "./words.ts";

export interface ArgumentWriter {
  /** Takes the next piece of JSON text. */
  add(json: string): void;
  /** Writes a text with all that stands for something else in it. */
  string(node: Node & { readonly type: "string" }, steps: readonly Step[]): void;
}

/** Writes a value and all in it, noting what cannot be sent. */
export function writeArguments(root: Node, steps: readonly Step[], to: ArgumentWriter, { note }: Compilation): void {
  walk(root, steps);

  function walk(at: Node, here: readonly Step[]): void {
    if (at.type === "list") {
      to.add("[");
      at.items.forEach((item, i) => {
        if (i > 0) to.add(",");
        walk(item, [...here, i]);
      });
      to.add("]");
    } else if (at.type === "object") {
      to.add("{");
      at.members.forEach(({ key, value }, i) => {
        to.add(`${i > 0 ? "," : ""}${JSON.stringify(key)}:`);
        walk(value, [...here, key]);
      });
      to.add("}");
    } else if (at.type === "string") to.string(at, here);
    else if (at.type === "number") {
      if (normalNumber(at.token) === undefined) note(at.at, here, words.notJson());
      to.add(at.token);
    } else to.add(at.type === "null" ? "null" : String(at.is));
  }
}

/** A text as it stands between the quotes of a JSON string. */
export function insideQuotes(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
