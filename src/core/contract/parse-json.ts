// JSON and JSONC text -> position tree. A parser of its own, since a contract is loaded at every start: it is small, does
// not recurse, and can say what is wrong where.

import { MAX_CONTRACT_DEPTH } from "../limits.ts";
import type { Finding } from "./issue.ts";
import { nextToken, type Token } from "./json-tokens.ts";
import type { Member, Node } from "./tree.ts";
import { type JsonProblem, words } from "./words.ts";

export interface Parsed {
  /** The whole document; undefined when its structure is broken. */
  readonly root: Node | undefined;
  readonly findings: readonly Finding[];
}

/** What may come next. */
type Expected = "value" | "value or ]" | "key" | "key or }" | "colon" | "comma or close" | "end";

type Open =
  | { readonly type: "object"; readonly at: number; readonly members: Member[]; key: Token & { type: "string" } }
  | { readonly type: "list"; readonly at: number; readonly items: Node[] };

const NO_KEY = { type: "string", text: "", at: 0, end: 0 } as const;

/** Parses a document. `relaxed` allows comments and trailing commas. Never throws; of broken structure only the first place is named. */
export function parseJson(text: string, relaxed: boolean): Parsed {
  const findings: Finding[] = [];
  const open: Open[] = [];
  let expected = "value" as Expected;
  let root: Node | undefined;
  let commaAt = 0;
  let offset = 0;

  const onComment = (at: number): void => {
    if (!relaxed) findings.push({ at, ...words.comment() });
  };
  const broken = (at: number, problem: JsonProblem): Parsed => ({
    root: undefined,
    findings: [...findings, { at, ...words.jsonSyntax(problem) }],
  });
  const place = (node: Node): void => {
    const top = open.at(-1);
    if (top === undefined) root = node;
    else if (top.type === "list") top.items.push(node);
    else top.members.push({ key: top.key.text, at: top.key.at, value: node });
    expected = top === undefined ? "end" : "comma or close";
  };

  for (;;) {
    const token = nextToken(text, offset, onComment);
    if (token.type === "problem") return broken(token.at, token.problem);
    const { at, end } = token;
    const sign = token.type === "sign" ? token.sign : undefined;
    const top = open.at(-1);
    offset = end;

    if (sign === "") {
      if (expected === "end") return { root, findings };
      return top === undefined ? broken(at, "valueExpected") : broken(top.at, `${top.type}Open`);
    }
    if (sign === "}" || sign === "]") {
      const closes = sign === "}" ? "object" : "list";
      if (top?.type !== closes) return broken(at, top === undefined ? problemOf(expected) : `${top.type}ClosedWrongly`);
      // After a comma only the wanting of a key or value is left over: a trailing comma. Else something is missing.
      if (expected === "key" || (expected === "value" && closes === "list")) {
        if (!relaxed) findings.push({ at: commaAt, ...words.trailingComma() });
      } else if (expected === "value" || expected === "colon") return broken(at, problemOf(expected));
      open.pop();
      place(
        top.type === "list"
          ? { type: "list", at: top.at, end, items: top.items }
          : { type: "object", at: top.at, end, members: top.members },
      );
    } else if (expected === "key" || expected === "key or }") {
      if (token.type !== "string" || top?.type !== "object") return broken(at, "keyExpected");
      top.key = token;
      expected = "colon";
    } else if (expected === "colon") {
      if (sign !== ":") return broken(at, "colonExpected");
      expected = "value";
    } else if (expected === "comma or close") {
      if (sign !== ",") return broken(at, "commaExpected");
      commaAt = at;
      expected = top?.type === "object" ? "key" : "value";
    } else if (expected === "end" || sign === ":" || sign === ",") {
      return broken(at, problemOf(expected));
    } else if (sign !== undefined) {
      if (open.length >= MAX_CONTRACT_DEPTH) {
        return { root: undefined, findings: [...findings, { at, ...words.tooDeep() }] };
      }
      open.push(sign === "{" ? { type: "object", at, members: [], key: NO_KEY } : { type: "list", at, items: [] });
      expected = sign === "{" ? "key or }" : "value or ]";
    } else {
      place(literal(token as Exclude<Token, { type: "sign" | "problem" }>));
    }
  }
}

function literal(token: Exclude<Token, { type: "sign" | "problem" }>): Node {
  if (token.type !== "word") return token;
  const { at, end } = token;
  return token.word === "null" ? { type: "null", at, end } : { type: "boolean", at, end, is: token.word === "true" };
}

function problemOf(expected: Expected): JsonProblem {
  if (expected === "colon") return "colonExpected";
  if (expected === "end") return "afterEnd";
  return expected === "key" || expected === "key or }" ? "keyExpected" : "valueExpected";
}
