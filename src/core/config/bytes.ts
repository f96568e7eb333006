// A configuration file's bytes as text, and back: a BOM is kept, and is no part of the text.

import { decodeText } from "../contract/decode.ts";
import type { Finding } from "../contract/issue.ts";
import { words as contractWords } from "../contract/words.ts";

export type ConfigText =
  | { readonly ok: true; readonly text: string; readonly bom: boolean }
  /** `before` is the good text, which the finding's offset is in. */
  | { readonly ok: false; readonly before: string; readonly findings: readonly Finding[] };

export function toText(bytes: Uint8Array): ConfigText {
  const decoded = decodeText(bytes);
  if (decoded.ok)
    return { ok: true, text: decoded.text, bom: bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf };
  const { before, utf16 } = decoded;
  return { ok: false, before, findings: [{ at: before.length, ...contractWords.notUtf8(utf16) }] };
}

export const toBytes = (text: string, bom: boolean): Uint8Array =>
  new TextEncoder().encode(bom ? `\ufeff${text}` : text);
