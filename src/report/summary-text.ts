// The summary for a terminal or a log.

import type { Changes } from "../core/summary/change.ts";
import type { Read, Summary } from "../core/summary/document.ts";
import type { Failure, Figures } from "../core/summary/figures.ts";
import type { LoggedOutcome } from "../core/summary/record-line.ts";
import { ascii } from "./characters.ts";
import { adviceFor, latencyLine, line, periodLine, sum, totalLine, withheldSentence } from "./summary-words.ts";
import { painter } from "./text.ts";
import { counted } from "./words.ts";

/** Rows of a table; a page or `--json` has all. */
const MAX_ROWS = 30;

export function summaryText(read: Read, color: boolean): string {
  const { figures, skippedLines, outsidePeriod, changes } = read;
  const paint = painter(color);
  const { pass, fail } = figures.totals;
  const mark = fail > 0 ? paint.red : pass === figures.calls ? paint.green : paint.yellow;
  const blocks = [
    [
      mark(totalLine(figures)),
      periodLine(figures),
      `servers: ${names(figures.servers)}; modes: ${names(figures.modes)}`,
      latencyLine(figures),
      ...(figures.withheld_verdicts > 0 ? [withheldSentence(figures)] : []),
      ...(skippedLines > 0
        ? [`skipped: ${counted(skippedLines, "line that is no record", "lines that are no record")}`]
        : []),
      ...(outsidePeriod > 0 ? [`outside the period: ${counted(outsidePeriod, "record", "records")}`] : []),
    ],
    toolRows(figures),
    reasonRows(figures, paint.dim),
    failureRows(figures.last_failures),
    changes === undefined ? [] : changeRows(changes),
  ];
  return `${blocks
    .filter((rows) => rows.length > 0)
    .map((rows) => rows.join("\n"))
    .join("\n\n")}\n`;
}

/** The document in ASCII, so that no name in it can move a cursor. Its members stand in an order that says something. */
export function summaryJson(document: Summary): string {
  return `${ascii(JSON.stringify(document, null, 2), "\n")}\n`;
}

/** One record in one line. */
export function recordText(record: LoggedOutcome, color: boolean): string {
  const paint = painter(color);
  const { status, reasonCode, gateMs } = record;
  const mark = status === "pass" ? paint.green : status === "fail" ? paint.red : paint.yellow;
  const waited = gateMs === undefined ? "" : paint.dim(`  +${gateMs} ms`);
  const time = new Date(record.timeMs).toISOString();
  return `${time}  ${mark(status.toUpperCase().padEnd(7))}  ${line(`${record.server}/${record.tool}`)}  ${line(reasonCode)}${waited}\n`;
}

/** One record in one line of JSON, in ASCII. */
export function recordJson(record: LoggedOutcome): string {
  const { server, tool, mode, status, reasonCode, checkedFields, gateMs, withheld } = record;
  const document = {
    time: new Date(record.timeMs).toISOString(),
    server,
    tool,
    mode,
    status,
    reason_code: reasonCode,
    checked_fields: checkedFields,
    gate_ms: gateMs,
    ...(withheld ? { verdict_withheld: true } : {}),
  };
  return `${ascii(JSON.stringify(document))}\n`;
}

const names = (all: readonly string[]): string =>
  all.length > 8 ? `${all.slice(0, 8).map(line).join(", ")} and ${all.length - 8} more` : all.map(line).join(", ");

function toolRows({ by_tool }: Figures): string[] {
  const tools = Object.entries(by_tool);
  const rows = tools
    .slice(0, MAX_ROWS)
    .map(([name, totals]) => [line(name), ...[sum(totals), totals.pass, totals.fail, totals.unknown].map(String)]);
  return [...table([["tool", "calls", "PASS", "FAIL", "UNKNOWN"], ...rows]), ...more(tools.length)];
}

function reasonRows({ reasons }: Figures, dim: (text: string) => string): string[] {
  const shown = reasons.filter(({ status }) => status !== "pass").slice(0, MAX_ROWS);
  if (shown.length === 0) return [];
  const width = Math.max(...shown.map(({ reason_code }) => line(reason_code).length));
  return [
    "why",
    ...shown.flatMap((one) => {
      const advice = adviceFor(one);
      const row = `  ${one.status.toUpperCase().padEnd(7)}  ${line(one.reason_code).padEnd(width)}  ${one.count}`;
      return advice ? [row, dim(`           ${advice.meaning} ${advice.remedy}`)] : [row];
    }),
  ];
}

function failureRows(failures: readonly Failure[]): string[] {
  if (failures.length === 0) return [];
  return [
    "last failures",
    ...failures.map(({ time, server, tool, mode, reason_code, checked_fields }) => {
      const fields = checked_fields.length > 0 ? ` (${checked_fields.map(line).join(", ")})` : "";
      return `  ${time}  ${line(`${server}/${tool}`)}  ${line(mode)}  ${line(reason_code)}${fields}`;
    }),
  ];
}

function changeRows({ totals, trouble_by_tool, reasons, p95_ms }: Changes): string[] {
  const { before, now } = totals;
  const row = (name: string, a: number | null, b: number | null) => [
    name,
    ...[a, b].map((n) => (n === null ? "-" : String(n))),
  ];
  return table([
    ["against the period before", "before", "now"],
    row("calls", sum(before), sum(now)),
    row("PASS", before.pass, now.pass),
    row("FAIL", before.fail, now.fail),
    row("UNKNOWN", before.unknown, now.unknown),
    row("added latency p95 (ms)", p95_ms.before, p95_ms.now),
    ...trouble_by_tool.slice(0, 10).map((one) => row(`FAIL or UNKNOWN of ${line(one.name)}`, one.before, one.now)),
    ...reasons.slice(0, 10).map((one) => row(`reason ${line(one.name)}`, one.before, one.now)),
  ]);
}

const more = (count: number): string[] => (count > MAX_ROWS ? [`and ${count - MAX_ROWS} more`] : []);

/** The first column to the left, all others to the right. */
function table(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!))).join("  "),
  );
}
