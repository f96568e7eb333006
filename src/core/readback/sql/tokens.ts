// Splits SQL into tokens, so that words in texts, names and comments are not taken for statements. Nothing is understood here.

export type Dialect = "postgresql" | "sqlite";

export interface SqlToken {
  /** `parameter` is `:name`; `foreign` any other way of writing a parameter; `closed` any text or quoted name. */
  readonly type: "word" | "parameter" | "foreign" | "closed" | "number" | "mark";
  readonly text: string;
  readonly at: number;
  readonly end: number;
}

/** The tokens of a text, comments left out; undefined when a text, a name or a comment is not closed. */
export function sqlTokens(text: string, dialect: Dialect): SqlToken[] | undefined {
  const tokens: SqlToken[] = [];
  const postgresql = dialect === "postgresql";
  for (let at = 0; at < text.length; ) {
    const rest = (pattern: RegExp): string | undefined => {
      pattern.lastIndex = at;
      return pattern.exec(text)?.[0];
    };
    const blank = rest(/[\s\ufeff]+|--[^\n]*/y);
    if (blank !== undefined) {
      at += blank.length;
      continue;
    }
    if (text.startsWith("/*", at)) {
      const end = commentEnd(text, at, postgresql);
      if (end === undefined) return undefined;
      at = end;
      continue;
    }
    const token = (type: SqlToken["type"], end: number | undefined): boolean => {
      if (end === undefined) return false;
      tokens.push({ type, text: text.slice(at, end), at, end });
      at = end;
      return true;
    };
    const first = text[at]!;
    const escapes = postgresql ? rest(/[eE]'/y) : undefined;
    if (escapes !== undefined) {
      if (!token("closed", quotedEnd(text, at + 2, "'", true))) return undefined;
    } else if (first === "'" || first === '"' || (!postgresql && first === "`")) {
      if (!token("closed", quotedEnd(text, at + 1, first, false))) return undefined;
    } else if (!postgresql && first === "[") {
      const end = text.indexOf("]", at);
      if (!token("closed", end < 0 ? undefined : end + 1)) return undefined;
    } else {
      const tag = postgresql ? rest(/\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$/y) : undefined;
      if (tag !== undefined) {
        const end = text.indexOf(tag, at + tag.length);
        if (!token("closed", end < 0 ? undefined : end + tag.length)) return undefined;
        continue;
      }
      const [type, found] = plain(rest, postgresql) ?? ["mark", first];
      token(type, at + found.length);
    }
  }
  return tokens;
}

function plain(
  rest: (pattern: RegExp) => string | undefined,
  postgresql: boolean,
): [SqlToken["type"], string] | undefined {
  const word = rest(/[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*/y);
  if (word !== undefined) return ["word", word];
  const number = rest(/\.?[0-9][\w.]*/y);
  if (number !== undefined) return ["number", number];
  const mark = rest(/::|:=/y);
  if (mark !== undefined) return ["mark", mark];
  const parameter = rest(/:[A-Za-z_]\w*/y);
  if (parameter !== undefined) return ["parameter", parameter];
  // In PostgreSQL ? and @ are operators.
  const foreign = rest(postgresql ? /\$\w+/y : /[$@#]\w+|\?[0-9]*/y);
  return foreign === undefined ? undefined : ["foreign", foreign];
}

/** The index after the closing quote; a doubled quote stands for itself. */
function quotedEnd(text: string, from: number, quote: string, escapes: boolean): number | undefined {
  for (let i = from; i < text.length; i++) {
    if (escapes && text[i] === "\\") i++;
    else if (text[i] === quote) {
      if (text[i + 1] !== quote) return i + 1;
      i++;
    }
  }
  return undefined;
}

/** The index after a comment; PostgreSQL's comments nest. */
function commentEnd(text: string, from: number, nested: boolean): number | undefined {
  let depth = 0;
  for (let i = from; i < text.length; i++) {
    if (text.startsWith("/*", i) && (nested || depth === 0)) {
      depth++;
      i++;
    } else if (text.startsWith("*/", i)) {
      i++;
      if (--depth === 0) return i + 1;
    }
  }
  return undefined;
}
