// JSON-RPC request ids: from the bytes of the token to a key that two ids share only when they are the same id.

/** A typed id: a small whole number as itself, `n:` and any other number in normal form, or `s:` and the unescaped text. */
export type IdKey = number | string;

// A mark of byte order at the start of a text belongs to it.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * The key of an id token (`7`, `"a"`, `1.0`), `bytes[start..end)` with quotes and without white space.
 * Numbers are compared by exact value (1 is 1.0, 9007199254740993 is not ...992), strings after unescaping;
 * a number is never a string. Null, booleans, objects, lists and broken tokens are not usable: undefined.
 */
export function idKey(bytes: Uint8Array, start: number, end: number): IdKey | undefined {
  const first = bytes[start];
  if (first === 0x22) {
    const text = stringToken(bytes, start + 1, end - 1);
    return text === undefined ? undefined : `s:${text}`;
  }
  if (first === 0x2d || (first !== undefined && first >= 0x30 && first <= 0x39)) {
    const small = smallNumber(bytes, start, end);
    if (small !== undefined) return small;
    const number = normalNumber(latin1(bytes, start, end));
    if (number === undefined) return undefined;
    // One value, one key: 1.0 and 10e-1 are the id 1.
    return number.length < 16 && /^-?[0-9]+$/.test(number) ? Number(number) : `n:${number}`;
  }
  return undefined;
}

/** Digits of at most fifteen places, without a string in between: nearly every id is one. */
function smallNumber(bytes: Uint8Array, start: number, end: number): number | undefined {
  if (end - start > 15 || (bytes[start] === 0x30 && end - start > 1)) return undefined;
  let value = 0;
  for (let i = start; i < end; i++) {
    const digit = bytes[i]! - 0x30;
    if (digit < 0 || digit > 9) return undefined;
    value = value * 10 + digit;
  }
  return value;
}

/** The text between the quotes of a JSON string token, unescaped; undefined when it is not a valid string. */
export function stringToken(bytes: Uint8Array, start: number, end: number): string | undefined {
  let plain = end - start <= 64;
  for (let i = start; plain && i < end; i++) {
    const byte = bytes[i]!;
    plain = byte >= 0x20 && byte < 0x7f && byte !== 0x5c;
  }
  if (plain) return latin1(bytes, start, end);
  try {
    return JSON.parse(`"${decoder.decode(bytes.subarray(start, end))}"`) as string;
  } catch {
    return undefined;
  }
}

/** Whether the text between the quotes of a JSON string token is `text`, however it is escaped. `text` must be ASCII. */
export function tokenIs(bytes: Uint8Array, start: number, end: number, text: string): boolean {
  const { length } = text;
  if (end - start === length) {
    for (let i = 0; i < length; i++) {
      if (bytes[start + i] === text.charCodeAt(i)) continue;
      // A token of the same length with an escape in it is shorter than it looks.
      return false;
    }
    return true;
  }
  // Only escapes make a token longer than its text, six bytes a character at the most.
  if (end - start < length || end - start > 6 * length) return false;
  for (let i = start; i < end; i++) if (bytes[i] === 0x5c) return stringToken(bytes, start, end) === text;
  return false;
}

const NUMBER = /^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/;

/**
 * The normal form of a JSON number token: equal for two tokens exactly when their values are equal, without rounding.
 * Undefined for what is no JSON number, or has an exponent of more than nine digits.
 */
export function normalNumber(token: string): string | undefined {
  if (token.length < 16 && /^[1-9][0-9]*$/.test(token)) return token;
  const match = NUMBER.exec(token);
  if (!match) return undefined;
  const [, sign, whole, fraction = "", exponent = "0"] = match;
  if (exponent.length > 10) return undefined;
  const digits = `${whole}${fraction}`.replace(/^0+/, "");
  if (digits === "") return "0";
  const significant = digits.replace(/0+$/, "");
  const power = Number(exponent) - fraction.length + (digits.length - significant.length);
  if (power >= 0 && power <= 32) return `${sign}${significant}${"0".repeat(power)}`;
  return `${sign}${significant}e${power}`;
}

function latin1(bytes: Uint8Array, start: number, end: number): string {
  // One string instead of one per character: this runs for every message.
  return String.fromCharCode.apply(null, bytes.subarray(start, end) as unknown as number[]);
}
