// The tokens of JSON text, for parse-json.ts: strings, numbers, words, comments. What is wrong with one is named by a word.

import type { JsonProblem } from "./words.ts";

export type Token =
  /** One of the six signs; `sign` is "" at the end of the text. */
  | { readonly type: "sign"; readonly sign: string; readonly at: number; readonly end: number }
  | { readonly type: "string"; readonly text: string; readonly at: number; readonly end: number }
  | { readonly type: "number"; readonly token: string; readonly at: number; readonly end: number }
  | { readonly type: "word"; readonly word: "true" | "false" | "null"; readonly at: number; readonly end: number }
  | { readonly type: "problem"; readonly problem: JsonProblem; readonly at: number };

const BLANKS = /[ \t\r\n]*/y;
const PLAIN_STRING = /"[^"\\\u0000-\u001f]*"/y;
const PLAIN_PART = /[^"\\\u0000-\u001f]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![0-9A-Za-z_.+-])/y;
const WORD = /(?:true|false|null)(?![0-9A-Za-z_$])/y;
const LINE_END = /[\r\n]/g;

/** The next token at or after an offset. Each comment on the way is reported, allowed or not. */
export function nextToken(text: string, from: number, onComment: (at: number) => void): Token {
  let at = from;
  for (;;) {
    at = match(BLANKS, text, at) ?? at;
    if (text[at] !== "/") break;
    const end = commentEnd(text, at);
    if (end === undefined) {
      return { type: "problem", problem: text[at + 1] === "*" ? "commentOpen" : "unknownWord", at };
    }
    onComment(at);
    at = end;
  }

  const unit = text[at] ?? "";
  if ("{}[]:,".includes(unit)) return { type: "sign", sign: unit, at, end: at + unit.length };
  if (unit === '"') return string(text, at);
  const number = match(NUMBER, text, at);
  if (number !== undefined) return { type: "number", token: text.slice(at, number), at, end: number };
  const word = match(WORD, text, at);
  if (word !== undefined) return { type: "word", word: text.slice(at, word) as "true", at, end: word };
  return { type: "problem", problem: /[-+.0-9]/.test(unit) ? "number" : "unknownWord", at };
}

function commentEnd(text: string, at: number): number | undefined {
  if (text[at + 1] === "/") {
    LINE_END.lastIndex = at;
    return LINE_END.exec(text)?.index ?? text.length;
  }
  if (text[at + 1] !== "*") return undefined;
  const end = text.indexOf("*/", at + 2);
  return end < 0 ? undefined : end + 2;
}

function string(text: string, at: number): Token {
  const plain = match(PLAIN_STRING, text, at);
  if (plain !== undefined) return { type: "string", text: text.slice(at + 1, plain - 1), at, end: plain };
  let here = at + 1;
  for (;;) {
    here = match(PLAIN_PART, text, here) ?? here;
    const unit = text[here];
    if (unit === '"') return { type: "string", text: JSON.parse(text.slice(at, here + 1)), at, end: here + 1 };
    if (unit === undefined || unit === "\n" || unit === "\r") return { type: "problem", problem: "stringOpen", at };
    if (unit !== "\\") return { type: "problem", problem: "control", at: here };
    const end = match(ESCAPE, text, here);
    if (end === undefined) return { type: "problem", problem: "escape", at: here };
    here = end;
  }
}

/** Where a sticky expression's match at an offset ends. */
function match(expression: RegExp, text: string, at: number): number | undefined {
  expression.lastIndex = at;
  return expression.test(text) ? expression.lastIndex : undefined;
}
