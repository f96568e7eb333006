// One tool's contract on one page, in plain words: for the person who answers for it.

import { comparatorNamed } from "../compare/index.ts";
import { checkLimitMs, credentialNames } from "../contract/check.ts";
import type { Contract, ToolContract, VerifierSpec } from "../contract/types.ts";
import type { Readback } from "../readback/types.ts";
import { fieldWords, writtenCommand } from "./selectors.ts";
import { absenceWords, asksWords, commandWords, expectationWords } from "./source-words.ts";

export interface PageSection {
  readonly title: string;
  readonly lines: readonly string[];
}

export interface ToolPage {
  readonly tool: string;
  readonly sections: readonly PageSection[];
}

/** The page of each tool, in the order of their names. */
export function toolPages(contract: Contract): ToolPage[] {
  return [...contract.tools.values()]
    .sort((a, b) => (a.tool < b.tool ? -1 : 1))
    .map((tool) => ({ tool: tool.tool, sections: sectionsOf(contract, tool) }));
}

function sectionsOf(contract: Contract, tool: ToolContract): PageSection[] {
  const { verifier, readback } = tool;
  return [
    { title: "What leaves the call", lines: leaves(contract, tool) },
    {
      title: "Who decides",
      lines: readback ? asksWords(readback) : verifierLines(verifier!, writtenCommand(contract, tool.tool)),
    },
    ...credentialSection(contract, tool),
    { title: "What makes it say FAIL", lines: readback ? readbackFails(tool, readback) : verifierFails(tool) },
    { title: "What it can never notice", lines: readback ? blindSpots(tool, readback) : verifierBlindSpots() },
    { title: "What it may cost", lines: budget(tool) },
    { title: "The worst that this contract could do if it is wrong", lines: worst(tool) },
  ];
}

/** The section that only contracts with `secret_files` or `secret_command` have. */
export const CREDENTIALS = "Where its credentials come from";

/** Where its credentials come from, if not out of the environment. */
function credentialSection({ secrets }: Contract, tool: ToolContract): PageSection[] {
  const lines = credentialNames(tool).flatMap((name) => {
    const source = secrets.get(name);
    if (source === undefined) return [];
    if (source.type === "file") return [`${name} is read from the file ${source.path}.`];
    return [`${name} is printed by ${commandWords(source.command)}, which runs whenever guard, scan or doctor starts.`];
  });
  return lines.length === 0 ? [] : [{ title: CREDENTIALS, lines }];
}

function leaves(contract: Contract, { tool, recordIdField }: ToolContract): string[] {
  return [...fieldWords(contract, tool)].map(([field, where]) => {
    const id = field === recordIdField ? " It names the record: without it nothing is checked." : "";
    return `${field}: from ${where}.${id}`;
  });
}

function verifierLines({ secretEnv, env }: VerifierSpec, command: readonly string[]): string[] {
  const sees =
    env === undefined
      ? "It sees all of fourgate's environment."
      : `It sees ${[...env, "the minimum that a program needs"].join(", ")}, and no other variable.`;
  const secrets =
    secretEnv.length === 0
      ? "It is given no credential of its own."
      : `It is given ${secretEnv.join(" and ")}, which the server never gets.`;
  return [
    `The program ${commandWords(command)} gets these fields and decides. What it does is not in this contract: read it.`,
    secrets,
    sees,
  ];
}

function readbackFails(tool: ToolContract, readback: Readback): string[] {
  const allowed = (reason: string) => tool.allowedFailureReasons.has(reason);
  const lines: string[] = [];
  const absence = absenceWords(readback);
  if (readback.expect === "absent") {
    lines.push(`The record is to be gone; it counts as gone when ${absence ?? "nothing: that cannot be seen here"}.`);
    if (allowed("record_present"))
      lines.push(
        `record_present: the record is still there${expectedText(readback) === "" ? "" : `, with ${expectedText(readback)}`}.`,
      );
  } else {
    if (allowed("record_missing") && absence !== undefined) lines.push(`record_missing: ${absence}.`);
    if (allowed("field_mismatch") && readback.expected.length > 0)
      lines.push(`field_mismatch: the record was read, and not so: ${expectedText(readback)}.`);
  }
  if (readback.expect === "absent" ? lines.length === 1 : lines.length === 0)
    return [...lines, "Nothing: no allowed reason can come of this read-back."];
  return [...lines, afterwards(tool)];
}

