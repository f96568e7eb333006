// The command line of `fourgate scan`.

import { reporters } from "../report/index.ts";
import { type Exit, exitWith } from "../run/exit.ts";
import { type ScanOptions, scan } from "../run/scan.ts";
import { type OptionTable, optionHelp, parseOptions } from "./options.ts";

export const scanOptions: OptionTable = {
  "confirm-test-account": { value: "LABEL", help: "the file's server.test_account, said once more; required" },
  "report-dir": { value: "DIR", help: "write fourgate-report.json and .html there, and other reporters' files" },
  reporter: {
    value: "NAME[=FILE]",
    many: true,
    words: reporters.map(({ name }) => name),
    help: "text (default), json, html, junit, sarif, github or markdown; to stdout, the folder, or FILE",
  },
  only: { value: "TOOL", help: "only the cases that call this tool" },
  json: { help: "the same as --reporter json" },
  "show-values": { help: "show expected and observed values, arguments and answers; secrets never" },
  "unknown-exit-code": { value: "N", help: "exit status for doubt, 1 or 3 to 125 (default 1)" },
  "min-verified": { value: "N", help: "how many cases must be decided, PASS or FAIL (default 1)" },
  help: { help: "this text" },
};

export const scanHelp = `fourgate scan: make the calls of a scan file on a test account, and prove what each did

Usage: fourgate scan SCAN --confirm-test-account LABEL [options]

${optionHelp(scanOptions)}

SCAN is JSON, JSONC or YAML (docs/scan.md). The calls write for real: name an account where that does no harm.
Exit status: 0 every case as expected and at least one verified, 1 any FAIL or UNKNOWN, 2 usage or configuration, 128+n a signal.

Examples:
  fourgate scan scan.jsonc --confirm-test-account disposable-repository
  fourgate scan scan.jsonc --confirm-test-account qa --report-dir reports --reporter junit --unknown-exit-code 3
`;

/** Runs the command; gives how it ended. */
export async function scanCommand(argv: readonly string[]): Promise<Exit> {
  const read = readScanOptions(argv);
  if (read === "help") {
    process.stdout.write(scanHelp);
    return exitWith(0);
  }
  if (typeof read === "string") {
    process.stderr.write(`fourgate scan: error: ${read}\n`);
    return exitWith(2);
  }
  return scan(read);
}

/** The options, `help`, or one sentence that says what is wrong with the arguments. */
export function readScanOptions(argv: readonly string[]): ScanOptions | string {
  const parsed = parseOptions(argv, scanOptions);
  if (!parsed.ok) return parsed.problem;
  const { values, lists, positionals } = parsed;
  if (values.has("help")) return "help";
  const [file, ...more] = positionals;
  if (!file) return "no SCAN: name a scan file";
  if (more.length > 0) return "more than one SCAN; name one";
  const testAccount = values.get("confirm-test-account");
  if (!testAccount) return "--confirm-test-account LABEL is missing: it says that the calls may write there";
  const reportDir = values.get("report-dir");
  if (reportDir === "") return "--report-dir takes a folder";
  const unknownExitCode = wholeNumber(values.get("unknown-exit-code") ?? "1");
  if (unknownExitCode === undefined || unknownExitCode < 1 || unknownExitCode === 2 || unknownExitCode > 125) {
    return "--unknown-exit-code takes 1, or a whole number from 3 to 125: doubt is never success, and 2 means configuration";
  }
  const minVerified = wholeNumber(values.get("min-verified") ?? "1");
  if (minVerified === undefined || minVerified < 1) return "--min-verified takes a whole number, 1 or more";
  const reporters = [...(lists.get("reporter") ?? []), ...(values.has("json") ? ["json"] : [])].map((text) => {
    const at = text.indexOf("=");
    return at < 0 ? { name: text, file: undefined } : { name: text.slice(0, at), file: text.slice(at + 1) };
  });
  if (reporters.some((one) => one.file === "")) return "--reporter NAME=FILE needs a file after the =";
  return {
    file,
    testAccount,
    reportDir,
    reporters,
    only: values.get("only"),
    showValues: values.has("show-values"),
    unknownExitCode,
    minVerified,
  };
}

function wholeNumber(text: string): number | undefined {
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
