// The report as SARIF 2.1.0 for code scanning: a result for each case that is not as it should be, at the case's line.

import { createHash } from "node:crypto";
import { showLine } from "./characters.ts";
import { sortedJson } from "./json-text.ts";
import { MAX_LINE_UNITS } from "./limits.ts";
import type { CaseReport, ReportContext, Reporter, ScanReport } from "./model.ts";
import { sourceUri } from "./source-path.ts";
import { position, reasonWords, resultWords, troubleOf } from "./words.ts";

const SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

export const sarif: Reporter = {
  name: "sarif",
  file: "fourgate-report.sarif",
  write(report, context) {
    const troubles = report.cases.filter((one) => troubleOf(one) !== undefined);
    const ruleIds = [...new Set(troubles.map(ruleId))].sort();
    const marks = fingerprints(troubles, report, context);
    const run = {
      tool: { driver: { name: "fourgate", version: line(report.fourgate) || "unknown", rules: ruleIds.map(rule) } },
      automationDetails: { id: `fourgate/${sourceUri(report.scan_file, context)}/` },
      invocations: [{ executionSuccessful: report.stopped === null }],
      columnKind: "utf16CodeUnits",
      results: troubles.map((one, at) => result(one, ruleIds, marks[at]!, context)),
      properties: { ...report.totals, leftovers: report.leftovers.length },
    };
    return `${sortedJson({ $schema: SCHEMA, version: "2.1.0", runs: [run] })}\n`;
  },
};

/** A rule a reason: a contract's own reasons too. */
const ruleId = (one: CaseReport): string => line(one.reason_code) || "unknown";

function rule(id: string): object {
  const { meaning, remedy } = reasonWords(id);
  return {
    id,
    shortDescription: { text: meaning },
    fullDescription: { text: meaning },
    help: { text: remedy },
    properties: { tags: ["fourgate", "mcp"] },
  };
}

function result(one: CaseReport, ruleIds: readonly string[], mark: Fingerprints, context: ReportContext): object {
  const { line: startLine, column } = one.place;
  return {
    ruleId: ruleId(one),
    ruleIndex: ruleIds.indexOf(ruleId(one)),
    level: troubleOf(one) === "failure" ? "error" : "warning",
    message: { text: message(one) },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: sourceUri(one.place.file, context) },
          region: { startLine: position(startLine), startColumn: position(column) },
        },
      },
    ],
    partialFingerprints: mark,
  };
}

/** No values: code scanning keeps messages for long, and shows them to many. */
function message(one: CaseReport): string {
  const fields = one.mismatched_fields.map(({ path }) => line(path));
  const named = fields.length > 0 ? `; fields: ${fields.join(", ")}` : "";
  const tool = one.tool === null ? "before the cases" : line(one.tool);
  const text = `${resultWords(one)} (${line(one.reason_code)}): ${line(one.name)}, ${tool}${named}. ${reasonWords(one.reason_code).meaning}`;
  // `[text](target)` is a link in a SARIF message.
  return text.replaceAll("](", "] (");
}

interface Fingerprints {
  /** The only one that GitHub reads. */
  readonly primaryLocationLineHash: string;
  readonly "fourgateCase/v1": string;
}

/** What stays the same from run to run, wherever in its file a case stands. */
function fingerprints(cases: readonly CaseReport[], report: ScanReport, context: ReportContext): Fingerprints[] {
  const seen = new Map<string, number>();
  return cases.map((one) => {
    const told = [sourceUri(one.place.file, context), one.tool, one.name, one.reason_code, one.expected];
    const stable = told.map((part) =>
      report.run_id === "" ? part : (part?.replaceAll(report.run_id, "{run_id}") ?? null),
    );
    const hash = createHash("sha256").update(JSON.stringify(stable)).digest("hex");
    const count = (seen.get(hash) ?? 0) + 1;
    seen.set(hash, count);
    return { primaryLocationLineHash: `${hash.slice(0, 16)}:${count}`, "fourgateCase/v1": `${hash}:${count}` };
  });
}

const line = (text: string): string => showLine(text, MAX_LINE_UNITS);
