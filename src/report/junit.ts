// The report as JUnit XML, in the form that CI services read: FAIL is a failure, UNKNOWN an error, never a pass.

import { showLine, showText } from "./characters.ts";
import { sortedJson } from "./json-text.ts";
import { MAX_BLOCK_UNITS, MAX_VALUE_UNITS } from "./limits.ts";
import type { CaseReport, ReportContext, Reporter, ScanReport } from "./model.ts";
import { sourcePath } from "./source-path.ts";
import {
  counted,
  countsLine,
  position,
  reasonWords,
  resultWords,
  seconds,
  stoppedSentence,
  troubleOf,
} from "./words.ts";

export const junit: Reporter = {
  name: "junit",
  file: "fourgate-report.junit.xml",
  write(report, context) {
    const troubles = report.cases.map(troubleOf);
    const skipped = report.totals.not_run > 0 ? 1 : 0;
    const counts = {
      tests: report.cases.length + skipped,
      failures: troubles.filter((trouble) => trouble === "failure").length,
      errors: troubles.filter((trouble) => trouble === "error").length,
      skipped,
      time: seconds(report.duration_ms),
    };
    const suite = {
      name: sourcePath(report.scan_file, context),
      timestamp: report.generated_at_utc,
      ...counts,
    };
    return [
      '<?xml version="1.0" encoding="UTF-8"?>',
      `<testsuites${attributes({ name: "fourgate scan", ...counts })}>`,
      `  <testsuite${attributes(suite)}>`,
      "    <properties>",
      ...properties(report).map(([name, value]) => `      <property${attributes({ name, value })}/>`),
      "    </properties>",
      ...report.cases.map((one) => testcase(one, context)),
      ...notRun(report),
      `    <system-out>${content(said(report), MAX_BLOCK_UNITS)}</system-out>`,
      "  </testsuite>",
      "</testsuites>",
      "",
    ].join("\n");
  },
};

function testcase(one: CaseReport, context: ReportContext): string {
  const trouble = troubleOf(one);
  const open = `    <testcase${attributes({
    classname: one.tool ?? "fourgate",
    name: one.name,
    file: sourcePath(one.place.file, context),
    line: String(position(one.place.line)),
    time: seconds(one.duration_ms),
  })}`;
  if (trouble === undefined) return `${open}/>`;
  const message = `${resultWords(one)} (${one.reason_code})`;
  const element = `      <${trouble}${attributes({ message, type: one.reason_code })}>${content(explained(one), MAX_BLOCK_UNITS)}</${trouble}>`;
  return `${open}>\n${element}\n    </testcase>`;
}

/** All that is known of a case that is not as it should be. */
function explained(one: CaseReport): string {
  const { meaning, remedy } = reasonWords(one.reason_code);
  const lines = [
    `${meaning} ${remedy}`,
    `${one.place.file}:${one.place.line}:${one.place.column}, ${counted(one.attempts, "read", "reads")}`,
    ...one.mismatched_fields.map(
      ({ path, expected, observed }) => `${path}: expected ${expected}, observed ${observed}`,
    ),
    ...(one.repro_steps ?? []).map((step, at) => `${at + 1}. ${step}`),
  ];
  if (one.cleanup?.status === "failed") lines.push(`Clean-up failed: ${one.cleanup.reason_code}`);
  if (one.evidence !== undefined) lines.push(sortedJson(one.evidence));
  return lines.join("\n");
}

/** Cases that were never sent are no passes either. */
function notRun(report: ScanReport): string[] {
  const { not_run } = report.totals;
  if (not_run === 0) return [];
  const name = counted(not_run, "case was not run", "cases were not run");
  const message = stoppedSentence(report) ?? name;
  return [
    `    <testcase${attributes({ classname: "fourgate", name, time: "0.000" })}>`,
    `      <skipped${attributes({ message })}/>`,
    "    </testcase>",
  ];
}

function properties(report: ScanReport): [string, string][] {
  const { totals, server } = report;
  return [
    ["fourgate", report.fourgate],
    ["test_account", report.test_account],
    ["run_id", report.run_id],
    ["server", [server.name, server.version].filter((part) => part !== null).join(" ") || "unknown"],
    ["protocol_version", server.protocol_version ?? "unknown"],
    ...Object.entries(totals).map(([name, count]): [string, string] => [name, String(count)]),
  ];
}

function said(report: ScanReport): string {
  const left = report.leftovers.map(({ tool, case: index, id }) => `Left behind by case ${index}: ${tool} ${id}`);
  return [...left, ...[stoppedSentence(report)].filter((line) => line !== undefined), countsLine(report)].join("\n");
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escaped(showLine(String(value), MAX_VALUE_UNITS))}"`)
    .join("");
}

const content = (text: string, most: number): string => escaped(showText(text, most));

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character]!);
