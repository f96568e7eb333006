// A server that writes fourgate's own mark into its answer wants to be taken for it; the record of the call says so.

import type { Span } from "../wire/json.ts";

/** How a verdict begins, and a record on stderr. */
const MARK = "[FOURGATE";
const FIRST = MARK.charCodeAt(0);
const BACKSLASH = 0x5c;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Whether the mark stands in `bytes[start..end)`, which is JSON: as it is, or with some of it escaped. */
export function holdsMark(bytes: Uint8Array, { start, end }: Span): boolean {
  const part = bytes.subarray(start, end);
  for (let at = part.indexOf(FIRST); at >= 0; at = part.indexOf(FIRST, at + 1))
    if (startsWithMark(part, at)) return true;
  // Only where an ASCII letter is escaped is the text worth making.
  for (let at = part.indexOf(BACKSLASH); at >= 0; at = part.indexOf(BACKSLASH, at + 1)) {
    if (part[at + 1] === 0x75 && part[at + 2] === 0x30 && part[at + 3] === 0x30) return unescaped(part).includes(MARK);
  }
  return false;
}

function startsWithMark(bytes: Uint8Array, at: number): boolean {
  for (let i = 0; i < MARK.length; i++) if (bytes[at + i] !== MARK.charCodeAt(i)) return false;
  return true;
}

const unescaped = (part: Uint8Array): string =>
  decoder
    .decode(part)
    .replace(/\\u00([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
