// `fourgate scan`: makes the calls of a scan file on a test account and proves what each of them did.

import { randomBytes } from "node:crypto";
import { constants } from "node:os";
import { formatIssue } from "../core/contract/issue.ts";
import { SCAN_SERVER_STDERR_CHARACTERS } from "../core/limits.ts";
import { createRedactor, type Redactor } from "../core/redact/redactor.ts";
import { blanking } from "../core/redact/search.ts";
import { textsIn } from "../core/redact/texts.ts";
import { fillCaseArguments } from "../core/scan/arguments.ts";
import { scanExitStatus } from "../core/scan/exit-status.ts";
import type { Scan } from "../core/scan/types.ts";
import type { Environment } from "../io/environment.ts";
import { gatherSecrets } from "../io/secrets.ts";
import { catchStopSignals } from "../io/signals.ts";
import { openStderr, type StderrWriter } from "../io/stderr.ts";
import { createLiveText } from "../report/index.ts";
import type { LiveReporter, ScanReport, ServerNamed } from "../report/model.ts";
import { type Exit, exitWith } from "./exit.ts";
import { printable } from "./guard/banner.ts";
import { missingDrivers } from "./guard/drivers.ts";
import { loadScan } from "./load-scan.ts";
import { type CasesRun, runCases } from "./scan/cases.ts";
import {
  type AskedReporter,
  maskCommands,
  type Outputs,
  planOutputs,
  prepareOutputs,
  writeOutputs,
} from "./scan/outputs.ts";
import { quoted } from "./scan/repro.ts";
import { withheldNames } from "./scan/server.ts";
import { version } from "./version.ts";

export interface ScanOptions {
  readonly file: string;
  /** What the user says is written to; must be the file's own word. */
  readonly testAccount: string;
  readonly reportDir: string | undefined;
  readonly reporters: readonly AskedReporter[];
  /** Only cases that call this tool. */
  readonly only: string | undefined;
  readonly showValues: boolean;
  readonly unknownExitCode: number;
  readonly minVerified: number;
}

/** Runs a scan to its end. Never rejects for a user's or a server's mistake. */
export async function scan(options: ScanOptions): Promise<Exit> {
  const stderr = openStderr();
  // Whatever is waited for below, the wait itself keeps the process.
  const alive = setInterval(() => {}, 1 << 30);
  try {
    return await scanned(options, stderr);
  } finally {
    await stderr.close();
    clearInterval(alive);
  }
}

async function scanned(options: ScanOptions, stderr: StderrWriter): Promise<Exit> {
  const refuse = (problem: string): Exit => {
    stderr.note(`fourgate scan: error: ${problem}`);
    return exitWith(2);
  };
  const loaded = await loadScan(options.file);
  if (!loaded.ok) {
    for (const issue of loaded.issues) stderr.note(`fourgate scan: contract error: ${formatIssue(issue)}`);
    return exitWith(2);
  }
  const { scan } = loaded;
  if (options.testAccount !== scan.server.testAccount) {
    return refuse("--confirm-test-account is not the file's server.test_account; nothing was started");
  }
  const cases = scan.cases.filter(({ tool }) => options.only === undefined || tool === options.only);
  if (cases.length === 0) return refuse("--only names a tool that no case calls; nothing was started");
  const drivers = await missingDrivers({ tools: contractsByName(scan) });
  if (drivers[0] !== undefined) return refuse(drivers[0]);
  const outputs = planOutputs(options.reporters, options.reportDir);
  if (typeof outputs === "string") return refuse(outputs);
  const unwritable = await prepareOutputs(outputs, [scan.file, ...(scan.contracts ? [scan.contracts.file] : [])]);
  if (unwritable !== undefined) return refuse(unwritable);
  const sources = scan.contracts?.secrets;
  const secrets = await gatherSecrets(sources ?? new Map(), process.env);
  if (!secrets.ok) {
    for (const problem of secrets.problems) stderr.note(`fourgate scan: error: ${problem}`);
    return exitWith(2);
  }
  return runScan(options, scan, outputs, stderr, cases, { ...process.env, ...secrets.values });
}

