// Finds its way in the bytes of JSON text without parsing it into values, so that numbers keep their digits and edits keep all else.

import { stringToken, tokenIs } from "./ids.ts";

/** A value in a buffer: its first byte and the byte after its last, without white space around it. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export type Kind = "object" | "list" | "string" | "number" | "boolean" | "null";

export function kindOf(bytes: Uint8Array, span: Span): Kind {
  switch (bytes[span.start]) {
    case 0x7b:
      return "object";
    case 0x5b:
      return "list";
    case 0x22:
      return "string";
    case 0x74:
    case 0x66:
      return "boolean";
    case 0x6e:
      return "null";
    default:
      return "number";
  }
}

/** The values of all members of that name, in order: more than one when the name is given twice. `object` must be valid JSON. */
export function membersNamed(bytes: Uint8Array, object: Span, name: string): Span[] {
  const found: Span[] = [];
  const ascii = /^[\x20-\x7e]*$/.test(name);
  eachMember(bytes, object, (key, value) => {
    const is = ascii
      ? tokenIs(bytes, key.start + 1, key.end - 1, name)
      : stringToken(bytes, key.start + 1, key.end - 1) === name;
    if (is) found.push(value);
  });
  return found;
}

/** Calls `visit` with the key (quotes included) and the value of each member of a valid JSON object. */
export function eachMember(bytes: Uint8Array, object: Span, visit: (key: Span, value: Span) => void): void {
  let i = afterSpace(bytes, object.start + 1);
  while (i < object.end - 1) {
    const key = { start: i, end: valueEnd(bytes, i) };
    const start = afterSpace(bytes, afterSpace(bytes, key.end) + 1);
    const value = { start, end: valueEnd(bytes, start) };
    visit(key, value);
    i = afterSpace(bytes, afterSpace(bytes, value.end) + 1);
  }
}

/** The items of a valid JSON list. */
export function itemsOf(bytes: Uint8Array, list: Span): Span[] {
  const items: Span[] = [];
  let i = afterSpace(bytes, list.start + 1);
  while (i < list.end - 1) {
    const end = valueEnd(bytes, i);
    items.push({ start: i, end });
    i = afterSpace(bytes, afterSpace(bytes, end) + 1);
  }
  return items;
}

/** Calls `visit` with each string, number, boolean and null anywhere below a valid JSON value, keys left out. */
export function eachScalar(bytes: Uint8Array, span: Span, visit: (scalar: Span) => void): void {
  const waiting = [span];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const kind = kindOf(bytes, next);
    if (kind === "object") eachMember(bytes, next, (_key, value) => waiting.push(value));
    else if (kind === "list") for (const item of itemsOf(bytes, next)) waiting.push(item);
    else visit(next);
  }
}

// A mark of byte order at the start of a text belongs to it.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The JSON text of a value, as it stands. */
export function textOf(bytes: Uint8Array, span: Span): string {
  return decoder.decode(bytes.subarray(span.start, span.end));
}

/** The text of a JSON string, unescaped; undefined for any other value. */
export function stringOf(bytes: Uint8Array, span: Span): string | undefined {
  if (bytes[span.start] !== 0x22) return undefined;
  return stringToken(bytes, span.start + 1, span.end - 1);
}

/** The index of the first byte at or after `i` that is not JSON white space. */
export function afterSpace(bytes: Uint8Array, from: number): number {
  let i = from;
  for (;;) {
    const byte = bytes[i];
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return i;
    i++;
  }
}

/** The end of the valid JSON value that begins at `start`. */
function valueEnd(bytes: Uint8Array, start: number): number {
  const first = bytes[start];
  if (first === 0x22) return stringEnd(bytes, start);
  if (first !== 0x7b && first !== 0x5b) {
    let i = start;
    while (i < bytes.length && !endsScalar(bytes[i]!)) i++;
    return i;
  }
  let depth = 0;
  let i = start;
  while (i < bytes.length) {
    const byte = bytes[i]!;
    if (byte === 0x22) {
      i = stringEnd(bytes, i);
      continue;
    }
    if (byte === 0x7b || byte === 0x5b) depth++;
    else if ((byte === 0x7d || byte === 0x5d) && --depth === 0) return i + 1;
    i++;
  }
  return i;
}

function stringEnd(bytes: Uint8Array, quote: number): number {
  let i = quote + 1;
  for (;;) {
    const end = bytes.indexOf(0x22, i);
    if (end < 0) return bytes.length;
    let slashes = 0;
    while (bytes[end - 1 - slashes] === 0x5c && end - 1 - slashes > quote) slashes++;
    if (slashes % 2 === 0) return end + 1;
    i = end + 1;
  }
}

/** Whether a number or word has ended before this byte. */
export function endsScalar(byte: number): boolean {
  return byte === 0x2c || byte === 0x7d || byte === 0x5d || byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
}
