// Follows logs until it is told to stop: reads what comes to them and shows it.

import { existsSync } from "node:fs";
import { changeAlarm } from "./change-alarm.ts";
import type { Collector } from "./collect.ts";
import { FollowedLog } from "./followed-log.ts";
import { liveView, recordLines } from "./show.ts";
import { codeOf } from "./sources.ts";

export interface FollowOptions {
  readonly logs: readonly string[];
  readonly collector: Collector;
  readonly stop: AbortSignal;
  /** A line of JSON a record, also on a terminal. */
  readonly json: boolean;
  /** Says something on stderr. */
  readonly note: (text: string) => void;
}

/** Follows until it is told to stop. Gives what went wrong. Never rejects. */
export async function follow({ logs, collector, stop, json, note }: FollowOptions): Promise<string[]> {
  const terminal = process.stdout.isTTY === true;
  const live = terminal && !json && process.env.TERM !== "dumb";
  const color = terminal && !process.env.NO_COLOR;
  const missing = logs.filter((log) => !existsSync(log));
  if (missing.length > 0 && !live) note(`fourgate summary: waiting for ${missing.join(", ")}`);
  const alarm = changeAlarm(logs);
  const shown = live ? liveView(logs, () => collector.result(), color, alarm.ring) : recordLines(json, color);
  const take = (line: string | undefined): void => {
    const record = collector.line(line);
    if (record !== undefined) shown.add(record);
  };
  const followed = logs.map((log) => ({ log, file: new FollowedLog(log, take) }));
  /** After each piece of a log that is read: whether to read on. */
  const between = async (): Promise<boolean> => {
    await shown.show(stop);
    return !stop.aborted;
  };
  const problems: string[] = [];
  try {
    while (!stop.aborted && problems.length === 0) {
      for (const { log, file } of followed) {
        await file.look(between).catch((error) => problems.push(`${log} cannot be read: ${codeOf(error)}`));
      }
      await shown.show(stop);
      await alarm.rings(stop);
    }
    for (const { file } of followed) await file.close().catch(() => {});
    await shown.show(stop);
  } finally {
    alarm.close();
    shown.close();
  }
  return problems;
}
