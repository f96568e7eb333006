// Texts in which `{field}` stands for an extracted value, for comparing with what a system says.

import type { Fields } from "../select/types.ts";
import { scalarText } from "./url-template.ts";

/** In turn text and the name of a field, the first and the last being texts. */
export type TextTemplate = readonly string[];

/** Reads a template. Braces around anything but a plain name are text. */
export function textTemplate(text: string): TextTemplate {
  return text.split(/\{([A-Za-z_][\w.-]*)\}/);
}

/** The text with the fields' values in place; undefined when one of them is missing or has no text. */
export function fillText(template: TextTemplate, fields: Fields): string | undefined {
  let filled = "";
  for (const [i, part] of template.entries()) {
    const text = i % 2 === 0 ? part : scalarText(fields.get(part));
    if (text === undefined) return undefined;
    filled += text;
  }
  return filled;
}