async function runScan(
  options: ScanOptions,
  scan: Scan,
  outputs: Outputs,
  stderr: StderrWriter,
  cases: Scan["cases"],
  environment: Environment,
): Promise<Exit> {
  const begin = performance.now();
  const redactor = createRedactor(environment, withheldNames(scan));
  const { stdout } = process;
  let stdoutProblem: string | undefined;
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    stdoutProblem ??= error.code ?? "unknown error";
  });
  const isTerminal = stdout.isTTY === true;
  const color = isTerminal && !process.env.NO_COLOR;
  if (outputs.stdout.name === "github" && process.env.GITHUB_ACTIONS === "true") {
    stdout.write(maskCommands(redactor.masks));
  }
  const live: LiveReporter | undefined =
    outputs.stdout.name === "text"
      ? createLiveText(stdout, { isTerminal, color, now: () => performance.now(), columns: () => stdout.columns })
      : undefined;
  live?.started(cases.length);
  const runId = newRunId();
  const signals = catchStopSignals();
  const run = await runCases({
    scan,
    cases,
    file: options.file,
    again: (tool) => commandFor(options, tool),
    runId,
    showValues: options.showValues,
    redactor,
    environment,
    signals,
    live,
  });
  const count = (holds: (one: ScanReport["cases"][number]) => boolean) => run.cases.filter(holds).length;
  const made = count(({ tool }) => tool !== null);
  const report: ScanReport = {
    scan_version: 1,
    report_version: 1,
    generated_at_utc: new Date().toISOString(),
    fourgate: version,
    scan_file: options.file,
    test_account: redactor.text(scan.server.testAccount),
    run_id: runId,
    server: options.showValues ? run.server : withoutArguments(run.server, cases, runId),
    duration_ms: Math.round(performance.now() - begin),
    totals: {
      cases: cases.length,
      pass: count(({ status }) => status === "pass"),
      fail: count(({ status }) => status === "fail"),
      unknown: count(({ status }) => status === "unknown"),
      as_expected: count(({ as_expected }) => as_expected),
      not_run: cases.length - made,
    },
    cases: run.cases,
    leftovers: run.leftovers,
    stopped: run.stopped,
    min_verified: options.minVerified,
  };
  noteServer(run, options.showValues, redactor, stderr);
  const context = { color, env: process.env, cwd: process.cwd() };
  const problems = await writeOutputs(outputs, report, context);
  if (live !== undefined) live.finished(report);
  else stdout.write(outputs.stdout.write(report, context));
  // A reader that takes nothing must not keep a scan that is told to stop.
  const told = new Promise<NodeJS.Signals>((resolve) => signals.listen(resolve));
  const signal = (await Promise.race([flushed(stdout), told])) ?? run.signal;
  if (stdoutProblem !== undefined) {
    // A reader that has gone knows that it has gone.
    if (stdoutProblem !== "EPIPE") problems.push(`the report on stdout cannot be written: ${stdoutProblem}`);
  }
  for (const problem of problems) stderr.note(`fourgate scan: error: ${problem}`);
  if (problems.length === 0) {
    for (const { path } of outputs.files) stderr.note(`fourgate scan: report: ${path}`);
  }
  return { code: exitCode(), now: true };

  function exitCode(): number {
    if (problems.length > 0 || stdoutProblem !== undefined) return 2;
    if (signal !== undefined) return 128 + (constants.signals[signal] ?? 1);
    return scanExitStatus(run.cases, report.totals.not_run, options);
  }
}

function contractsByName({ cases }: Scan) {
  return new Map(
    cases.flatMap((one) => [one.contract, one.cleanup?.contract ?? one.contract]).map((c, i) => [`${i}`, c]),
  );
}

/** Letters and digits, beginning with a letter, so that it can be part of any name. */
function newRunId(): string {
  return `fg${randomBytes(7).toString("hex")}`;
}

function commandFor({ file, testAccount }: ScanOptions, tool: string): string {
  return ["fourgate", "scan", file, "--confirm-test-account", testAccount, "--only", tool].map(quoted).join(" ");
}

/**
 * What a server that failed said on stderr may hold arguments, so by default only how much it was. With values: the end of it, one
 * line each, nothing secret and nothing that moves a cursor. The system's word for a program that did not start is always said.
 */
function noteServer(run: CasesRun, showValues: boolean, redactor: Redactor, stderr: StderrWriter): void {
  const lines = run.stderr.split("\n").filter((line) => line.trim() !== "");
  if (lines.length === 0) return;
  if (!showValues && run.stopped?.reason_code !== "server_not_started") {
    const many = lines.length === 1 ? "1 line" : `${lines.length} lines`;
    stderr.note(`fourgate scan: server: its stderr ended with ${many}; --show-values shows the end of it`);
    return;
  }
  const shown = redactor.text(run.stderr).slice(-SCAN_SERVER_STDERR_CHARACTERS).trimEnd().split("\n");
  for (const line of shown) if (line !== "") stderr.note(`fourgate scan: server: ${printable(line)}`);
}

/** The server's name for itself, in which a server that was called may have put what it was given. */
function withoutArguments(server: ServerNamed, cases: Scan["cases"], runId: string): ServerNamed {
  const blank = blanking(cases.flatMap((one) => textsIn(fillCaseArguments(one.arguments, runId))));
  const shown = (text: string | null) => (text === null ? null : blank(text));
  return { ...server, name: shown(server.name), version: shown(server.version) };
}

/** Settles when all that was written is with the system, or can no longer get there. */
function flushed(stream: NodeJS.WriteStream): Promise<undefined> {
  return new Promise((resolve) => {
    stream.once("close", () => resolve(undefined));
    stream.once("error", () => resolve(undefined));
    stream.write("", () => resolve(undefined));
  });
}
