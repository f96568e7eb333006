// The ids of records: which may go into a call that removes, and whether a case's own arguments had named one.

import { parseValue, type Value } from "../compare/value.ts";
import { MAX_CLEANUP_ID_CHARACTERS } from "../limits.ts";
import { scalarText } from "../readback/url-template.ts";
import { normalNumber } from "../wire/ids.ts";

/** Whether a field says nothing: it is missing, null or empty. */
export function isBlank(json: string | undefined): boolean {
  return json === undefined || json === "null" || json === '""';
}

/** Of patterns, lists, escapes and programs' quotes. */
const NOT_PLAIN = /[*?%\\[\]{}<>"'`,;\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|\.\./u;

/** Whether a JSON text is one name or number: no pattern, no list, no structure, no folder by another name. */
export function isPlainId(json: string): boolean {
  const text = /^["\d-]/.test(json) ? scalarText(json) : undefined;
  if (text === undefined || text.length > MAX_CLEANUP_ID_CHARACTERS || NOT_PLAIN.test(text)) return false;
  return /[\p{L}\p{N}]/u.test(text) && !text.split("/").some((part) => part.trim() === ".");
}

/**
 * Whether arguments name a record, whatever the case: its id as a value, as part of one (`issues/old1`), as a number of the same value or
 * digits of a text (`#42`), or in a key; or a path, address or `#42` that ends in the same name as the id. Judged widely, since what is
 * found here is left alone. The run's token is no part of an old id.
 */
export function isNamedIn(argumentsJson: string, id: string, runId: string): boolean {
  const word = folded(id.length > MAX_CLEANUP_ID_CHARACTERS ? id : barely(id));
  const number = numberIn(word);
  // Digits beside these make another number: 142 is not 42.
  const digits = number !== undefined && /^\d+$/.test(number) ? new RegExp(`(?<!\\d)0*${number}(?!\\d)`) : undefined;
  const last = lastName(word);
  const root = parseValue(argumentsJson);
  return root === undefined || holds(root);

  function holds(value: Value): boolean {
    if (value.type === "list") return value.items.some(holds);
    if (value.type === "object") return [...value.members].some(([key, member]) => mentions(key) || holds(member));
    if (value.type === "number") {
      const own = normalNumber(value.token);
      return value.token === word || (own !== undefined && (own === number || own === last));
    }
    return value.type === "string" && mentions(value.text);
  }

  function mentions(own: string): boolean {
    return [own, decoded(own)].some((text) => {
      const rest = folded(text.replaceAll(runId, "\0"));
      if (digits === undefined ? rest.includes(word) : digits.test(rest)) return true;
      return last !== word && lastName(rest) === last;
    });
  }
}

const folded = (text: string) => text.normalize("NFKC").toLowerCase();

/** Without the signs around it; as it is when there is nothing else. */
const barely = (id: string) => id.trim().replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "") || id;

const numberIn = (text: string) => normalNumber(text.replace(/^0+(?=\d)/, ""));

/** What stands after the last `/`, `#` or `:`, but for those at the end; a number by its value. */
function lastName(text: string): string {
  let end = text.length;
  while (end > 0 && SEPARATORS.has(text[end - 1]!)) end--;
  let start = end;
  while (start > 0 && !SEPARATORS.has(text[start - 1]!)) start--;
  const name = text.slice(start, end);
  return numberIn(name) ?? name;
}

const SEPARATORS: ReadonlySet<string> = new Set("/#:");

/** Percent-encoding taken out, as in an address. */
function decoded(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
