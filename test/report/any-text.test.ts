// Whatever a server, a scan file or a verifier says, each report can be read by an independent reader of its format and keeps the counts.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { reporters } from "../../src/report/index.ts";
import type { ReportContext, ScanReport } from "../../src/report/model.ts";
import { countsLine, troubleOf } from "../../src/report/words.ts";
import { anyReport, everywhere, HOSTILE } from "./arbitrary.ts";
import {
  parseHtml,
  readCommand,
  renderMarkdown,
  reportProblems,
  sarifProblems,
  textIn,
  xmlProblems,
} from "./validators.ts";

const contexts: ReportContext[] = [
  { color: false, env: {} },
  { color: false, env: { GITHUB_WORKSPACE: "/srv/x", PWD: "/srv/x/ci" } },
];

// Controls but the end of a line, bidirectional and invisible marks, halves of pairs, noncharacters that XML refuses.
const RAW =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufffe\uffff]|\p{Surrogate}/u;

const troubles = ({ cases }: ScanReport, kind: "failure" | "error"): number =>
  cases.filter((one) => troubleOf(one) === kind).length;
const sarifCheck = sarifProblems();
const reportCheck = reportProblems();

/** By reporter: reads the text with a reader that is not ours, and compares the counts. */
const checks: Record<string, (text: string, report: ScanReport) => void> = {
  text(text, report) {
    expect(text.trimEnd().split("\n").at(-1)).toBe(countsLine(report));
    expect(text.match(/^(?:PASS {5}|FAIL {5}|UNKNOWN {2})/gm) ?? []).toHaveLength(report.cases.length);
    expect(text).not.toMatch(/^\s*::|##\[/m);
  },
  json(text, report) {
    const read = JSON.parse(text);
    expect(reportCheck(read)).toEqual([]);
    expect(read.totals).toEqual(report.totals);
    expect(read.cases.map(({ status }: { status: string }) => status)).toEqual(
      report.cases.map(({ status }) => status),
    );
    expect(read.cases.map(({ name }: { name: string }) => name)).toEqual(
      report.cases.map(({ name }) => name.replace(/\p{Surrogate}/gu, "\ufffd")),
    );
  },
  html(text, report) {
    const { elements, errors } = parseHtml(text);
    expect(errors).toEqual([]);
    const named = (name: string) => elements.filter(({ tagName }) => tagName === name);
    const classed = (kind: string) => elements.filter(({ attrs = [] }) => attrs.some(({ value }) => value === kind));
    expect(classed("name")).toHaveLength(report.cases.length);
    const tiles = named("b").map(textIn).map(Number);
    const { pass, fail, unknown, as_expected, not_run } = report.totals;
    expect(tiles).toEqual([pass, fail, unknown, as_expected, not_run]);
    expect(["script", "img", "a", "iframe", "link", "base", "object", "form"].flatMap(named)).toEqual([]);
    expect(named("style")).toHaveLength(1);
    const odd = elements.flatMap(({ attrs = [] }) => attrs).filter(({ name }) => /^on|^style$|^src$|^href$/.test(name));
    expect(odd).toEqual([]);
  },
  junit(text, report) {
    const cases = report.cases.length + (report.totals.not_run > 0 ? 1 : 0);
    expect(text.match(/<testcase /g) ?? []).toHaveLength(cases);
    expect(text.match(/<failure /g) ?? []).toHaveLength(troubles(report, "failure"));
    expect(text.match(/<error /g) ?? []).toHaveLength(troubles(report, "error"));
    expect(text).toContain(
      `tests="${cases}" failures="${troubles(report, "failure")}" errors="${troubles(report, "error")}"`,
    );
  },
  sarif(text, report) {
    const log = JSON.parse(text);
    expect(sarifCheck(log)).toEqual([]);
    const [run] = log.runs;
    expect(run.results).toHaveLength(troubles(report, "failure") + troubles(report, "error"));
    expect(run.properties).toMatchObject(report.totals);
    const marks = run.results.map((one: { partialFingerprints: object }) => JSON.stringify(one.partialFingerprints));
    expect(new Set(marks).size).toBe(marks.length);
    for (const { ruleId, ruleIndex, locations } of run.results) {
      expect(run.tool.driver.rules[ruleIndex].id).toBe(ruleId);
      const { uri } = locations[0].physicalLocation.artifactLocation;
      expect(uri).toMatch(/^[A-Za-z0-9\-._~!'()*%][A-Za-z0-9\-._~!'()*%/]*$/);
      expect(uri).not.toMatch(/^\/|(?:^|\/)\.\.(?:\/|$)|:/);
    }
  },
  github(text, report) {
    const commands = text.trimEnd().split("\n").map(readCommand);
    expect(commands.filter((command) => command === undefined)).toEqual([]);
    const errors = commands.filter((command) => command!.name === "error" && command!.properties.file !== undefined);
    expect(errors).toHaveLength(troubles(report, "failure"));
    expect(commands.at(-1)!.message).toBe(countsLine(report));
    expect(text).not.toContain("##[");
  },
  markdown(text, report) {
    expect(text).toContain(countsLine(report));
    const { elements } = parseHtml(renderMarkdown(text));
    const found = (name: string) => elements.filter(({ tagName }) => tagName === name);
    expect(["a", "img", "script", "style", "pre", "blockquote"].flatMap(found)).toEqual([]);
    const heads = found("tr").filter((row) => row.childNodes!.some(({ tagName }) => tagName === "th"));
    const [cases] = found("table");
    const rows = parseRows(cases!);
    expect(rows).toBe(report.cases.length + 1);
    expect(found("h3")).toHaveLength(
      troubles(report, "failure") + troubles(report, "error") + (report.leftovers.length > 0 ? 1 : 0),
    );
    expect(heads.length).toBe(found("table").length);
  },
};

function parseRows(table: {
  childNodes?: readonly { tagName?: string; childNodes?: readonly { tagName?: string }[] }[];
}): number {
  const parts = table.childNodes ?? [];
  return parts.flatMap(({ childNodes = [] }) => childNodes.filter(({ tagName }) => tagName === "tr")).length;
}

test("each report writer has a reader here", () => {
  expect(Object.keys(checks).sort()).toEqual(reporters.map(({ name }) => name).sort());
});

describe.each(reporters.map((reporter) => ({ name: reporter.name, reporter })))("$name", ({ name, reporter }) => {
  test("any report can be read, keeps its counts and has no raw control character", () => {
    const written: string[] = [];
    const property = fc.property(anyReport, fc.constantFrom(...contexts), (report, context) => {
      const text = reporter.write(report, context);
      expect(RAW.exec(text)?.[0]).toBeUndefined();
      checks[name]!(text, report);
      written.push(text);
    });
    fc.assert(property, { numRuns: 100 });
    if (name === "junit") expect(xmlProblems(written)).toBe("");
  });

  test.each(HOSTILE.map((text) => ({ text, shown: JSON.stringify(text) })))("$shown in every field", ({ text }) => {
    const report = everywhere(text);
    const written = reporter.write(report, contexts[0]!);
    expect(RAW.exec(written)?.[0]).toBeUndefined();
    checks[name]!(written, report);
    if (name === "junit") expect(xmlProblems([written])).toBe("");
  });

  test("1 MiB in every field", () => {
    const report = everywhere(`\u001b]]>\ud800<${"a".repeat(58)}`.repeat((1024 * 1024) / 64), 1);
    const written = reporter.write(report, contexts[0]!);
    expect(RAW.exec(written)?.[0]).toBeUndefined();
    checks[name]!(written, report);
    if (name === "junit") expect(xmlProblems([written])).toBe("");
  });
});
