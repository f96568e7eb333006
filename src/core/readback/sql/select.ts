// Decides whether a text is exactly one statement that reads, and where its parameters stand. The database's own read-only
// transaction holds beside it; this tells a mistake at the start, and keeps what only looks like a SELECT from ever being sent.

import { type Dialect, type SqlToken, sqlTokens } from "./tokens.ts";

export type SelectProblem =
  | "unclosed"
  | "several"
  | "notSelect"
  | "writes"
  | "locks"
  | "parameter"
  | "brackets"
  | "nul";

export type ParsedSelect =
  /** In turn text and the name of a field, the first and the last being texts; no semicolon at the end. */
  | { readonly ok: true; readonly parts: readonly string[] }
  | { readonly ok: false; readonly at: number; readonly problem: SelectProblem };

/** Words that a reading statement has no use for, unless they are names, and those can be quoted. */
const WRITING = new Set(
  "insert update delete merge call copy do into truncate alter create drop grant revoke attach detach pragma vacuum".split(
    " ",
  ),
);

/** Checks a statement; `at` is where the problem begins (UTF-16 unit). */
export function parseSelect(text: string, dialect: Dialect): ParsedSelect {
  const refuse = (problem: SelectProblem, at = 0): ParsedSelect => ({ ok: false, problem, at });
  const nul = text.indexOf("\0");
  if (nul >= 0) return refuse("nul", nul);
  const all = sqlTokens(text, dialect);
  if (all === undefined) return refuse("unclosed");
  const tokens = [...all];
  while (tokens.at(-1)?.text === ";") tokens.pop();
  const first = tokens[0];
  if (first?.type !== "word" || !/^(?:select|with|values)$/i.test(first.text)) return refuse("notSelect", first?.at);
  let open = 0;
  for (const [i, token] of tokens.entries()) {
    const { type, at } = token;
    if (token.text === ";") return refuse("several", at);
    if (type === "foreign") return refuse("parameter", at);
    if (token.text === "(") open++;
    else if (token.text === ")" && --open < 0) return refuse("brackets", at);
    if (type !== "word") continue;
    const word = token.text.toLowerCase();
    // After a dot it is the name of a column.
    if (WRITING.has(word) && tokens[i - 1]?.text !== ".") return refuse(locking(tokens, i) ? "locks" : "writes", at);
    if (word === "for" && /^(?:share|no|key)$/i.test(tokens[i + 1]?.text ?? "")) return refuse("locks", at);
  }
  if (open > 0) return refuse("brackets", tokens.at(-1)!.at);
  return { ok: true, parts: partsOf(text, tokens) };
}

function locking(tokens: readonly SqlToken[], i: number): boolean {
  return /^update$/i.test(tokens[i]!.text) && /^for$/i.test(tokens[i - 1]?.text ?? "");
}

function partsOf(text: string, tokens: readonly SqlToken[]): string[] {
  const parts: string[] = [];
  let from = tokens[0]!.at;
  for (const { type, text: name, at, end } of tokens) {
    if (type !== "parameter") continue;
    parts.push(text.slice(from, at), name.slice(1));
    from = end;
  }
  return [...parts, text.slice(from, tokens.at(-1)!.end)];
}