const expectedText = ({ expected }: Readback): string =>
  expected.map((group) => group.map(expectationWords).join(" or ")).join("; ");

function verifierFails({ allowedFailureReasons, ...tool }: ToolContract): string[] {
  const reasons = [...allowedFailureReasons].sort().join(", ");
  return [
    `Its program says fail with one of: ${reasons}. Any other reason is UNKNOWN.`,
    afterwards({ allowedFailureReasons, ...tool }),
  ];
}

const NEXT = {
  stop: "to stop",
  retry_once: "that it may try once more",
  ask_user: "to ask its user",
} as const;

const afterwards = ({ recovery }: ToolContract): string =>
  `In enforce mode the agent then reads the verdict before the server's own answer, and is told ${NEXT[recovery]}.`;

function blindSpots({ allowedFailureReasons }: ToolContract, readback: Readback): string[] {
  const paths = readback.expected.flatMap((group) => group.map(({ written }) => written));
  const compared = paths.length > 0 && (readback.expect === "absent" || allowedFailureReasons.has("field_mismatch"));
  const lines = [
    compared
      ? `Anything in the record but ${paths.join(", ")}.`
      : paths.length > 0
        ? "That the record holds something else: field_mismatch is not allowed, so that is UNKNOWN."
        : "What the record holds: only whether it is there is looked at.",
    "What else the call changed or made, and what changes after the check.",
    "A call that reports an error: nothing was claimed, so nothing is checked.",
  ];
  if (
    readback.expect === "present" &&
    !(allowedFailureReasons.has("record_missing") && absenceWords(readback) !== undefined)
  ) {
    lines.splice(1, 0, "That the record is not there: nothing proves it, so that is UNKNOWN.");
  }
  const loose = [...new Set(readback.expected.flat().map(({ compare }) => compare))].filter((name) => name !== "exact");
  for (const name of loose) {
    const summary = comparatorNamed(name)?.summary;
    if (summary !== undefined)
      lines.push(
        `Differences that ${name} passes over. Equal to it are: ${summary[0]!.toLowerCase()}${summary.slice(1)}`,
      );
  }
  return lines;
}

const verifierBlindSpots = (): string[] => [
  "Whatever its program does not look at.",
  "What else the call changed or made, and what changes after the check.",
  "A call that reports an error: nothing was claimed, so nothing is checked.",
];

function budget(tool: ToolContract): string[] {
  const limit = checkLimitMs(tool);
  const lines = [
    `In enforce mode the answer waits for the check, at most ${limit} ms; no other message does. In shadow mode nothing waits.`,
  ];
  const { readback, verifier } = tool;
  if (readback !== undefined) {
    const { attempts, intervalMs, settleMs } = readback;
    lines.push(attempts === 1 ? "One read." : `Up to ${attempts} reads, ${intervalMs} ms apart.`);
    if (settleMs > 0) lines.push(`Nothing but the expected record counts before ${settleMs} ms have passed.`);
  }
  if (verifier !== undefined && verifier.prewarm > 0)
    lines.push(`${verifier.prewarm} processes of the verifier wait ahead.`);
  return lines;
}

function worst({ recovery, verifier, readback }: ToolContract): string[] {
  const said = {
    stop: "the agent stops although its write was made",
    retry_once: "the agent makes the write a second time although it was made",
    ask_user: "the agent asks its user about a write that was made",
  }[recovery];
  const leak = verifier
    ? "The fields above go to its program, and from there wherever that sends them."
    : `The fields above go to ${destination(readback!)}.`;
  return [
    `It says FAIL where all is well: in enforce mode ${said}.`,
    "It says PASS where nothing was written: then all is as without fourgate.",
    leak,
    verifier || readback?.source.type === "mcp"
      ? "Whatever its program does beside deciding: it runs with the rights of whoever starts fourgate."
      : "It reads, and changes no record.",
  ];
}

function destination({ source }: Readback): string {
  switch (source.type) {
    case "http":
    case "graphql":
      return source.url.origin;
    case "mcp":
      return `the program ${source.command[0]}, and from there wherever that sends them`;
    case "sql":
      return source.database.type === "sqlite"
        ? "a file on this machine alone"
        : `the database that ${source.database.dsnEnv} names, wherever that is`;
    case "file":
      return "this machine alone";
  }
}
