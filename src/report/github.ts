// Annotations for GitHub Actions, as workflow commands on stdout. The job summary is the markdown report, cut to what GitHub takes.

import { showLine, showText } from "./characters.ts";
import { MAX_ANNOTATION_UNITS, MAX_ANNOTATIONS, MAX_LINE_UNITS, MAX_VALUE_UNITS } from "./limits.ts";
import { markdown } from "./markdown.ts";
import type { CaseReport, ReportContext, Reporter, ScanReport } from "./model.ts";
import { sourcePath } from "./source-path.ts";
import {
  counted,
  countsLine,
  position,
  reasonWords,
  resultWords,
  stoppedSentence,
  troubleOf,
  verifiedCases,
} from "./words.ts";

export const github: Reporter = {
  name: "github",
  file: "fourgate-report.github.txt",
  write(report, context) {
    const troubles = report.cases.filter((one) => troubleOf(one) !== undefined);
    const failedCleanups = report.cases.filter((one) => one.cleanup?.status === "failed");
    return [
      ...troubles.slice(0, MAX_ANNOTATIONS).map((one) => caseCommand(one, context)),
      ...failedCleanups.slice(0, MAX_ANNOTATIONS).map((one) => cleanupCommand(one, context)),
      ...closing(report, troubles.length - MAX_ANNOTATIONS),
      "",
    ].join("\n");
  },
};

/** What goes to the end of the file that GITHUB_STEP_SUMMARY names. */
export function githubSummary(report: ScanReport, context: ReportContext): string {
  return markdown.write(report, context);
}

function caseCommand(one: CaseReport, context: ReportContext): string {
  const reads = one.mismatched_fields.map(
    ({ path, expected, observed }) => `${line(path)}: expected ${value(expected)}, observed ${value(observed)}`,
  );
  const text = [`${line(one.name)}: ${reasonWords(one.reason_code).meaning}`, ...reads].join("\n");
  const title = `${resultWords(one)}: ${line(one.reason_code)}`;
  return command(troubleOf(one) === "failure" ? "error" : "warning", { ...place(one, context), title }, text);
}

function cleanupCommand(one: CaseReport, context: ReportContext): string {
  const text = `${line(one.name)}: clean-up failed (${line(one.cleanup?.reason_code ?? "")})`;
  return command("warning", { ...place(one, context), title: "Clean-up failed" }, text);
}

function closing(report: ScanReport, more: number): string[] {
  const stopped = stoppedSentence(report);
  const left = counted(report.leftovers.length, "record that this run created is", "records that this run created are");
  const told: [level: string, title: string, message: string][] = [];
  if (report.leftovers.length > 0) told.push(["warning", "Left behind", `${left} still there.`]);
  if (stopped !== undefined) told.push(["warning", "Stopped", line(stopped)]);
  if (more > 0)
    told.push(["warning", "fourgate scan", `${counted(more, "more case is", "more cases are")} in the report.`]);
  told.push([verifiedCases(report.totals) === 0 ? "error" : "notice", "fourgate scan", countsLine(report)]);
  return told.map(([level, title, message]) => command(level, { title }, message));
}

function place(one: CaseReport, context: ReportContext): Record<string, string> {
  const { file, line: row, column } = one.place;
  return { file: sourcePath(file, context), line: String(position(row)), col: String(position(column)) };
}

/** `::error file=a.jsonc,line=3::words`, escaped as the runner reads it. */
function command(name: string, properties: Readonly<Record<string, string>>, message: string): string {
  const told = Object.entries(properties).map(([key, given]) => `${key}=${property(given)}`);
  return `::${name} ${told.join(",")}::${data(message)}`;
}

// The runner also takes the older form `##[command]` from anywhere in a line.
const data = (text: string): string =>
  showText(text, MAX_ANNOTATION_UNITS).replaceAll("##[", "## [").replaceAll("%", "%25").replaceAll("\n", "%0A");
const property = (text: string): string => data(line(text)).replaceAll(":", "%3A").replaceAll(",", "%2C");

const line = (text: string): string => showLine(text, MAX_LINE_UNITS);
const value = (text: string): string => showLine(text, MAX_VALUE_UNITS);
