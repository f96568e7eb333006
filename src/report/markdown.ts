// The report as Markdown, for a job summary or a comment: counts, a table, and what went wrong under it.

import { showLine } from "./characters.ts";
import { MAX_LINE_UNITS, MAX_MARKDOWN_BYTES, MAX_VALUE_UNITS } from "./limits.ts";
import type { CaseReport, ReportContext, Reporter, ScanReport } from "./model.ts";
import { sourcePath } from "./source-path.ts";
import {
  counted,
  countsLine,
  durationText,
  headline,
  reasonWords,
  resultWords,
  stoppedSentence,
  troubleOf,
} from "./words.ts";

export const markdown: Reporter = {
  name: "markdown",
  file: "fourgate-report.md",
  write(report, context) {
    const troubles = report.cases.filter((one) => troubleOf(one) !== undefined);
    const head = [`## fourgate scan: ${headline(report)}`, "", countsLine(report), "", ...run(report, context), ""];
    const table = ["| # | case | tool | result | reason | time |", "| ---: | --- | --- | --- | --- | ---: |"];
    const closing = ends(report);
    let room = MAX_MARKDOWN_BYTES - bytes([...head, ...table, ...closing]);
    // Trouble first, so that it is there when not all has room.
    const found = within(troubles, (one) => trouble(one, context));
    const rows = within([...troubles, ...report.cases.filter((one) => !troubles.includes(one))], row);
    const ordered = [...rows.kept].sort((a, b) => a.one.index - b.one.index);
    const more = counted(rows.left, "more case is", "more cases are");
    return [
      ...head,
      ...table,
      ...ordered.map(({ text }) => text),
      "",
      ...(rows.left > 0 ? [`${more} in the JSON report.`, ""] : []),
      ...found.kept.map(({ text }) => text),
      ...closing,
    ].join("\n");

    function within(cases: readonly CaseReport[], written: (one: CaseReport) => string) {
      const kept: { readonly one: CaseReport; readonly text: string }[] = [];
      for (const one of cases) {
        const text = written(one);
        const size = bytes([text]);
        // Half for what went wrong, so that the table has room too.
        const least = written === row ? 0 : MAX_MARKDOWN_BYTES / 2;
        if (room - size < least) break;
        room -= size;
        kept.push({ one, text });
      }
      return { kept, left: cases.length - kept.length };
    }
  },
};

const bytes = (lines: readonly string[]): number => lines.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, 0);

function run(report: ScanReport, context: ReportContext): string[] {
  const { server } = report;
  const named = [server.name, server.version].filter((part) => part !== null).join(" ") || "unknown";
  return [
    `Scan ${code(sourcePath(report.scan_file, context))} on the test account ${code(report.test_account)}, server ${code(named)}, run ${code(report.run_id)}.`,
  ];
}

function row(one: CaseReport): string {
  const tool = one.tool === null ? "" : code(one.tool);
  const result = troubleOf(one) === undefined ? resultWords(one) : `**${resultWords(one)}**`;
  const cells = [
    String(one.index),
    words(one.name),
    tool,
    result,
    code(one.reason_code),
    durationText(one.duration_ms),
  ];
  return `| ${cells.join(" | ")} |`;
}

function trouble(one: CaseReport, context: ReportContext): string {
  const { meaning, remedy } = reasonWords(one.reason_code);
  const place = `${sourcePath(one.place.file, context)}:${one.place.line}`;
  const lines = [
    `### ${one.index}. ${resultWords(one)}: ${words(one.name)}`,
    "",
    `${meaning} ${remedy} The case is in ${code(place)}; ${counted(one.attempts, "read", "reads")}.`,
    "",
  ];
  if (one.mismatched_fields.length > 0) {
    lines.push("| field | expected | observed |", "| --- | --- | --- |");
    for (const { path, expected, observed } of one.mismatched_fields) {
      lines.push(`| ${code(path)} | ${code(expected)} | ${code(observed)} |`);
    }
    lines.push("");
  }
  const steps = one.repro_steps ?? [];
  lines.push(...steps.map((step, at) => `${at + 1}. ${code(step)}`), ...(steps.length > 0 ? [""] : []));
  if (one.cleanup?.status === "failed") lines.push(`Clean-up failed: ${code(one.cleanup.reason_code)}`, "");
  return lines.join("\n");
}

function ends(report: ScanReport): string[] {
  const lines: string[] = [];
  const stopped = stoppedSentence(report);
  if (stopped !== undefined) lines.push(escaped(showLine(stopped, MAX_LINE_UNITS)), "");
  const shown = report.leftovers.slice(0, MAX_LEFTOVERS);
  if (shown.length > 0) {
    lines.push("### Left behind", "");
    lines.push(...shown.map(({ tool, case: index, id }) => `- case ${index}: ${code(tool)} ${code(id)}`));
    if (report.leftovers.length > shown.length) lines.push(`- and ${report.leftovers.length - shown.length} more`);
    lines.push("");
  }
  return lines;
}

/** Leftovers that are listed; a summary is not the place for more. */
const MAX_LEFTOVERS = 100;

/** A text of others, as code: entities keep Markdown from reading it, and code keeps GitHub from linking it. */
function code(text: string): string {
  return text === "" ? "" : `<code>${escaped(showLine(text, MAX_VALUE_UNITS))}</code>`;
}

/** A name: as words, or as code where GitHub would make a link or a mention of it. */
const words = (text: string): string => (/[@#]/.test(text) ? code(text) : escaped(showLine(text, MAX_LINE_UNITS)));

/** What could mean something to Markdown or HTML, as an entity; addresses lose what makes them links. */
const escaped = (text: string): string => text.replace(/[&<>\\`*[\]#|~@$]|\b_|_\b|:(?=\/)|(?<=www)\./giu, entity);
const entity = (character: string): string => `&#${character.codePointAt(0)};`;
