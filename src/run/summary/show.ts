// What following shows on stdout: on a terminal the figures as they stand, drawn anew in place; elsewhere a line a record.

import type { Read } from "../../core/summary/document.ts";
import type { LoggedOutcome } from "../../core/summary/record-line.ts";
import { liveScreen, recordJson, recordText, summaryText } from "../../report/index.ts";

export interface Show {
  /** Takes a record that has come. */
  add(record: LoggedOutcome): void;
  /** Puts out what has come. Waits for a slow reader, and no longer than until it is told to stop. */
  show(stop: AbortSignal): Promise<void>;
  /** The terminal as it was before. */
  close(): void;
}

/** A line a record; they wait until `show`, so that a log that is there already is not written line by line. */
export function recordLines(json: boolean, color: boolean): Show {
  const { stdout } = process;
  let lines: string[] = [];
  return {
    add: (record) => void lines.push(json ? recordJson(record) : recordText(record, color)),
    async show(stop) {
      if (lines.length === 0) return;
      const text = lines.join("");
      lines = [];
      if (!stdout.write(text)) await drained(stop);
    },
    close() {},
  };
}

function drained(stop: AbortSignal): Promise<void> {
  const { stdout } = process;
  return new Promise((done) => {
    const end = (): void => {
      stdout.off("drain", end).off("close", end);
      stop.removeEventListener("abort", end);
      done();
    };
    stdout.once("drain", end).once("close", end);
    stop.addEventListener("abort", end, { once: true });
    if (stop.aborted || stdout.destroyed) end();
  });
}

/** A log that changes all the time is drawn this often (milliseconds). */
const DRAW_MS = 100;

/** The view on a terminal, on the screen that editors use; what was there before comes back, and the figures stand below it. */
export function liveView(logs: readonly string[], read: () => Read, color: boolean, redraw: () => void): Show {
  const { stdout } = process;
  let drawnAt = Number.NEGATIVE_INFINITY;
  let changed = true;
  let later: NodeJS.Timeout | undefined;
  const resized = (): void => {
    changed = true;
    drawnAt = Number.NEGATIVE_INFINITY;
    redraw();
  };
  stdout.on("resize", resized);
  stdout.write("\x1b[?1049h\x1b[?25l");
  return {
    add() {
      changed = true;
    },
    async show() {
      if (!changed) return;
      const early = DRAW_MS - (performance.now() - drawnAt);
      if (early > 0) {
        clearTimeout(later);
        later = setTimeout(redraw, early);
        return;
      }
      stdout.write(liveScreen(read(), logs, stdout, color));
      drawnAt = performance.now();
      changed = false;
    },
    close() {
      clearTimeout(later);
      stdout.off("resize", resized);
      stdout.write("\x1b[?25h\x1b[?1049l");
      if (read().figures.calls > 0) stdout.write(summaryText(read(), color));
    },
  };
}
