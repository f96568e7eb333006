// Every sentence that is said about a scan file: what is wrong, and what would be right. No value gets in here.

import type { Wording } from "../contract/issue.ts";
import { words as contractWords } from "../contract/words.ts";
import { MAX_CASE_NAME_CHARACTERS, MAX_SCAN_CALL_TIMEOUT_MS, MAX_SCAN_START_TIMEOUT_MS } from "../limits.ts";
import { PROTOCOL_VERSIONS } from "./protocol-versions.ts";

const milliseconds = (most: number) => `a whole number of milliseconds from 1 to ${most}, in digits only`;
const environmentName = contractWords.right("env[]");

/** What would be right, by place. */
export const right: Readonly<Record<string, string>> = {
  "": "an object with scan_version, server, write_tools and cases",
  $schema: "the address of a schema, as a string",
  scan_version: "the whole number 1",
  server: "an object with command and test_account",
  "server.transport": '"stdio"',
  "server.command": "a list of strings, the program first",
  "server.command[]": "a string without NUL characters",
  "server.cwd": "a folder, as a string, relative to the scan file",
  "server.test_account": "a label for the account that is written to, as a string that is not blank",
  "server.protocol_version": `one of ${PROTOCOL_VERSIONS.map((version) => `"${version}"`).join(", ")}`,
  "server.call_timeout_ms": milliseconds(MAX_SCAN_CALL_TIMEOUT_MS),
  "server.start_timeout_ms": milliseconds(MAX_SCAN_START_TIMEOUT_MS),
  "server.env": "a list of names of environment variables",
  "server.env[]": environmentName,
  contracts: "the path of a contract file, as a string, relative to the scan file",
  write_tools: "a list of at least one tool name, none of them twice",
  "write_tools[]": "the exact name of a tool, as a string",
  cases: "a list of at least one case",
  "cases[]": "an object with tool, arguments and how the outcome is checked",
  "cases[].name": `a text of 1 to ${MAX_CASE_NAME_CHARACTERS} characters without control characters`,
  "cases[].tool": "the exact name of a tool under write_tools, as a string",
  "cases[].arguments": "an object with the call's arguments",
  "cases[].expect_outcome": '"pass" or "fail"',
  "cases[].outcome_contract": "an object with extract, and a verifier or readback",
  "cases[].record_id_field": contractWords.right("record_id_field"),
  "cases[].readback": contractWords.right("readback"),
  "cases[].cleanup": 'an object like {"tool": "delete_issue", "arguments": {"issue_id": "{id}"}}',
  "cases[].cleanup.tool": "the exact name of a tool under write_tools, as a string",
  "cases[].cleanup.arguments": "an object with the call's arguments",
};

const say = (code: string, message: string): Wording => ({ code, message });
const meant = (nearest: string | undefined, otherwise: string) =>
  nearest === undefined ? otherwise : `did you mean ${nearest}?`;

export const words = {
  empty: () => say("empty_file", `the file holds no scan; it must be ${right[""]}`),
  noFolder: () => say("cwd", "there is no such folder; it is looked up relative to the scan file"),
  notListed: (nearest: string | undefined) =>
    say("tool_not_listed", `is not under write_tools, so it is never called; ${meant(nearest, "add it there")}`),
  repeatedTool: () => say("repeated_tool", "this tool stands in the list already; keep one"),
  repeatedName: (line: number) =>
    say("repeated_name", `the case on line ${line} has this name; reports tell cases by it`),
  noContract: () =>
    say(
      "missing_key",
      "is missing; a case needs an outcome_contract, or the file needs contracts with one for its tool",
    ),
  notInContracts: (nearest: string | undefined) =>
    say(
      "no_contract",
      `the file under contracts has no contract for this tool; ${meant(nearest, "give the case an outcome_contract")}`,
    ),
  besideContracts: () =>
    say("useless_key", "does nothing without an outcome_contract; the contract under contracts has its own"),
  twice: (where: string) => say("given_twice", `stands ${where} too; keep one`),
  noReasons: () =>
    say("missing_key", `is missing; a verifier needs it: it must be ${contractWords.right("allowed_failure_reasons")}`),
  idFromArguments: () =>
    say(
      "record_id_field",
      "names a field of the arguments; a record's id is what the answer says, so name a field with source result",
    ),
  runIdSpelling: () => say("placeholder", "unknown placeholder; did you mean {run_id}?"),
  placeholder: (nearest: string | undefined) =>
    say(
      "placeholder",
      `no field of this case has that name; ${meant(nearest, "known are {id}, {run_id} and the fields under extract")}`,
    ),
  noId: () => say("placeholder", "{id} stands for the record's id, and this case has no record_id_field"),
  notOfThisRun: () =>
    say(
      "cleanup_unsafe",
      "names no record of this run; use {id}, a field of the answer, or an argument with {run_id} in it, so that nothing else can be removed",
    ),
  cleanupFixed: () =>
    say(
      "cleanup_unsafe",
      "a fixed value that the case's own arguments do not have under this name, so it might name something older than the run; leave it out, or use {id}, a field of the answer or {run_id}",
    ),
  cleanupItem: () =>
    say(
      "cleanup_unsafe",
      "an item that names no record of this run; every item must have {id}, a field of the answer or {run_id} in it",
    ),
  cleanupText: () =>
    say(
      "cleanup_unsafe",
      "the text around a placeholder may hold letters, digits and . _ - / : # @ only, and no .., so that it names nothing else",
    ),
  notJson: () => say("number", "a number that JSON cannot write"),
  secretShown: () =>
    say(
      "secret_shown",
      "this is the credential of a check, which the server must not see; give the server another one",
    ),
};
