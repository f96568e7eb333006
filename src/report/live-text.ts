// The text report while the scan runs: each case as it ends, and on a terminal a bar under them that keeps time.

import { showLine } from "./characters.ts";
import { BAR_CHARACTERS, BAR_INTERVAL_MS, DEFAULT_COLUMNS, MAX_LINE_UNITS } from "./limits.ts";
import type { CaseReport, LiveReporter, ScanReport } from "./model.ts";
import { caseText, closingText } from "./text.ts";
import { fitted } from "./width.ts";
import { troubleOf } from "./words.ts";

export interface LiveOptions {
  readonly isTerminal: boolean;
  readonly color: boolean;
  /** Milliseconds that only grow. */
  readonly now: () => number;
  /** The terminal's width, asked for at each drawing, since windows change; 0 and undefined stand for 80. */
  readonly columns: number | undefined | (() => number | undefined);
  /** Calls again and again until stopped. */
  readonly every?: (ms: number, call: () => void) => { stop(): void };
}

/** Writes progress to a stream. Elsewhere than on a terminal it writes only what is kept: no bar, nothing is taken back. */
export function createLiveText(stream: { write(text: string): unknown }, options: LiveOptions): LiveReporter {
  const { isTerminal, color, now, every = interval } = options;
  const began = now();
  let total = 0;
  let done = 0;
  let trouble = 0;
  let running = "";
  let timer: { stop(): void } | undefined;

  const bar = (): string => {
    const { columns } = options;
    const width = (typeof columns === "function" ? columns() : columns) || DEFAULT_COLUMNS;
    const filled = total === 0 ? 0 : Math.min(BAR_CHARACTERS, Math.floor((done / total) * BAR_CHARACTERS));
    const track = `[${"=".repeat(filled)}${" ".repeat(BAR_CHARACTERS - filled)}]`;
    const off = trouble === 0 ? "" : `  ${trouble} not as expected`;
    const words = `${track} ${done}/${total}  ${clock(now() - began)}${off}  ${running}`;
    // The last column stays free: some terminals break the line there.
    return fitted(words, width - 1);
  };
  const erase = isTerminal ? "\r\x1b[2K" : "";
  const show = (kept = ""): void => {
    if (isTerminal) stream.write(`${erase}${kept}${bar()}`);
    else if (kept !== "") stream.write(kept);
  };

  return {
    started(cases) {
      total = cases;
      if (!isTerminal) return;
      show();
      timer = every(BAR_INTERVAL_MS, () => show());
    },
    caseStarted(_index, name) {
      running = showLine(name, MAX_LINE_UNITS);
      show();
    },
    caseDone(one: CaseReport) {
      done += 1;
      if (troubleOf(one) !== undefined) trouble += 1;
      running = "";
      show(caseText(one, color));
    },
    finished(report: ScanReport) {
      timer?.stop();
      stream.write(`${erase}${closingText(report, color)}`);
    },
  };
}

/** Minutes and seconds. */
function clock(ms: number): string {
  const whole = Math.max(0, Math.floor(ms / 1000));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** A timer that keeps no process alive. */
function interval(ms: number, call: () => void): { stop(): void } {
  const timer = setInterval(call, ms);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
