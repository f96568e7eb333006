// Where the reports go: one format on stdout, any of them into files.

import { join, resolve } from "node:path";
import { appendReport, prepareReportFile, writeReportFile } from "../../io/report-file.ts";
import { sameFile } from "../../io/same-file.ts";
import { githubSummary, reporters } from "../../report/index.ts";
import type { ReportContext, Reporter, ScanReport } from "../../report/model.ts";

/** A reporter as it was asked for; without a file it goes to the report folder, or else to stdout. */
export interface AskedReporter {
  readonly name: string;
  readonly file: string | undefined;
}

export interface Outputs {
  readonly stdout: Reporter;
  readonly files: readonly { readonly path: string; readonly reporter: Reporter }[];
}

/** What a report folder holds in any case. */
const ALWAYS = ["json", "html"];

const named = (name: string): Reporter | undefined => reporters.find((reporter) => reporter.name === name);

/** Sorts out what goes where, or says in one sentence why it cannot. */
export function planOutputs(asked: readonly AskedReporter[], reportDir: string | undefined): Outputs | string {
  const files: { path: string; reporter: Reporter }[] = [];
  let stdout: Reporter | undefined;
  const addFile = (path: string, reporter: Reporter): void => {
    if (!files.some((one) => one.path === path && one.reporter === reporter)) files.push({ path, reporter });
  };
  if (reportDir !== undefined) {
    for (const name of ALWAYS) addFile(resolve(reportDir, named(name)!.file), named(name)!);
  }
  for (const { name, file } of asked) {
    const reporter = named(name);
    if (reporter === undefined) {
      return `there is no reporter of that name; there are ${reporters.map((one) => one.name).join(", ")}`;
    }
    // Commands and progress are read off stdout; everything else is a document and belongs into the folder, if there is one.
    const belongsToStdout = name === "text" || name === "github";
    if (file !== undefined) addFile(resolve(file), reporter);
    else if (reportDir !== undefined && !belongsToStdout) addFile(resolve(join(reportDir, reporter.file)), reporter);
    else if (stdout === undefined || stdout === reporter) stdout = reporter;
    else return `only one reporter can go to stdout; give ${name} a file, as in --reporter ${name}=FILE`;
  }
  const paths = files.map(({ path }) => path);
  if (new Set(paths).size < paths.length) return "two reporters have the same file; give each its own";
  return { stdout: stdout ?? named("text")!, files };
}

/** Makes sure, as far as that can be known, that all files can be written, and that none is one of `inputs`. Gives what is wrong. */
export async function prepareOutputs({ files }: Outputs, inputs: readonly string[]): Promise<string | undefined> {
  for (const { path } of files) {
    if (inputs.some((input) => sameFile(input, path))) {
      return `the report ${path} would replace the scan file or its contracts; give it another file`;
    }
    const problem = await prepareReportFile(path);
    if (problem !== undefined) return `the report ${path} cannot be written: ${problem}`;
  }
  return undefined;
}

/** Writes all files, and the job summary of GitHub Actions where its commands go to stdout. Gives what went wrong. */
export async function writeOutputs(
  { files, stdout }: Outputs,
  report: ScanReport,
  context: ReportContext,
): Promise<string[]> {
  const problems: string[] = [];
  for (const { path, reporter } of files) {
    const problem = await writeReportFile(path, reporter.write(report, { ...context, color: false }));
    if (problem !== undefined) problems.push(`the report ${path} cannot be written: ${problem}`);
  }
  const summary = stdout.name === "github" ? context.env.GITHUB_STEP_SUMMARY : undefined;
  if (summary) {
    const problem = await appendReport(summary, githubSummary(report, { ...context, color: false }));
    if (problem !== undefined) problems.push(`the job summary cannot be written: ${problem}`);
  }
  return problems;
}

/** The commands that make GitHub Actions blank what was derived from secrets; it knows only the secrets themselves. */
export function maskCommands(masks: readonly string[]): string {
  return masks
    .map((mask) => mask.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A"))
    .map((mask) => `::add-mask::${mask}\n`)
    .join("");
}
