// `fourgate summary`: what the outcome logs say, as text, as JSON and as a page.

import { constants } from "node:os";
import { resolve } from "node:path";
import { type Read, summaryDocument } from "../core/summary/document.ts";
import type { Period } from "../core/summary/period.ts";
import { writeReportFile } from "../io/report-file.ts";
import { catchStopSignals } from "../io/signals.ts";
import { openStderr, type StderrWriter } from "../io/stderr.ts";
import { summaryJson, summaryPage, summaryText } from "../report/index.ts";
import { type Exit, exitWith } from "./exit.ts";
import { Collector } from "./summary/collect.ts";
import { follow } from "./summary/follow.ts";
import { pageProblem } from "./summary/page-place.ts";
import { readLog, sameLog, sizeOf } from "./summary/sources.ts";
import { version } from "./version.ts";

export interface SummaryOptions {
  /** Paths; `-` is stdin. */
  readonly logs: readonly string[];
  /** Where the page goes; undefined for none. */
  readonly out: string | undefined;
  readonly json: boolean;
  readonly follow: boolean;
  readonly period: Period;
  readonly compare: boolean;
  readonly failOn: "fail" | "unknown" | undefined;
}

/** Reads the logs and tells. Never rejects for what stands in a log or what a disk does. */
export async function summary(options: SummaryOptions): Promise<Exit> {
  const stderr = openStderr();
  try {
    return await summarized(options, stderr);
  } finally {
    await stderr.close();
  }
}

async function summarized(options: SummaryOptions, stderr: StderrWriter): Promise<Exit> {
  const refuse = (...problems: string[]): Exit => {
    for (const problem of problems) stderr.note(`fourgate summary: error: ${problem}`);
    return exitWith(2);
  };
  const { out } = options;
  const twice = await sameLog(options.logs);
  if (twice) return refuse(`${twice.join(" and ")} are the same log, which would be counted twice`);
  const unfit = out === undefined ? undefined : await pageProblem(out, options.logs);
  if (unfit !== undefined) return refuse(unfit);
  let stdoutGone: string | undefined;
  const stop = new AbortController();
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    stdoutGone ??= error.code ?? "unknown error";
    stop.abort();
  });
  let signal: NodeJS.Signals | undefined;
  catchStopSignals().listen((told) => {
    signal ??= told;
    stop.abort();
  });
  const collector = new Collector(options);
  const problems = options.follow
    ? await follow({ ...options, collector, stop: stop.signal, note: (text) => stderr.note(text) })
    : await readAll(options.logs, collector, stop.signal);
  const read = collector.result();
  const stopped = signal === undefined ? undefined : { code: 128 + (constants.signals[signal] ?? 1), now: true };
  if (problems.length > 0) return refuse(...problems);
  if (stopped && !options.follow) return stopped;
  if (read.figures.calls === 0 && stopped === undefined) return refuse(nothing(read));
  if (read.figures.calls > 0) {
    if (!options.follow) tell(read, options);
    if (out !== undefined) {
      const problem = await writeReportFile(resolve(out), summaryPage(read, { version, nowMs: Date.now() }));
      if (problem !== undefined) return refuse(`the page ${out} cannot be written: ${problem}`);
      stderr.note(`fourgate summary: page: ${out}`);
    }
  }
  await flushed();
  if (stopped) return stopped;
  // A reader that has gone knows that it has gone; a full disk is not its doing.
  if (stdoutGone !== undefined && stdoutGone !== "EPIPE") return refuse(`stdout cannot be written: ${stdoutGone}`);
  return exitWith(isTrouble(read, options.failOn) ? 1 : 0);
}

async function readAll(logs: readonly string[], collector: Collector, stop: AbortSignal): Promise<string[]> {
  const problems: string[] = [];
  const progress = progressOn(process.stderr, await sizeOf(logs));
  for (const log of logs) {
    const problem = await readLog(log, (line) => collector.line(line), progress.add, stop);
    if (problem !== undefined) problems.push(`${log === "-" ? "stdin" : log} cannot be read: ${problem}`);
  }
  progress.done();
  return problems;
}

function tell(read: Read, { json }: SummaryOptions): void {
  const { stdout } = process;
  if (json) stdout.write(summaryJson(summaryDocument(read, Date.now())));
  else stdout.write(summaryText(read, stdout.isTTY === true && !process.env.NO_COLOR));
}

function nothing({ skippedLines, outsidePeriod }: Read): string {
  if (outsidePeriod > 0) return `no record lies in the period, ${outsidePeriod} lie outside it`;
  return skippedLines > 0 ? `there is no record: ${skippedLines} lines are something else` : "there is no record";
}

const isTrouble = ({ figures }: Read, failOn: SummaryOptions["failOn"]): boolean =>
  (failOn !== undefined && figures.totals.fail > 0) || (failOn === "unknown" && figures.totals.unknown > 0);

function flushed(): Promise<void> {
  const { stdout } = process;
  return new Promise((done) => {
    stdout.once("error", () => done());
    stdout.once("close", () => done());
    stdout.write("", () => done());
  });
}

/** How far the reading is, on a terminal, once it has taken a while. */
function progressOn(stream: NodeJS.WriteStream, total: number) {
  const begin = performance.now();
  let shownAt = begin + 500;
  let count = 0;
  let shown = false;
  const mib = (bytes: number) => Math.round(bytes / (1 << 20));
  return {
    add(bytes: number): void {
      count += bytes;
      if (!stream.isTTY || performance.now() < shownAt) return;
      shownAt = performance.now() + 200;
      shown = true;
      stream.write(`\r\x1b[Kreading: ${mib(count)}${total > count ? ` of ${mib(total)}` : ""} MiB`);
    },
    done(): void {
      if (shown) stream.write("\r\x1b[K");
    },
  };
}
