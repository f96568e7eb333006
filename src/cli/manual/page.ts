// The manual page, in the man macros of roff: from the option tables, and the words of --help.

import type { OptionTable } from "../options.ts";
import type { Page } from "../pages.ts";
import { helpParts } from "./parts.ts";

/** The page fourgate(1). It carries no date, so that the same sources give the same bytes. */
export function manualPage(pages: readonly Page[], version: string): string {
  return `${[
    '.\\" Made by scripts/generate.mjs from the option tables in src/cli; do not edit.',
    `.TH FOURGATE 1 "" "fourgate ${version}" "User Commands"`,
    ".nh",
    ".ad l",
    ".SH NAME",
    "fourgate \\- checks that a write an MCP tool reported as done really happened",
    ".SH SYNOPSIS",
    ...pages
      .flatMap(({ help }) => helpParts(help).usage)
      .flatMap((usage, at) => [...(at > 0 ? [".br"] : []), text(usage)]),
    ".SH DESCRIPTION",
    text(
      "fourgate stands between an MCP client and one MCP server and passes every byte on. After a protected tool reports success it reads " +
        "the system of record itself, with a credential that the server never sees. The answer is PASS, FAIL or UNKNOWN; no model decides it.",
    ),
    ".PP",
    text(
      "In shadow mode it only writes a log; in enforce mode it also puts a confirmed FAIL in front of the tool's answer. If it cannot tell, " +
        "or fails itself, the answer goes on untouched.",
    ),
    ".SH COMMANDS",
    ...pages.flatMap(command),
    ".SH OPTIONS",
    ...term("\\fB\\-h\\fR, \\fB\\-\\-help\\fR", "What the commands are; behind a command, all that it takes."),
    ...term("\\fB\\-V\\fR, \\fB\\-\\-version\\fR", "The version."),
    ".SH ENVIRONMENT",
    ...term(
      "\\fBNO_COLOR\\fR",
      "Where it is set and not empty, nothing is coloured; elsewhere only what goes to a terminal is.",
    ),
    text("Credentials and what a check needs besides are in the variables that a contract names."),
    ".SH SEE ALSO",
    text(
      "The pages in docs/ of the package, from docs/quick-start.md on; contracts/README.md for the contracts that are ready.",
    ),
  ].join("\n")}\n`;
}

function command(page: Page): string[] {
  const { usage, notes, exit, examples } = helpParts(page.help);
  return [
    `.SS "fourgate ${text(page.name)}"`,
    text(page.summary),
    ".PP",
    ...usage.flatMap((line, at) => [...(at > 0 ? [".br"] : []), `\\fB${text(line)}\\fR`]),
    ...options(page.options),
    ...notes.flatMap((note) => [".PP", text(note)]),
    ...(exit ? [".PP", text(`Exit status: ${exit}`)] : []),
    ".PP",
    "For example:",
    ".PP",
    ".RS 4",
    ".nf",
    ...examples.map(text),
    ".fi",
    ".RE",
  ];
}

function options(table: OptionTable): string[] {
  return Object.entries(table).flatMap(([name, { value, help }]) => {
    const flag = `\\fB${text(`--${name}`)}\\fR`;
    return term(value ? `${flag} \\fI${text(value)}\\fR` : flag, help);
  });
}

const term = (what: string, meaning: string): string[] => [".TP", what, text(meaning)];

const ESCAPES: Readonly<Record<string, string>> = {
  "\\": "\\e",
  "-": "\\-",
  "'": "\\(aq",
  "`": "\\(ga",
  "^": "\\(ha",
  "~": "\\(ti",
};
/** One line as roff shows it letter for letter: what is typed can be copied. */
const text = (line: string): string => line.replace(/[\\\-'`^~]/g, (sign) => ESCAPES[sign]!).replace(/^\./, "\\&.");
