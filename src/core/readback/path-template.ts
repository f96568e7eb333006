// Path templates: how extracted values become a path below a fixed root. No value ever leads out of it.

import type { Fields } from "../select/types.ts";
import { scalarText } from "./url-template.ts";

/** In turn texts and fields. `many`, written `{+name}`, may be several parts of a path; `{name}` is within one part. */
export type PathTemplate = readonly (string | { readonly field: string; readonly many: boolean })[];

export type PathTemplateProblem = "brace" | "absolute" | "part" | "characters" | "whole";

export type ParsedPathTemplate =
  | { readonly ok: true; readonly template: PathTemplate; readonly fields: readonly string[] }
  | { readonly ok: false; readonly problem: PathTemplateProblem };

/** Checks a template. `/` parts the path on every system. */
export function parsePathTemplate(text: string): ParsedPathTemplate {
  const refuse = (problem: PathTemplateProblem): ParsedPathTemplate => ({ ok: false, problem });
  const template: (string | { field: string; many: boolean })[] = [];
  const fields: string[] = [];
  for (const [index, part] of text.split(/\{([^{}]*)\}/).entries()) {
    if (index % 2 === 0) {
      if (/[{}]/.test(part)) return refuse("brace");
      if (/\p{Cc}|\\/u.test(part)) return refuse("characters");
      if (part !== "") template.push(part);
      continue;
    }
    const many = part.startsWith("+");
    const field = many ? part.slice(1) : part;
    if (field === "") return refuse("brace");
    template.push({ field, many });
    fields.push(field);
  }
  if (text.startsWith("/") || /^[A-Za-z]:/.test(text)) return refuse("absolute");
  // Several parts of a path stand between slashes, or what is before them would get lost in the first of them.
  if (/[^/]\{\+|\{\+[^{}]*\}[^/]/.test(text)) return refuse("whole");
  const shape = template.map((part) => (typeof part === "string" ? part : "x")).join("");
  if (shape.split("/").some((part) => part === "" || isDots(part))) return refuse("part");
  return { ok: true, template, fields };
}

export type FilledPath =
  /** The parts of a path below the root. */
  | { readonly type: "below"; readonly parts: readonly string[] }
  /** A value that is an absolute path itself, which must turn out to lie below the root. */
  | { readonly type: "absolute"; readonly parts: readonly string[] };

/**
 * The path with the fields' values in place. Undefined when a value is missing, is no text, number or boolean, is empty, or would
 * change which place of the tree is meant. `windows`: by the rules of Windows.
 */
export function fillPath(template: PathTemplate, fields: Fields, windows: boolean): FilledPath | undefined {
  const slash = windows ? /[/\\]/ : /\//;
  let filled = "";
  for (const part of template) {
    if (typeof part === "string") {
      filled += part;
      continue;
    }
    const text = scalarText(fields.get(part.field));
    if (text === undefined || text === "" || /\p{Cc}/u.test(text)) return undefined;
    if (!part.many) {
      if (slash.test(text)) return undefined;
      filled += text;
      continue;
    }
    const absolute = windows ? /^[A-Za-z]:[/\\]/.exec(text) : /^\//.exec(text);
    if (absolute !== null && template.length > 1) return undefined;
    const parts = partsOf(text.slice(absolute === null ? 0 : absolute[0].length), slash);
    if (parts === undefined || !parts.every((name) => isName(name, windows))) return undefined;
    // The drive is where the root is to be found too.
    if (absolute !== null) return { type: "absolute", parts: windows ? [absolute[0].slice(0, 2), ...parts] : parts };
    filled += parts.join("/");
  }
  const parts = filled.split("/");
  return parts.every((name) => isName(name, windows)) ? { type: "below", parts } : undefined;
}

/** The parts of a value; a `.` among them and a slash at the end mean nothing. */
function partsOf(text: string, slash: RegExp): string[] | undefined {
  const parts = text.split(slash);
  if (parts.length > 1 && parts.at(-1) === "") parts.pop();
  const named = parts.filter((part) => part !== ".");
  return named.length === 0 || named.includes("") ? undefined : named;
}

/** Whether a part names one entry of a folder, and nothing else. */
function isName(part: string, windows: boolean): boolean {
  if (part === "" || isDots(part)) return false;
  if (!windows) return true;
  // Streams, wildcards, devices, and the dots and blanks that Windows takes away from the end of a name.
  return !/[<>:"/\\|?*]|[. ]$/.test(part) && !/^(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(?:\.|$)/i.test(part);
}

function isDots(part: string): boolean {
  return part === "." || part === "..";
}

/** The template as it is written. */
export function writtenPath(template: PathTemplate): string {
  return template.map((part) => (typeof part === "string" ? part : `{${part.many ? "+" : ""}${part.field}}`)).join("");
}
