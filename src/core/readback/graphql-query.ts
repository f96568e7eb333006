// Whether a GraphQL document holds nothing but one query (and fragments): the check that keeps a read-back a read.

const IGNORED = /(?:[\s,\ufeff]|#[^\n\r]*)+/y;
const STRING = /"""(?:\\"""|[\s\S])*?"""|"(?:[^"\\\n\r]|\\.)*"/y;
const NAME = /[A-Za-z_][A-Za-z_0-9]*/y;
const OTHER = /\.\.\.|[-+0-9.eE]+|[!$&():=@[\]{}|]/y;

/** True for a document whose definitions are exactly one query and any fragments. What cannot be read is no query. */
export function isOneQuery(document: string): boolean {
  let depth = 0;
  let queries = 0;
  /** The first word of the definition that is being read; "" before one begins. */
  let definition = "";
  for (let at = 0; at < document.length; ) {
    const token = tokenAt(document, at);
    if (token === undefined) return false;
    at += token.length;
    if (/^[\s,\ufeff#]/.test(token)) continue;
    if (depth === 0 && definition === "") {
      definition = token === "{" ? "query" : token;
      if (definition !== "query" && definition !== "fragment") return false;
      if (definition === "query") queries++;
    }
    if (token === "{" || token === "(" || token === "[") depth++;
    else if (token === "}" || token === ")" || token === "]") {
      depth--;
      if (depth < 0) return false;
      if (depth === 0 && token === "}") definition = "";
    }
  }
  return depth === 0 && definition === "" && queries === 1;
}

function tokenAt(text: string, at: number): string | undefined {
  for (const pattern of [IGNORED, STRING, NAME, OTHER]) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match !== null && match[0] !== "") return match[0];
  }
  return undefined;
}
