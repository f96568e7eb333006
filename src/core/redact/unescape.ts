// Text as bytes with every layer of escapes taken off: %XX, \uXXXX, \xXX and HTML entities, in any mixture, one inside the other.

/** Bytes of the text in UTF-8, and of each the part of the text (UTF-16 units) that stands for it. Only `length` entries count. */
export interface Unescaped {
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  readonly length: number;
  /** Backslashes in a row began an escape: whether the first of them is a character of its own is not to be known. */
  readonly doubtful: boolean;
}

/** The names that HTML has for characters of ASCII. */
const ENTITIES: ReadonlyMap<string, number> = new Map(
  (
    "Tab 9 NewLine 10 nbsp 32 excl 33 quot 34 QUOT 34 num 35 dollar 36 percnt 37 amp 38 AMP 38 apos 39 lpar 40 rpar 41 ast 42 " +
    "midast 42 plus 43 comma 44 period 46 sol 47 colon 58 semi 59 lt 60 LT 60 equals 61 gt 62 GT 62 quest 63 commat 64 lsqb 91 " +
    "lbrack 91 bsol 92 rsqb 93 rbrack 93 Hat 94 lowbar 95 grave 96 lcub 123 lbrace 123 verbar 124 vert 124 rcub 125 rbrace 125"
  )
    .match(/\w+ \d+/g)!
    .map((pair) => [pair.split(" ")[0]!, Number(pair.split(" ")[1])]),
);
/** Longest entity without its `&` and `;`: `#x10FFFF` with two leading zeros. */
const MAX_ENTITY = 10;

const [PERCENT, AND, SEMICOLON, BACKSLASH, U, X] = [0x25, 0x26, 0x3b, 0x5c, 0x75, 0x78];

/**
 * Takes escapes off from left to right, and again where what they stand for completes another one, so that every spelling of a text
 * comes to the same bytes. Backslashes in a row are one, and belong to the escape behind them, or, if `apart`, stand before it. Linear:
 * each step that takes an escape off shortens what there is.
 */
export function unescaped(text: string, apart = false): Unescaped {
  const bytes = new Uint8Array(text.length * 3);
  const starts = new Uint32Array(bytes.length);
  const ends = new Uint32Array(bytes.length);
  /** 1 where several backslashes became one. */
  const several = new Uint8Array(bytes.length);
  let n = 0;
  let doubtful = false;

  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) ascii(unit, i, i + 1);
    else wide(unit, i, i + 1);
  }
  return { bytes, starts, ends, length: n, doubtful };

  function put(byte: number, start: number, end: number): void {
    bytes[n] = byte;
    starts[n] = start;
    several[n] = 0;
    ends[n++] = end;
  }

  /** A character, and all escapes that it completes. */
  function ascii(given: number, from: number, end: number): void {
    for (let code = given, start = from; ; ) {
      if (code === BACKSLASH && n > 0 && bytes[n - 1] === BACKSLASH) {
        ends[n - 1] = end;
        several[n - 1] = 1;
        return;
      }
      put(code, start, end);
      const found = escapeAtEnd();
      if (found === undefined) return;
      n -= found.length;
      start = starts[n]!;
      if (several[n] === 1) {
        doubtful = true;
        if (apart) n++;
      }
      if (found.code >= 0x80) {
        if (found.byte) put(found.code, start, end);
        else wide(found.code, start, end);
        return;
      }
      code = found.code;
    }
  }

  /** A character outside ASCII, in the bytes of UTF-8; the halves of a surrogate pair are put together. */
  function wide(given: number, from: number, end: number): void {
    let code = given;
    let start = from;
    if (code >= 0xdc00 && code < 0xe000 && n >= 3 && bytes[n - 3] === 0xed && (bytes[n - 2]! & 0xf0) === 0xa0) {
      const high = 0xd000 | ((bytes[n - 2]! & 0x3f) << 6) | (bytes[n - 1]! & 0x3f);
      n -= 3;
      start = starts[n]!;
      code = 0x10000 + ((high & 0x3ff) << 10) + (code & 0x3ff);
    }
    if (code < 0x800) put(0xc0 | (code >> 6), start, end);
    else {
      if (code < 0x10000) put(0xe0 | (code >> 12), start, end);
      else {
        put(0xf0 | (code >> 18), start, end);
        put(0x80 | ((code >> 12) & 63), start, end);
      }
      put(0x80 | ((code >> 6) & 63), start, end);
    }
    put(0x80 | (code & 63), start, end);
  }

  /** What the last bytes are an escape for; `byte`: not a character but one byte of one. */
  function escapeAtEnd(): { code: number; length: number; byte: boolean } | undefined {
    const last = bytes[n - 1]!;
    if (last === SEMICOLON) return entityAtEnd();
    if (hexDigit(last) < 0 || n < 3 || hexDigit(bytes[n - 2]!) < 0) return undefined;
    if (bytes[n - 3] === PERCENT) return { code: hexAt(n - 2, n), length: 3, byte: true };
    if (n >= 4 && bytes[n - 3] === X && bytes[n - 4] === BACKSLASH) {
      return { code: hexAt(n - 2, n), length: 4, byte: true };
    }
    const marked = n >= 6 && bytes[n - 5] === U && (bytes[n - 6] === BACKSLASH || bytes[n - 6] === PERCENT);
    if (!marked || hexAt(n - 4, n) < 0) return undefined;
    return { code: hexAt(n - 4, n), length: 6, byte: false };
  }

  function entityAtEnd(): { code: number; length: number; byte: boolean } | undefined {
    for (let at = n - 2; at >= 0 && at >= n - 2 - MAX_ENTITY; at--) {
      if (bytes[at] !== AND) continue;
      const name = String.fromCharCode(...bytes.subarray(at + 1, n - 1));
      const digits = /^#(?:x([\da-f]+)|(\d+))$/i.exec(name);
      const code = digits ? Number.parseInt(digits[1] ?? digits[2]!, digits[1] ? 16 : 10) : ENTITIES.get(name);
      return code === undefined || code > 0x10ffff ? undefined : { code, length: n - at, byte: false };
    }
    return undefined;
  }

  /** The number that these bytes spell in hexadecimal; negative when they do not. */
  function hexAt(from: number, to: number): number {
    let value = 0;
    for (let i = from; i < to; i++) {
      const digit = hexDigit(bytes[i]!);
      if (digit < 0) return -1;
      value = value * 16 + digit;
    }
    return value;
  }
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
