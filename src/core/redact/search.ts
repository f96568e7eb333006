// Finds texts in a text, however they are spelt there, and blanks what stands for them.

import { MIN_REDACTED_CHARACTERS } from "../limits.ts";
import { base64, base64Anywhere, hex } from "./encode.ts";
import { REDACTED } from "./patterns.ts";
import { type Unescaped, unescaped } from "./unescape.ts";
import { characters, type LeftOut, leftOutOfCharacters, leftOutOfLetters, letters, type View } from "./views.ts";

/** What is looked for in a view: `before` and `after` are how many bytes at its edges the view leaves out. */
interface Pattern {
  readonly text: string;
  readonly before: number;
  readonly after: number;
}

/** Fewer characters of a secret than this are not looked for, also where a view left others of it out. */
const MIN_SEEN_CHARACTERS = MIN_REDACTED_CHARACTERS / 2;

/** Gives a function that blanks these texts: as they are, escaped in any way, in hexadecimal, and in base64 wherever it begins. */
export function blanking(texts: Iterable<string>): (text: string) => string {
  const wanted = [...new Set(texts)].filter((text) => text.length >= MIN_REDACTED_CHARACTERS);
  if (wanted.length === 0) return (text) => text;
  const spelt = distinct(wanted.flatMap((text) => patterns(text, characters, leftOutOfCharacters, escaped(text))));
  const encoded = distinct(wanted.flatMap(encodings).flatMap((text) => patterns(text, letters, leftOutOfLetters, 0)));
  return (text) => {
    if (text.length < MIN_REDACTED_CHARACTERS) return text;
    const marks = new Uint8Array(text.length);
    for (const one of wanted) each(text, one, (at) => marks.fill(1, at, at + one.length));
    for (const bytes of readings(text)) {
      mark(marks, bytes, characters(bytes), spelt, leftOutOfCharacters);
      mark(marks, bytes, letters(bytes), encoded, leftOutOfLetters);
    }
    return blanked(text, marks);
  };
}

/** 1 where the first character may stand behind a backslash in JSON. */
const escaped = (text: string): number => (/^["'/\u0000-\u001f]/.test(text) ? 1 : 0);

/** Base64 without what is before and behind the text, whole for the last character of it, and hexadecimal. */
function encodings(text: string): string[] {
  const bytes = new TextEncoder().encode(text);
  return [base64(bytes, "standard"), ...base64Anywhere(bytes, "standard"), hex(bytes), hex(bytes).toUpperCase()];
}

/** The text without its escapes, and without them in the other way, where there are two. */
function readings(text: string): readonly Unescaped[] {
  const first = unescaped(text);
  return first.doubtful ? [first, unescaped(text, true)] : [first];
}

function patterns(text: string, view: (of: Unescaped) => View, leftOut: LeftOut, before: number): readonly Pattern[] {
  return readings(text).map((of) => pattern(of, view(of), leftOut, before));
}

function pattern(of: Unescaped, seen: View, leftOut: LeftOut, before: number): Pattern {
  let first = 0;
  while (first < of.length && leftOut(of.bytes[first]!)) first++;
  let last = of.length;
  while (last > first && leftOut(of.bytes[last - 1]!)) last--;
  return { text: seen.text, before: first + before, after: of.length - last };
}

function distinct(patterns: readonly Pattern[]): Pattern[] {
  const kept = new Map<string, Pattern>();
  for (const one of patterns) if (one.text.length >= MIN_SEEN_CHARACTERS) kept.set(JSON.stringify(one), one);
  return [...kept.values()];
}

/** Marks the part of the text that each find stands for. */
function mark(
  marks: Uint8Array,
  { bytes, starts, ends, length }: Unescaped,
  { text, at }: View,
  patterns: readonly Pattern[],
  leftOut: LeftOut,
): void {
  for (const one of patterns) {
    each(text, one.text, (found) => {
      let first = at[found]!;
      let last = at[found + one.text.length - 1]!;
      for (let n = 0; n < one.before && first > 0 && leftOut(bytes[first - 1]!); n++) first--;
      for (let n = 0; n < one.after && last + 1 < length && leftOut(bytes[last + 1]!); n++) last++;
      marks.fill(1, starts[first]!, ends[last]!);
    });
  }
}

/** Every place, also where finds overlap. */
function each(text: string, wanted: string, visit: (at: number) => void): void {
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) visit(at);
}

function blanked(text: string, marks: Uint8Array): string {
  let shown = "";
  let kept = 0;
  for (let at = marks.indexOf(1); at >= 0; at = marks.indexOf(1, kept)) {
    shown += text.slice(kept, at) + REDACTED;
    kept = marks.indexOf(0, at);
    if (kept < 0) return shown;
  }
  return shown + text.slice(kept);
}
