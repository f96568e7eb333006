// Selectors: where in a call or its answer the value of a field is found.

/** One step of a path. `key` names an object member, `index` a list item, `each` all items of a list. */
export type PathStep =
  | { readonly type: "key"; readonly name: string }
  | { readonly type: "index"; readonly index: number }
  /** A dot-path part of digits: an index in a list, a member name in an object. */
  | { readonly type: "keyOrIndex"; readonly name: string; readonly index: number }
  | { readonly type: "each" };

export type Path = readonly PathStep[];

/** Finds text by a regular expression that runs in linear time; undefined when nothing matches. May not throw. */
export type TextMatcher = (text: string) => string | undefined;

export type TextParse =
  | { readonly type: "embedded_json"; readonly field: Path }
  | { readonly type: "regex"; readonly match: TextMatcher };

export interface Selector {
  /** `arguments` starts at `params.arguments` of the request, `result` at the whole response. */
  readonly source: "arguments" | "result";
  readonly path: Path;
  readonly parse?: TextParse;
}

/** The extracted fields: name -> the JSON text of the value, digit for digit as it stood on the wire. */
export type Fields = ReadonlyMap<string, string>;
