// Every sentence that is said about a contract: what is wrong, and what would be right. No value out of a file gets in here.

import {
  MAX_CONTRACT_BYTES,
  MAX_CONTRACT_DEPTH,
  MAX_CONTRACT_VALUES,
  MAX_PATTERN_CHARACTERS,
  MAX_PREWARM,
  MAX_REASON_CHARACTERS,
  MAX_VERIFIER_TIMEOUT_MS,
  MIN_VERIFIER_TIMEOUT_MS,
} from "../limits.ts";
import type { Wording } from "./issue.ts";

/** What would be right, by the name of the member; `NAME[]` for the items of a list, `NAME.*` for chosen names. */
const RIGHT: Readonly<Record<string, string>> = {
  "": "an object with contract_version and tools",
  $schema: "the address of a schema, as a string",
  contract_version: "the whole number 1",
  draft: "left out",
  approval: '"required", or be left out',
  secret_files: "an object: the name of an environment variable, then the path of a file",
  "secret_files.*": "the path of a file, as a string",
  secret_command: "an object: the name of an environment variable, then a command",
  "secret_command.*": "a list of strings, the program first",
  "secret_command.*[]": "a string without NUL characters",
  tools: "an object with at least one tool: its exact name on the wire, then its contract",
  "tools.*": "an object with extract, verifier or readback, and allowed_failure_reasons",
  extract:
    'an object with at least one field, like {"id": {"source": "result", "path": "result.structuredContent.id"}}',
  "extract.*": "an object with source and path",
  source: '"arguments" or "result"',
  path: "a string: a dot path, or a JSONPath that begins with $",
  parse: '"embedded_json" or "regex", or be left out',
  field: "the path of a member of the embedded object, as a string",
  pattern: `a regular expression of 1 to ${MAX_PATTERN_CHARACTERS} characters, as a string`,
  group: "the number of a capture group, 1 or more in digits only, or its name",
  record_id_field: "the name of a field under extract, as a string",
  verifier: "an object with command and timeout_ms",
  readback: "an object with type and the keys of that type",
  command: "a list of strings, the program first",
  "command[]": "a string without NUL characters",
  cwd: "a directory, as a string, relative to the contract file",
  timeout_ms: `a whole number of milliseconds from ${MIN_VERIFIER_TIMEOUT_MS} to ${MAX_VERIFIER_TIMEOUT_MS}, in digits only`,
  secret_env: "a list of names of environment variables",
  "secret_env[]": "the name of an environment variable: letters, digits and _, not beginning with a digit",
  env: "a list of names of environment variables",
  "env[]": "the name of an environment variable: letters, digits and _, not beginning with a digit",
  prewarm: `a whole number from 1 to ${MAX_PREWARM}, in digits only`,
  allowed_failure_reasons: "a list of at least one reason code, none of them twice",
  "allowed_failure_reasons[]": `a reason code, as a string of 1 to ${MAX_REASON_CHARACTERS} characters without control characters`,
  recovery: '"stop", "retry_once" or "ask_user"',
};

const JSON_SYNTAX = {
  unknownWord: "a word or character that JSON does not know; names and texts need double quotes",
  number: "a number that is written in a way that JSON does not know",
  keyExpected: "a name in double quotes is expected here",
  valueExpected: "a value is expected here",
  colonExpected: "a colon is expected after the name",
  commaExpected: "a comma or a closing bracket is expected here",
  objectOpen: "this object is not closed; a } is missing",
  listOpen: "this list is not closed; a ] is missing",
  objectClosedWrongly: "a } is expected here, since an object is open",
  listClosedWrongly: "a ] is expected here, since a list is open",
  afterEnd: "the document has ended; nothing more may follow",
  commentOpen: "this comment is not closed; a */ is missing",
  stringOpen: "this string is not closed on its line; a double quote is missing",
  escape: 'an escape that JSON does not know; a backslash itself is written "\\\\"',
  control: "a control character in a string; it must be written as an escape, like \\n or \\t",
} as const;

/** What can be wrong with the structure of JSON text. */
export type JsonProblem = keyof typeof JSON_SYNTAX;

const YAML_SYNTAX: Readonly<Record<string, string>> = {
  BAD_ALIAS: "an alias whose anchor is not set before it",
  BAD_DQ_ESCAPE: "an escape that YAML does not know; single quotes keep a backslash as it is",
  BAD_INDENT: "the indentation does not fit",
  BAD_SCALAR_START: "a text that begins like this needs quotes",
  BLOCK_AS_IMPLICIT_KEY: "a mapping within a line; put it on lines of its own, or the text in quotes",
  KEY_OVER_1024_CHARS: "a key of more than 1024 characters",
  MISSING_CHAR: "a character is missing, most likely a closing quote, a bracket or the blank after a colon",
  MULTILINE_IMPLICIT_KEY: "a key must stand on one line; perhaps a colon is missing",
  MULTIPLE_DOCS: "a second document begins; a contract file holds exactly one",
  NON_STRING_KEY: "a key must be a plain text",
  TAB_AS_INDENT: "a tab as indentation; YAML wants blanks",
  TAG_RESOLVE_FAILED: "a tag; a contract needs none",
  UNEXPECTED_TOKEN: "this is not expected here; perhaps the indentation or a quote is wrong",
};

const article = (type: string): string =>
  type === "null" ? "null" : /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
const say = (code: string, message: string): Wording => ({ code, message });

