// The extracted fields as they travel: one JSON object, read without losing a digit.

import type { Fields } from "../select/types.ts";
import { eachMember, kindOf, stringOf, textOf } from "../wire/json.ts";
import { jsonValue } from "../wire/validate.ts";

/** The members of a JSON object as JSON texts; undefined for anything else, and when a name is given twice. */
export function parseFields(json: string): Fields | undefined {
  const bytes = new TextEncoder().encode(json);
  const root = jsonValue(bytes, 0, bytes.length);
  if (root === undefined || kindOf(bytes, root) !== "object") return undefined;
  const fields = new Map<string, string>();
  let good = true;
  eachMember(bytes, root, (key, value) => {
    const name = stringOf(bytes, key);
    if (name === undefined || fields.has(name)) good = false;
    else fields.set(name, textOf(bytes, value));
  });
  return good ? fields : undefined;
}
