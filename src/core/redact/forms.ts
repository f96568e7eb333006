// The parts of a secret that are secret by themselves, and the usual encodings of these, for a system that only knows fixed texts.

import { MIN_REDACTED_CHARACTERS } from "../limits.ts";
import { base64, base64Anywhere, hex, jsonForms, percentForms } from "./encode.ts";
import { textsIn } from "./texts.ts";

/** The usual spellings of a secret, none of them short. */
export function secretForms(secret: string): string[] {
  const forms = new Set<string>();
  for (const part of partsOf(secret)) {
    const bytes = new TextEncoder().encode(part);
    const encoded = [
      base64(bytes, "standard"),
      base64(bytes, "url"),
      ...base64Anywhere(bytes, "standard"),
      ...base64Anywhere(bytes, "url"),
      hex(bytes),
      hex(bytes).toUpperCase(),
      ...percentForms(part),
      ...jsonForms(part),
    ];
    for (const form of [part, ...encoded]) if (form.length >= MIN_REDACTED_CHARACTERS) forms.add(form);
  }
  return [...forms];
}

/** The secret, its lines, the texts in it where it is JSON, and user and password where it is an address. */
export function partsOf(secret: string): string[] {
  const parts = new Set([secret, secret.trim(), ...secret.split(/\r?\n/)]);
  for (const text of textsIn(secret)) parts.add(text);
  const address = /^[a-z][a-z0-9+.-]*:\/\/([^@/\s]*)@/i.exec(secret.trim())?.[1];
  for (const word of address?.split(":") ?? []) {
    parts.add(word);
    parts.add(decoded(word));
  }
  return [...parts].filter((part) => part.length >= MIN_REDACTED_CHARACTERS);
}

function decoded(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    return word;
  }
}
