// Applies a selector to the bytes of a call or an answer and gives the JSON text of the value, digit for digit.

import { MAX_EMBEDDED_CANDIDATES, MAX_PARSED_TEXT_CHARACTERS } from "../limits.ts";
import { itemsOf, kindOf, membersNamed, type Span, stringOf } from "../wire/json.ts";
import { jsonValue, jsonValueAt } from "../wire/validate.ts";
import type { Path, Selector, TextParse } from "./types.ts";

/**
 * The JSON text of the selected value, in ASCII and on one line, or undefined when it is missing. Missing is also what
 * cannot be read with certainty: a member that is given twice, invalid UTF-8, broken JSON. A selected null is a value.
 */
export function select(selector: Selector, bytes: Uint8Array, root: Span): string | undefined {
  const found = follow(bytes, root, selector.path, 0);
  if (found === undefined) return undefined;
  if (!selector.parse) return asText(bytes, found);
  if (!("start" in found) || !jsonValue(bytes, found.start, found.end)) return undefined;
  const text = stringOf(bytes, found);
  if (text === undefined || text.length > MAX_PARSED_TEXT_CHARACTERS) return undefined;
  return parseText(selector.parse, text);
}

/** One value, or the list that `[*]` makes of several. */
type Found = Span | { readonly items: readonly Found[] };

/** Follows a path from step `at`; undefined as soon as a step leads nowhere or to two places. */
export function follow(bytes: Uint8Array, from: Span, path: Path, at: number): Found | undefined {
  let span = from;
  for (let i = at; i < path.length; i++) {
    const step = path[i]!;
    const kind = kindOf(bytes, span);
    let next: Span | undefined;
    if (step.type === "each") {
      if (kind !== "list") return undefined;
      const items: Found[] = [];
      for (const item of itemsOf(bytes, span)) {
        const found = follow(bytes, item, path, i + 1);
        if (found === undefined) return undefined;
        items.push(found);
      }
      return { items };
    }
    if (kind === "object" && step.type !== "index") {
      const values = membersNamed(bytes, span, step.name);
      next = values.length === 1 ? values[0] : undefined;
    } else if (kind === "list" && step.type !== "key") {
      next = itemsOf(bytes, span)[step.index];
    }
    if (next === undefined) return undefined;
    span = next;
  }
  return span;
}

function asText(bytes: Uint8Array, found: Found): string | undefined {
  if ("start" in found) return oneLine(bytes, found);
  const texts: string[] = [];
  for (const item of found.items) {
    const text = asText(bytes, item);
    if (text === undefined) return undefined;
    texts.push(text);
  }
  return `[${texts.join(",")}]`;
}

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The JSON text without line breaks or blanks between tokens, everything outside ASCII as `\uXXXX`; undefined if not valid. */
function oneLine(bytes: Uint8Array, span: Span): string | undefined {
  if (!jsonValue(bytes, span.start, span.end)) return undefined;
  let text: string;
  try {
    text = strict.decode(bytes.subarray(span.start, span.end));
  } catch {
    return undefined;
  }
  const kind = kindOf(bytes, span);
  return asciiOf(kind === "object" || kind === "list" ? withoutBlanks(text) : text);
}

/** Valid JSON text without the white space between its tokens. */
function withoutBlanks(json: string): string {
  let text = "";
  let from = 0;
  for (let i = 0; i < json.length; ) {
    const character = json[i];
    if (character === '"') i = afterString(json, i);
    else if (character === " " || character === "\n" || character === "\r" || character === "\t") {
      text += json.slice(from, i);
      from = ++i;
    } else i++;
  }
  return text + json.slice(from);
}

/** The index after the closing quote of the string that begins at `quote`; no regular expression, since strings may be huge. */
function afterString(json: string, quote: number): number {
  let end = json.indexOf('"', quote + 1);
  for (;;) {
    let slashes = 0;
    while (json[end - 1 - slashes] === "\\") slashes++;
    if (slashes % 2 === 0) return end + 1;
    end = json.indexOf('"', end + 1);
  }
}

/** The same JSON text with every character outside ASCII escaped. */
export function asciiOf(json: string): string {
  return json.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function parseText(parse: TextParse, text: string): string | undefined {
  if (parse.type === "embedded_json") return embedded(text, parse.field);
  const match = parse.match(text);
  return match === undefined ? undefined : asciiOf(JSON.stringify(match));
}

const encoder = new TextEncoder();

/** The field in the first object in the text, reading from the left, that is JSON and has it. */
function embedded(text: string, field: Path): string | undefined {
  const bytes = encoder.encode(text);
  let start = bytes.indexOf(0x7b);
  for (let tried = 0; start >= 0 && tried < MAX_EMBEDDED_CANDIDATES; tried++) {
    const object = jsonValueAt(bytes, start, bytes.length);
    const found = object && follow(bytes, object, field, 0);
    if (found) return asText(bytes, found);
    start = bytes.indexOf(0x7b, start + 1);
  }
  return undefined;
}
