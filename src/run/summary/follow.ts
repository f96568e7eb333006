// Follows logs: on a terminal the figures as they stand, drawn anew in place; elsewhere a line a record.

import { existsSync, watch } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { LoggedOutcome } from "../../core/summary/record-line.ts";
import { recordText, summaryText } from "../../report/index.ts";
import type { Collector } from "./collect.ts";
import { codeOf, FollowedLog } from "./sources.ts";

export interface FollowOptions {
  readonly logs: readonly string[];
  readonly collector: Collector;
  readonly stop: AbortSignal;
  /** A line of JSON a record, also on a terminal. */
  readonly json: boolean;
  /** Says something on stderr. */
  readonly note: (text: string) => void;
}

/** File systems that tell of no change are looked at this often (milliseconds). */
const LOOK_MS = 500;

/** A log that changes all the time is shown this often (milliseconds). */
const SHOW_MS = 100;

/** Follows until it is told to stop. Gives what went wrong. Never rejects. */
export async function follow({ logs, collector, stop, json, note }: FollowOptions): Promise<string[]> {
  const { stdout } = process;
  const live = stdout.isTTY === true && !json;
  const color = stdout.isTTY === true && !process.env.NO_COLOR;
  let changed = true;
  const take = (line: string | undefined): void => {
    changed = true;
    const record = collector.line(line);
    if (record !== undefined && !live) stdout.write(json ? jsonLine(record) : recordText(record, color));
  };
  const followed = logs.map((log) => ({ log, file: new FollowedLog(log, take) }));
  const missing = logs.filter((log) => !existsSync(log));
  if (missing.length > 0 && !live) note(`fourgate summary: waiting for ${missing.join(", ")}`);
  const alarm = changeAlarm(logs);
  const problems: string[] = [];
  if (live) stdout.write("\x1b[?1049h\x1b[?25l");
  try {
    while (!stop.aborted && problems.length === 0) {
      for (const { log, file } of followed) {
        await file.look().catch((error) => problems.push(`${log} cannot be read: ${codeOf(error)}`));
      }
      if (live && changed) stdout.write(screen(collector, logs, stdout));
      changed = false;
      if (live) await pause(SHOW_MS);
      await alarm.rings(stop);
    }
  } finally {
    alarm.close();
    for (const { file } of followed) await file.close().catch(() => {});
    if (live) {
      stdout.write("\x1b[?25h\x1b[?1049l");
      if (collector.result().figures.calls > 0) stdout.write(summaryText(collector.result(), color));
    }
  }
  return problems;
}

function screen(collector: Collector, logs: readonly string[], { rows, columns }: NodeJS.WriteStream): string {
  const read = collector.result();
  const text =
    read.figures.calls > 0 ? summaryText(read, false) : `waiting for the first record in ${logs.join(", ")}\n`;
  // Some terminals do not tell their size, or tell 0.
  const [height, width] = [rows || 24, columns || 80];
  const lines = text.split("\n").map((line) => line.slice(0, width));
  return `\x1b[H\x1b[J${lines.slice(0, height - 1).join("\r\n")}`;
}

function jsonLine({ timeMs, server, tool, mode, status, reasonCode, checkedFields, gateMs }: LoggedOutcome): string {
  const time = new Date(timeMs).toISOString();
  return `${JSON.stringify({ time, server, tool, mode, status, reason_code: reasonCode, checked_fields: checkedFields, gate_ms: gateMs })}\n`;
}

/** Rings when the system tells that one of the files changed, and every now and then, since not every system does. */
function changeAlarm(logs: readonly string[]) {
  let ring = (): void => {};
  let rung = false;
  const watchers = logs.flatMap((log) => {
    try {
      const watcher = watch(dirname(resolve(log)), (_, name) => {
        if (name !== null && name !== basename(log)) return;
        rung = true;
        ring();
      });
      return [watcher.on("error", () => watcher.close())];
    } catch {
      return [];
    }
  });
  return {
    rings(stop: AbortSignal): Promise<void> {
      return new Promise((done) => {
        const end = (): void => {
          clearTimeout(timer);
          stop.removeEventListener("abort", end);
          ring = () => {};
          rung = false;
          done();
        };
        const timer = setTimeout(end, LOOK_MS);
        stop.addEventListener("abort", end, { once: true });
        ring = end;
        if (rung || stop.aborted) end();
      });
    },
    close(): void {
      for (const watcher of watchers) watcher.close();
    },
  };
}
