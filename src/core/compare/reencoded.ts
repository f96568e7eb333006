// The forms that storing may give to a text without changing what it says, for comparing by digest, where nothing can be undone.

import { decodeEntities } from "./html.ts";

/** How templates and libraries write the characters that mean something in HTML; the ampersand comes first. */
const ESCAPES: readonly Readonly<Record<string, string>>[] = [
  {},
  { '"': "&quot;" },
  { '"': "&quot;", "'": "&#39;" },
  { '"': "&quot;", "'": "&#039;" },
  { '"': "&quot;", "'": "&#x27;" },
  { '"': "&quot;", "'": "&apos;" },
  { '"': "&#34;", "'": "&#39;" },
];

/** Each such form of the text, itself among them; one after the other, so that not all are held at a time. */
export function* reencoded(text: string): Generator<string> {
  for (const entities of new Set([text, decodeEntities(text), ...ESCAPES.map((quotes) => escaped(text, quotes))])) {
    for (const letters of new Set([entities, entities.normalize("NFC"), entities.normalize("NFD")])) {
      yield* lineForms(letters);
    }
  }
}

/** With each line end, with and without one at the end of the text, and with and without a byte order mark. */
function lineForms(text: string): Set<string> {
  const plain = text.replace(/^\ufeff/, "");
  const lf = plain.replace(/\r\n?/g, "\n");
  const crlf = lf.replaceAll("\n", "\r\n");
  const bodies = [
    [plain, "\n"],
    [lf, "\n"],
    [crlf, "\r\n"],
  ].flatMap(([body, end]) => [body!, body!.endsWith("\n") ? body!.replace(/\r?\n$/, "") : `${body}${end}`]);
  return new Set(bodies.flatMap((body) => [body, `\ufeff${body}`]));
}

function escaped(text: string, quotes: Readonly<Record<string, string>>): string {
  const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", ...quotes };
  return text.replace(/[&<>"']/g, (character) => escapes[character] ?? character);
}
