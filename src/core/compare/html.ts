// `html`: texts that a system gives back with HTML entities in them.

import type { Comparator } from "./types.ts";

/** U+00A0 to U+00FF in order: the names of HTML 4 for Latin-1. */
const LATIN_1 =
  "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml".split(
    " ",
  );

const NAMED = new Map<string, string>([
  ...LATIN_1.map((name, i) => [name, String.fromCharCode(0xa0 + i)] as const),
  ...Object.entries({
    amp: "&",
    lt: "<",
    gt: ">",
    quot: '"',
    apos: "'",
    euro: "\u20ac",
    trade: "\u2122",
    bull: "\u2022",
  }),
  ...Object.entries({ ndash: "\u2013", mdash: "\u2014", hellip: "\u2026", lsquo: "\u2018", rsquo: "\u2019" }),
  ...Object.entries({ sbquo: "\u201a", ldquo: "\u201c", rdquo: "\u201d", bdquo: "\u201e", lsaquo: "\u2039" }),
  ...Object.entries({ rsaquo: "\u203a", ensp: "\u2002", emsp: "\u2003", thinsp: "\u2009", NewLine: "\n", Tab: "\t" }),
]);

const ENTITY = /&(?:#([0-9]{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z][A-Za-z0-9]{1,31}));/g;

/** The text with each known entity replaced, once; what is no known entity stays. */
export function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(ENTITY, (entity, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return NAMED.get(name) ?? entity;
    const code = decimal === undefined ? Number.parseInt(hex!, 16) : Number.parseInt(decimal, 10);
    // 0x80 to 0x9f are control characters by the letter, and other characters to browsers: left as they are.
    if (code >= 0x80 && code <= 0x9f) return entity;
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : entity;
  });
}

/** Whether something in the text looks like an entity and is none of those known here. */
export function hasUnknownEntity(text: string): boolean {
  return text.includes("&") && decodeEntities(text).search(ENTITY) >= 0;
}

export const html: Comparator = {
  name: "html",
  summary: "Texts that are the same, or become the same once the HTML entities in what was read are undone.",
  notes: [
    "Numbered entities and the usual named ones are known, like `&amp;`, `&lt;`, `&quot;`, `&eacute;` and `&hellip;`. They are undone once, and only in what was read; CR LF counts as LF. Tags are not taken out.",
  ],
  options: [],
  compare(expected, observed) {
    if (expected.type !== "string") return "undecided";
    if (observed.type !== "string") return "different";
    const [a, b] = [lines(expected.text), lines(observed.text)];
    return a === b || a === lines(decodeEntities(b)) ? "equal" : "different";
  },
};

function lines(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}
