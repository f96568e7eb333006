// HTML put together so that a text cannot become markup: what is filled in is escaped, unless it is markup of ours.

/** Markup; its text is safe to stand in a page. */
export interface Html {
  readonly text: string;
}

/** A template whose parts are ours and whose values are texts, escaped for elements and quoted attributes alike, or markup. */
export function markup(parts: TemplateStringsArray, ...values: readonly (string | Html)[]): Html {
  const filled = values.map((value) => (typeof value === "string" ? escaped(value) : value.text));
  return { text: parts.reduce((text, part, at) => `${text}${part}${filled[at] ?? ""}`, "") };
}

/** Pieces of markup, one after the other. */
export function join(pieces: readonly Html[], between = "\n"): Html {
  return { text: pieces.map(({ text }) => text).join(between) };
}

/** A sentence of ours: what stands between backticks is code. */
export function prose(text: string): Html {
  const pieces = text.split("`").map((piece, at) => (at % 2 === 1 ? markup`<code>${piece}</code>` : markup`${piece}`));
  return join(pieces, "");
}

/** Markup that is a constant of this program. */
export const constant = (text: string): Html => ({ text });

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
