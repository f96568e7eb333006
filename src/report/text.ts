// The report for a terminal or a log: one line a case, what went wrong under it, and the counts in the last line.

import { showLine } from "./characters.ts";
import { MAX_LINE_UNITS, MAX_VALUE_UNITS } from "./limits.ts";
import type { CaseReport, Reporter, ScanReport } from "./model.ts";
import { counted, countsLine, durationText, reasonWords, statusWord, stoppedSentence, troubleOf } from "./words.ts";

export const text: Reporter = {
  name: "text",
  file: "fourgate-report.txt",
  write: (report, { color }) =>
    `${report.cases.map((one) => caseText(one, color)).join("")}${closingText(report, color)}`,
};

// A CI service takes commands from the beginning of a line, blanks skipped: so none begins with a text of others.
const INDENT = "       | ";

/** One case: a line, and more lines where it is not as it should be. */
export function caseText(one: CaseReport, color: boolean): string {
  const trouble = troubleOf(one);
  const paint = painter(color);
  const status = statusWord(one).padEnd(8);
  const coloured =
    trouble === "failure" ? paint.red(status) : trouble === "error" ? paint.yellow(status) : paint.green(status);
  const note = one.expected === "fail" && one.status === "fail" && one.as_expected ? " (as expected)" : "";
  const lines = [`${coloured} ${line(one.name)}${note}  ${paint.dim(durationText(one.duration_ms))}`];
  if (trouble !== undefined) lines.push(...details(one).map((detail) => `${INDENT}${detail}`));
  if (one.cleanup?.status === "failed") lines.push(`${INDENT}clean-up failed: ${line(one.cleanup.reason_code)}`);
  return `${lines.join("\n")}\n`;
}

function details(one: CaseReport): string[] {
  const { file, line: row, column } = one.place;
  const wrong =
    one.status === "pass"
      ? "PASS, but FAIL was expected"
      : `${line(one.reason_code)}: ${reasonWords(one.reason_code).meaning}`;
  return [
    wrong,
    `${line(file)}:${row}:${column}  ${one.tool === null ? "before the cases" : line(one.tool)}, ${counted(one.attempts, "read", "reads")}`,
    ...one.mismatched_fields.map(
      ({ path, expected, observed }) => `${line(path)}: expected ${value(expected)}, observed ${value(observed)}`,
    ),
    ...(one.repro_steps ?? []).map((step, at) => `${at + 1}. ${value(step)}`),
  ];
}

/** What is said once all cases are done; its last line has the counts. */
export function closingText(report: ScanReport, color: boolean): string {
  const paint = painter(color);
  const lines = report.leftovers.map(
    ({ tool, case: index, id }) => `Left behind by case ${index}: ${line(tool)} ${line(id)}`,
  );
  const stopped = stoppedSentence(report);
  if (stopped !== undefined) lines.push(line(stopped));
  const enough = Math.max(1, report.min_verified ?? 1);
  const good = report.totals.as_expected === report.totals.cases && report.totals.pass + report.totals.fail >= enough;
  const counts = countsLine(report);
  return `\n${[...lines, good ? paint.green(counts) : paint.red(counts)].join("\n")}\n`;
}

// The older form of a command, "##[name]", is taken anywhere in a line.
const line = (given: string): string => showLine(given, MAX_LINE_UNITS).replaceAll("##[", "## [");
const value = (given: string): string => showLine(given, MAX_VALUE_UNITS).replaceAll("##[", "## [");

/** Colours, or none. */
export function painter(on: boolean) {
  const paint = (code: string) => (given: string) => (on ? `\x1b[${code}m${given}\x1b[0m` : given);
  return { red: paint("31"), green: paint("32"), yellow: paint("33"), dim: paint("2") };
}
