// Undoes what storing and reading may do to a text without changing what it says.

import { decodeEntities, hasUnknownEntity } from "./html.ts";
import type { Value } from "./value.ts";

/**
 * The value with its texts plain: line ends as LF, one form of Unicode composition, HTML entities (also doubled ones) and
 * percent-encoding undone, no-break spaces as spaces. Two values that are equal only like this differ in encoding alone.
 */
export function plainValue(value: Value): Value {
  if (value.type === "string") return { type: "string", text: plainText(value.text) };
  if (value.type === "list") return { type: "list", items: value.items.map(plainValue) };
  if (value.type !== "object") return value;
  return { type: "object", members: new Map([...value.members].map(([name, member]) => [name, plainValue(member)])) };
}

/** Whether a text in it holds an entity that this program does not know, and so cannot undo. */
export function holdsUnknownEntity(value: Value): boolean {
  if (value.type === "string") return hasUnknownEntity(value.text);
  if (value.type === "list") return value.items.some(holdsUnknownEntity);
  return value.type === "object" && [...value.members.values()].some(holdsUnknownEntity);
}

function plainText(text: string): string {
  const decoded = decodePercent(decodeEntities(decodeEntities(text)));
  return decoded.replace(/\r\n?/g, "\n").replaceAll("\u00a0", " ").normalize("NFC");
}

function decodePercent(text: string): string {
  if (!/%[0-9a-fA-F]{2}/.test(text)) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