export const words = {
  right: (name: string): string => RIGHT[name] ?? "something else",

  secretUnused: () =>
    say(
      "secret_unused",
      "no check of this contract reads a variable of this name; remove it, or name it in secret_env or the read-back",
    ),
  secretTwice: () => say("secret_twice", "stands under secret_files too; keep one of the two"),

  fileMissing: () => say("file_missing", "there is no such file; check the path"),
  fileIsDirectory: () => say("file_is_directory", "this is a directory; name the contract file in it"),
  fileUnreadable: (why: string) => say("file_unreadable", `the file cannot be read (${why}); check its permissions`),
  fileTooLarge: () =>
    say("file_too_large", `the file is larger than ${MAX_CONTRACT_BYTES / 1024 / 1024} MiB, which no contract is`),

  notUtf8: (utf16: boolean) =>
    say(
      "not_utf8",
      utf16 ? "the file is UTF-16; save it as UTF-8" : "a byte that is not UTF-8; save the file as UTF-8",
    ),
  empty: () => say("empty_file", "the file holds no contract; it must be an object with contract_version and tools"),
  jsonSyntax: (problem: JsonProblem) => say("syntax", `not valid JSON: ${JSON_SYNTAX[problem]}`),
  yamlSyntax: (name: string) => say("syntax", `not valid YAML: ${YAML_SYNTAX[name] ?? "this is not expected here"}`),
  comment: () => say("comment", "JSON has no comments; remove it, or name the file .jsonc"),
  trailingComma: () =>
    say("trailing_comma", "JSON has no comma before a closing bracket; remove it, or name the file .jsonc"),
  tooDeep: () => say("too_deep", `nested more than ${MAX_CONTRACT_DEPTH} levels deep; a contract needs only 5`),
  tooManyValues: () => say("too_many_values", `more than ${MAX_CONTRACT_VALUES} values once its aliases are followed`),
  more: (count: number) => say("more", `${count} more problems are not shown; mend these first`),

  duplicateKey: (line: number) => say("duplicate_key", `given twice, first on line ${line}; keep one`),
  duplicateTool: (line: number) =>
    say("duplicate_tool", `this tool has a contract already, on line ${line}; keep one contract for each tool`),
  unknownKey: (nearest: string | undefined, known: readonly string[]) =>
    say(
      "unknown_key",
      nearest === undefined
        ? `unknown key; known here are ${known.join(", ")}`
        : `unknown key; did you mean ${nearest}?`,
    ),
  verifierAndReadback: () =>
    say("two_checks", "a tool is checked by a verifier or by a readback, not by both; remove one"),
  noCheck: () =>
    say(
      "missing_key",
      `is missing; a tool needs a verifier (${words.right("verifier")}) or a readback (${words.right("readback")})`,
    ),
  missing: (right: string) => say("missing_key", `is missing; it must be ${right}`),
  wrongType: (type: string, right: string) => say("wrong_type", `is ${article(type)}, but must be ${right}`),
  wrongValue: (right: string) => say("wrong_value", `must be ${right}`),
  empties: (right: string) => say("empty", `is empty, but must be ${right}`),
  draft: () => say("draft", "this contract is a draft; remove it once a person has decided every guess"),
  onlyWith: (beside: string) => say("useless_key", `does nothing without ${beside}; add that, or remove this`),

  toolNameEmpty: () => say("tool_name", "an empty tool name; write the exact name on the wire"),
  toolNameBlanks: () => say("tool_name", "the tool name begins or ends with a blank; write the exact name on the wire"),
  toolNameControls: () =>
    say("tool_name", "the tool name holds an invisible character; write the exact name on the wire"),
  fieldNameEmpty: () => say("field_name", "an empty field name; give the field a name"),
  path: (problem: string) => say("path", problem),
  pathRoot: () =>
    say(
      "path_root",
      'with source "result" a path starts at the whole response, so it must begin with result, like result.structuredContent.id',
    ),
  parsePlace: () =>
    say(
      "parse_place",
      'parse works on a text in the answer: it needs source "result" and a path below result.content, like result.content.0.text',
    ),
  parseEach: () => say("parse_place", "parse works on one text; name one item by its number instead of [*]"),
  fieldWhole: () => say("path", "names no member; it must be the path of a member of the embedded object"),
  pattern: (problem: string) => say("pattern", problem),
  noGroup: () =>
    say("group", "the pattern has no such capture group; put the value in ( ) or name a group that is there"),
  recordIdField: (nearest: string | undefined) =>
    say(
      "record_id_field",
      `names no field under extract${nearest === undefined ? "; name one of them" : `; did you mean ${nearest}?`}`,
    ),
  noDirectory: () => say("cwd", "there is no such directory; it is looked up relative to the contract file"),
  noProgram: () => say("command", "the program is an empty text; name a program"),
  placeholder: (nearest: string) => say("placeholder", `unknown placeholder; did you mean ${nearest}?`),
  verifyHttp: () =>
    say(
      "command",
      'fourgate.verify_http takes exactly one file, like ["{python}", "-m", "fourgate.verify_http", "readback.json"]',
    ),
  repeatedReason: () => say("repeated_reason", "this reason stands in the list already; keep one"),
  reasonNeverGiven: (reasons: readonly string[]) =>
    say("reason_never_given", `this read-back never gives this reason; it gives ${reasons.join(" or ")}`),
  reservedReason: () =>
    say(
      "reserved_reason",
      "this is one of fourgate's own codes, which never mean a FAIL; choose another code and let the verifier say that",
    ),
};
