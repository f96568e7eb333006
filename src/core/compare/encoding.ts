// Undoes what storing and reading may do to a text without changing what it says.

import { decodeEntities, hasUnknownEntity } from "./html.ts";
import { decodeForm, decodePercent } from "./percent.ts";
import type { Value } from "./value.ts";

/** How often encoding is undone: a text that was encoded in several places on its way is encoded as often. */
const MAX_ROUNDS = 5;

/**
 * The value with its texts and the names of members plain: line ends as LF, one form of Unicode composition, HTML entities and
 * percent-encoding undone (also when they were put on each other), no-break spaces as spaces, no byte order mark, and halves of
 * surrogate pairs as the character that replaces them. Two values that are equal only like this differ in encoding alone.
 *
 * A plus may be a plus, or a blank in an encoded form: with `form` the value is given as it reads in the second case.
 */
export function plainValue(value: Value, form = false): Value {
  if (value.type === "string") return { type: "string", text: plainText(form ? decodeForm(value.text) : value.text) };
  if (value.type === "list") return { type: "list", items: value.items.map((item) => plainValue(item, form)) };
  if (value.type !== "object") return value;
  const members = [...value.members].map(([name, member]) => [plainText(name), plainValue(member, form)] as const);
  return { type: "object", members: new Map(members) };
}

/** A text as `plainValue` gives it. */
export function plainText(text: string): string {
  let plain = text;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const before = plain;
    plain = decodePercent(decodeEntities(before));
    if (plain === before) break;
  }
  return plain
    .replace(/^\ufeff/, "")
    .replace(/\r\n?/g, "\n")
    .replace(/[\u00a0\u2007\u202f]/g, " ")
    .replace(/[\p{Surrogate}\ufffd]+/gu, "\ufffd")
    .normalize("NFC");
}

/** Whether a text is not Unicode: it has half of a surrogate pair, which UTF-8 cannot say. */
export function hasHalfPair(text: string): boolean {
  return /\p{Surrogate}/u.test(text);
}

/** Whether a difference may be that one side has an entity which this program cannot undo, and the other the text for it. */
export function entityLeavesDoubt(a: Value, b: Value): boolean {
  return (
    (someText(a, hasUnknownEntity) && someText(b, hasAny)) || (someText(b, hasUnknownEntity) && someText(a, hasAny))
  );
}

function hasAny(text: string): boolean {
  return text !== "";
}

/** Whether one of the texts in it, or of the names of members, is such. */
function someText(value: Value, is: (text: string) => boolean): boolean {
  if (value.type === "string") return is(value.text);
  if (value.type === "list") return value.items.some((item) => someText(item, is));
  return value.type === "object" && [...value.members].some(([name, member]) => is(name) || someText(member, is));
}
