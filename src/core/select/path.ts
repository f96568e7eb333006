// Path texts -> steps: dot paths, and the JSONPath subset of names, quoted names, indexes and [*]. Evaluation lives elsewhere.

import type { Path, PathStep } from "./types.ts";
import { type PathProblem, pathProblem } from "./words.ts";

export type ParsedPath =
  | { readonly ok: true; readonly path: Path }
  /** `at` is the unit of the text (UTF-16, from 0) where the problem begins; `message` names no part of the text. */
  | { readonly ok: false; readonly at: number; readonly message: string };

/**
 * Parses a path. `""` and `"."` mean the whole, as `$` does. Whatever is not in the subset is refused with a remedy, never
 * guessed at; docs/selectors.md.
 */
export function parsePath(text: string): ParsedPath {
  return text.startsWith("$") ? parseJsonPath(text) : parseDotPath(text);
}

function refuse(at: number, problem: PathProblem): ParsedPath {
  return { ok: false, at, message: pathProblem(problem) };
}

function parseDotPath(text: string): ParsedPath {
  if (text === "" || text === ".") return { ok: true, path: [] };
  const path: PathStep[] = [];
  let at = 0;
  for (const part of text.split(".")) {
    if (part === "") return refuse(at, "emptyPart");
    if (part === "*") return refuse(at, "starInDotPath");
    const bracket = part.indexOf("[");
    if (bracket >= 0) return refuse(at + bracket, "bracketInDotPath");
    path.push(nameStep(part));
    at += part.length + 1;
  }
  return { ok: true, path };
}

/** As many digits as a number keeps exactly; more can only be a name. */
const DIGITS = /^[0-9]{1,15}$/;

/** A name as it stands in a dot path: digits may be an index or a member name, what they are applied to decides. */
function nameStep(name: string): PathStep {
  const index = DIGITS.test(name) ? Number(name) : undefined;
  return index === undefined ? { type: "key", name } : { type: "keyOrIndex", name, index };
}

const BARE_NAME = /[^.[\]'"*?()@^~,:\s]+/y;
const INDEX = /\s*(0|[1-9][0-9]{0,14})\s*\]/y;
const EACH = /\s*\*\s*\]/y;

function parseJsonPath(text: string): ParsedPath {
  const path: PathStep[] = [];
  let at = 1;
  while (at < text.length) {
    if (text[at] === ".") {
      if (text[at + 1] === ".") return refuse(at, "descent");
      BARE_NAME.lastIndex = at + 1;
      const name = BARE_NAME.exec(text)?.[0];
      if (name === undefined) return refuse(at + 1, problemOfName(text[at + 1]));
      path.push(nameStep(name));
      at += 1 + name.length;
    } else if (text[at] === "[") {
      const step = parseBracket(text, at + 1);
      if ("problem" in step) return refuse(step.at, step.problem);
      path.push(step.step);
      at = step.next;
    } else {
      return refuse(at, problemAfterStep(text[at]!, at));
    }
  }
  return { ok: true, path };
}

type Bracket = { step: PathStep; next: number } | { problem: PathProblem; at: number };

function parseBracket(text: string, start: number): Bracket {
  EACH.lastIndex = start;
  if (EACH.test(text)) return { step: { type: "each" }, next: EACH.lastIndex };
  INDEX.lastIndex = start;
  const index = INDEX.exec(text)?.[1];
  if (index !== undefined) return { step: { type: "index", index: Number(index) }, next: INDEX.lastIndex };

  const at = skipBlanks(text, start);
  const quote = text[at];
  if (quote !== "'" && quote !== '"') return bracketProblem(text, start, at);
  const string = parseString(text, at);
  if ("problem" in string) return string;
  const end = skipBlanks(text, string.next);
  if (text[end] === ",") return { problem: "union", at: end };
  if (text[end] !== "]") return { problem: "unclosed", at: start - 1 };
  return { step: { type: "key", name: string.name }, next: end + 1 };
}

const ESCAPES: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

function parseString(
  text: string,
  start: number,
): { name: string; next: number } | { problem: PathProblem; at: number } {
  let name = "";
  for (let i = start + 1; i < text.length; i++) {
    const unit = text[i]!;
    if (unit === text[start]) return { name, next: i + 1 };
    if (unit !== "\\") {
      name += unit;
      continue;
    }
    const escaped = text[i + 1] ?? "";
    const hex = escaped === "u" ? text.slice(i + 2, i + 6) : "";
    if (escaped !== "" && "'\"\\/".includes(escaped)) name += escaped;
    else if (Object.hasOwn(ESCAPES, escaped)) name += ESCAPES[escaped];
    else if (/^[0-9a-fA-F]{4}$/.test(hex)) name += String.fromCharCode(Number.parseInt(hex, 16));
    else return { problem: "escape", at: i };
    i += escaped === "u" ? 5 : 1;
  }
  return { problem: "unclosedQuote", at: start };
}

function skipBlanks(text: string, at: number): number {
  while (text[at] === " " || text[at] === "\t") at += 1;
  return at;
}

function problemOfName(unit: string | undefined): PathProblem {
  if (unit === undefined) return "endsWithDot";
  if (unit === "*") return "dotStar";
  if (unit === "[") return "dotBracket";
  if (unit === "^" || unit === "~") return "parentOrName";
  if (unit === "(") return "script";
  return "nameNeedsQuotes";
}

function problemAfterStep(unit: string, at: number): PathProblem {
  if (unit === "^" || unit === "~") return "parentOrName";
  if (unit === "@" || at > 1) return "nameNeedsQuotes";
  return "afterRoot";
}

/** What is wrong between brackets; a bracket that is never closed is itself the place. */
function bracketProblem(text: string, start: number, at: number): Bracket {
  const problem = problemInBracket(text, at);
  return { problem, at: problem === "unclosed" ? start - 1 : at };
}

function problemInBracket(text: string, at: number): PathProblem {
  const rest = text.slice(at);
  if (rest === "") return "unclosed";
  if (rest.startsWith("?")) return "filter";
  if (rest.startsWith("(")) return "script";
  if (rest.startsWith("]")) return "emptyBracket";
  if (/^-[0-9]/.test(rest)) return "negativeIndex";
  if (/^[-0-9*\s]*:/.test(rest)) return "slice";
  if (/^[-0-9*\s]*,/.test(rest)) return "union";
  if (/^(?:[0-9]+|\*)\s*$/.test(rest)) return "unclosed";
  if (/^0[0-9]/.test(rest) || /^[0-9]{16}/.test(rest)) return "index";
  return "bracketNeedsQuotes";
}
