// The summary as a view on a terminal that is drawn again and again in the same place.

import type { Read } from "../core/summary/document.ts";
import { summaryText } from "./summary-text.ts";
import { line } from "./summary-words.ts";
import { painter } from "./text.ts";
import { fitted } from "./width.ts";

/** Some terminals do not tell their size, or tell 0. */
export interface TerminalSize {
  readonly rows?: number | undefined;
  readonly columns?: number | undefined;
}

/**
 * What to write so that the terminal shows the figures and nothing else. Each line is put over the one that was there, so that nothing
 * flickers. Never scrolls: what finds no room is told by number.
 */
export function liveScreen(
  read: Read,
  logs: readonly string[],
  { rows, columns }: TerminalSize,
  color: boolean,
): string {
  const [height, width] = [rows || 24, (columns || 80) - 1];
  const paint = painter(color);
  const title = `${logs.map(line).join(", ")}  (Ctrl-C ends)`;
  const found =
    read.figures.calls > 0
      ? summaryText(read, false).trimEnd().split("\n")
      : [read.skippedLines > 0 ? `no record yet; skipped: ${read.skippedLines} lines` : "waiting for the first record"];
  const room = Math.max(1, height - 2);
  const body = found.length > room ? [...found.slice(0, room - 1), `... ${found.length - room + 1} more lines`] : found;
  const lines = [paint.dim(fitted(title, width)), ...body.map((text) => coloured(fitted(text, width), read, paint))];
  return `\x1b[H${lines.map((text) => `${text}\x1b[K`).join("\r\n")}\x1b[J`;
}

/** The counts and the reasons in the colours that they have elsewhere. */
function coloured(text: string, { figures }: Read, paint: ReturnType<typeof painter>): string {
  const { pass, fail } = figures.totals;
  if (/^[\d,]+ protected calls? /.test(text)) {
    return (fail > 0 ? paint.red : pass === figures.calls ? paint.green : paint.yellow)(text);
  }
  return text.replace(/^ {2}(FAIL|UNKNOWN)(?= )/, (word) => (word === "  FAIL" ? paint.red : paint.yellow)(word));
}
