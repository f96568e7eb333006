// Every sentence about a client's configuration file. No value out of a file gets in here, only names.

import type { Wording } from "../contract/issue.ts";

const say = (code: string, message: string): Wording => ({ code, message });

/** What the TOML parser says, in words for people. Its own texts hold no values, but are not ours to promise. */
const TOML_SYNTAX: readonly (readonly [RegExp, string])[] = [
  [/multiple times/, "a key or table that is given twice; keep one"],
  [/string constant/, "this string is not closed; a quote is missing"],
  [/Unterminated array/, "this array is not closed; a ] is missing"],
  [/inline table/, "this inline table is not closed or holds what it may not; look for the }"],
  [/table-key/, "this table's name is not closed; a ] is missing"],
  [/Unspecified values/, "a value is expected here"],
  [/equal \(=\)/, "an = is expected here"],
  [/comma \(,\)/, "a comma or a closing bracket is expected here"],
  [/newline/, "a new line is expected here"],
  [/escape/, "an escape that TOML does not know; single quotes keep a backslash as it is"],
  [/[Cc]ontrol characters/, "a control character; it must be written as an escape"],
];

export const words = {
  syntaxToml: (message: string): Wording =>
    say(
      "syntax",
      `not valid TOML: ${TOML_SYNTAX.find(([said]) => said.test(message))?.[1] ?? "this is not expected here"}`,
    ),
  tooLarge: (mebibytes: number): Wording => say("too_large", `larger than ${mebibytes} MiB; that is no configuration`),
  tooDeep: (): Wording => say("too_deep", "nested too deeply to be a configuration"),
  notAnObject: (): Wording => say("shape", "the document must be an object"),
  keyTwice: (): Wording => say("duplicate_key", "given twice; clients differ in which one they take, so keep one"),
  containerShape: (): Wording => say("shape", "must be an object of servers"),
  entryShape: (): Wording => say("shape", "a server must be an object"),
  commandShape: (): Wording => say("shape", "command must be a string that is not empty"),
  shellLine: (): Wording =>
    say("shell_line", "command is a whole shell line; put the program into command and each argument into args first"),
  dashCommand: (): Wording => say("shape", "command begins with -, which no program's name does"),
  argsShape: (): Wording => say("shape", "args must be a list of strings"),
  remote: (): Wording =>
    say("remote", "this server is remote, reached at a URL; fourgate stands before servers that the client starts"),
  noCommand: (): Wording => say("no_command", "this entry has no command, so there is nothing to stand before"),
  alreadyWrapped: (): Wording => say("already_wrapped", "is wrapped by fourgate already; unwrap it first"),
  notWrapped: (): Wording => say("not_wrapped", "is not wrapped by fourgate"),
  wrapsNothing: (): Wording => say("wraps_nothing", "starts fourgate guard without a server command behind it"),
  expands: (): Wording =>
    say("expands", "the client may read the $ in a path as a variable; name paths that have none"),
  notExact: (): Wording =>
    say("not_exact", "the change could not be proved to do just what it should; edit this entry by hand"),
};
