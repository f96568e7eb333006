// Every sentence about a path or pattern that is not accepted: what is wrong, and what would be right. None quotes the text.

const PATH_PROBLEMS = {
  emptyPart: "the path has an empty part, a dot too many; a name that is empty or holds a dot is written $['a.b']",
  starInDotPath: "a dot path has no *; write it as a JSONPath, like $.items[*].id",
  bracketInDotPath: "a dot path names list items by number, like items.0.id; for [ ] begin the path with $",
  endsWithDot: "the path ends with a dot; a name must follow, or remove the dot",
  dotStar: ".* is not supported; write [*] for all items of a list",
  dotBracket: "no dot may stand before [; remove the dot",
  descent: ".. (search at any depth) is not supported; write every name of the way",
  parentOrName: "^ (parent) and ~ (name) are not supported; write the way from the beginning",
  filter: "filters, [?...], are not supported; name the item by its number, or let the verifier choose",
  script: "scripts, (...), are not supported; a path holds only names, indexes and [*]",
  union: "unions, like [0,1], are not supported; extract each value as a field of its own",
  slice: "slices, like [0:2], are not supported; name one item, or all with [*]",
  negativeIndex: "indexes that count from the end are not supported; count from 0 at the beginning",
  index: "an index is a plain number from 0, without leading zeros",
  emptyBracket: "nothing stands between [ and ]; write an index, * or a quoted name",
  unclosed: "the [ is not closed; a ] is missing",
  unclosedQuote: "the quoted name is not closed; a quote is missing",
  escape: "an escape that is not known in a quoted name; known are \\\\ \\' \\\" \\/ \\b \\f \\n \\r \\t and \\uXXXX",
  nameNeedsQuotes: "a name with such characters needs brackets and quotes, like $['@odata.id']",
  bracketNeedsQuotes: "between [ and ] stand an index, * or a quoted name, like ['title']",
  afterRoot: "after $ comes . or [; a name that itself begins with $ is written $['$ref']",
} as const;

export type PathProblem = keyof typeof PATH_PROBLEMS;

/** The sentence for a problem of a path. */
export function pathProblem(problem: PathProblem): string {
  return PATH_PROBLEMS[problem];
}

const PATTERN_PROBLEMS: Readonly<Record<string, string>> = {
  "missing closing ]": "a [ is not closed",
  "missing closing )": "a ( is not closed",
  "unexpected )": "a ) too many",
  "missing argument to repetition operator": "nothing stands before *, + or ?",
  "invalid nested repetition operator": "two repetitions follow each other",
  "invalid repeat count": "a repetition of more than 1000 times in all, or from a larger to a smaller number",
  "invalid character class range":
    "a character class that is not known, or a range from a larger to a smaller character",
  "trailing backslash at end of expression": "nothing stands after the last backslash",
  "duplicate capture group name": "two groups have the same name",
  "invalid escape sequence":
    "an escape that is not known (back references and \\Z are not supported; the end of the text is \\z)",
  "invalid named capture": "look-behind is not supported, or a group's name is not well formed",
  "invalid or unsupported Perl syntax": "look-around, back references and other Perl extensions are not supported",
  "expression nests too deeply": "groups in groups too deep",
  "expression too large": "it stands for too large an expression",
};

/** The sentence for a pattern that the regular expression engine refuses, by the engine's own fixed name of the error. */
export function patternProblem(engineError: string): string {
  const why = PATTERN_PROBLEMS[engineError];
  return `not a regular expression in RE2 syntax${why === undefined ? "" : `: ${why}`}`;
}
