// Every sentence that is said about a read-back's settings: what is wrong, and what would be right. No value gets in here.

import { comparators } from "../compare/index.ts";
import type { Wording } from "../contract/issue.ts";
import { MAX_READBACK_ATTEMPTS, MAX_READBACK_INTERVAL_MS, MAX_READBACK_TIMEOUT_MS, MAX_SETTLE_MS } from "../limits.ts";
import type { PathTemplateProblem } from "./path-template.ts";
import type { SelectProblem } from "./sql/select.ts";
import type { UrlProblem } from "./url-template.ts";

const expectation =
  'the name of an extracted field, or an object like {"field": "title", "compare": "trim"} or {"value": "open"}';

/** What would be right for the keys that all types share. */
export const commonRight: Readonly<Record<string, string>> = {
  "": "an object with type and the keys of that type",
  expected_fields: `an object with at least one path of the record, then ${expectation}`,
  "expected_fields.*": expectation,
  any_of: "a list of objects like expected_fields; of each, one path must be as expected",
  "any_of[]": `an object with at least two paths of the record, each with ${expectation}`,
  "any_of[].*": expectation,
  find: 'an object like {"in": "items", "where": {"id": "issue_id"}}',
  in: "the path of a list, as a string",
  where: `an object with at least one path of the list's elements, then ${expectation}`,
  "where.*": expectation,
  complete: "true or false",
  field: "the name of an extracted field, as a string",
  compare: `one of ${comparators.map(({ name }) => name).join(", ")}`,
  by: "the name of a member of the list's items, as a string",
  expect: '"present" or "absent"',
  tombstone: 'an object like {"path": "archived", "equals": true}',
  path: "a path of the record, as a string",
  equals: "the value that stands there once the record is deleted",
  only_when_deleted: "true or false",
  attempts: `a whole number from 1 to ${MAX_READBACK_ATTEMPTS}, in digits only`,
  interval_ms: `a whole number of milliseconds from 0 to ${MAX_READBACK_INTERVAL_MS}, in digits only`,
  timeout_ms: `a whole number of milliseconds from 1 to ${MAX_READBACK_TIMEOUT_MS}, in digits only`,
  settle_ms: `a whole number of milliseconds from 0 to ${MAX_SETTLE_MS}, in digits only`,
};

const URL_PROBLEMS: Readonly<Record<UrlProblem, string>> = {
  scheme: "the address must begin with https://",
  host: "the host is not one; write it out, like https://api.example.com/",
  userinfo: "an address holds no user name or password; use auth",
  placeholderInHost: "scheme and host are fixed; {field} may stand in the path and the query only",
  plainHttp: "http:// is for this machine only (localhost, 127.0.0.1, [::1]); use https://",
  brace: "braces that do not match; {field} stands for an extracted value",
  fragment: "an address to read has no #; remove it and what follows",
  characters: "a character that an address does not hold; percent-encode it",
  dotSegment: "the path has a . or .. in it; write the path that is meant",
};

const PATH_PROBLEMS: Readonly<Record<PathTemplateProblem, string>> = {
  brace: "braces that do not match; {field} stands for one name, {+field} for a path",
  absolute: "a path below the root does not begin with / or a drive; the root is what is written under root",
  part: "the path has an empty name, a . or a .. in it; write the path that is meant",
  characters: "a backslash or a control character; the names of a path are parted by /",
  whole: "{+field} stands for whole names, so only / may stand beside it",
};

const SELECT_PROBLEMS: Readonly<Record<SelectProblem, string>> = {
  unclosed: "a text, a quoted name or a comment is not closed",
  several: "a second statement; only one may stand here",
  notSelect: "must begin with SELECT, WITH or VALUES",
  writes: "this word belongs to a statement that writes; put it in double quotes if it is the name of a column",
  locks: "a SELECT that locks rows; a read-back only reads",
  parameter: "parameters are written :field, with the name of an extracted field",
  brackets: "brackets that do not match",
  nul: "a NUL character",
};

const say = (code: string, message: string): Wording => ({ code, message });

export const words = {
  url: (problem: UrlProblem) => say("url", URL_PROBLEMS[problem]),
  path: (problem: string) => say("path", problem),
  neverMissing: () =>
    say("missing_status", "this status never says that a record does not exist, only that it could not be read"),
  authWithoutToken: () => say("auth", "needs token_env beside it: the variable that holds the credential"),
  transportHeader: () => say("header", "this header belongs to the connection; remove it"),
  secretHeader: () => say("header", "a header that carries a credential; use token_env and auth for that"),
  headerTwice: () => say("header", "this header stands here already in another spelling; keep one"),
  tokenIsUser: () => say("auth", "the token is the user name already; remove this or token_as"),
  passwordBeside: () => say("auth", "the token is the password; a fixed one goes with token_as only"),
  oneUser: () => say("auth", "needs exactly one of username, username_env and token_as"),
  sameVariable: () => say("auth", "the same variable as token_env; user name and token are two"),
  notAQuery: () => say("query", "must be exactly one GraphQL query; a mutation or a subscription is never sent"),
  recordPath: () => say("path", "must begin with data and name the record in it, like data.issue"),
  pathTemplate: (problem: PathTemplateProblem) => say("path_template", PATH_PROBLEMS[problem]),
  noFolder: () => say("folder", "there is no such folder; it is looked up relative to this file"),
  fileMember: () =>
    say("path", "with format text the record has text, sha256 and size; for JSON in the file set format to json"),
  folderHasNoContent: () => say("useless_key", "a folder has no content that could be compared; only its existence is"),
  sql: (problem: SelectProblem) => say("select", SELECT_PROBLEMS[problem]),
  oneDatabase: () => say("missing_key", "needs exactly one of dsn_env (PostgreSQL) and sqlite_file (SQLite)"),
  emptyProvesAlways: () => say("useless_key", "does nothing with sqlite_file, since SQLite hides no rows; remove this"),
  unknownField: (nearest: string | undefined) =>
    say(
      "unknown_field",
      `names no field under extract${nearest === undefined ? "; extract it first" : `; did you mean ${nearest}?`}`,
    ),
  nothingExpected: () => say("missing_key", `is missing; it must be ${commonRight.expected_fields}`),
  fieldOrValue: () => say("expectation", "needs exactly one of field and value"),
  useless: (key: string, compare: string) =>
    say("useless_key", `${key} does nothing with compare ${compare}; remove it`),
  tolerance: () => say("wrong_value", "must be a number that is not negative"),
  notJson: () => say("wrong_value", "is a number that JSON does not know"),
  oneOfNeedsList: () => say("wrong_value", "with compare one_of this must be a list of the values that are right"),
  tombstoneValue: () => say("missing_key", "needs path and equals"),
};
