// Each report of one run, as a user gets it; the texts are in test/corpus/report (renewed with `npx vitest run test/report -u`).

import { expect, test } from "vitest";
import { githubSummary, reporters, verifiedCases } from "../../src/report/index.ts";
import { troubleOf } from "../../src/report/words.ts";
import { aCase, aReport, plain, sample } from "./sample.ts";
import { readCommand, reportProblems, sarifProblems, xmlProblems, xpath } from "./validators.ts";

const written = (
  name: string,
  report = sample,
  context: Parameters<(typeof reporters)[0]["write"]>[1] = plain,
): string => reporters.find((reporter) => reporter.name === name)!.write(report, context);

test.each(reporters.map(({ name, file }) => [name, file]))(
  "%s is written as in test/corpus/report/%s",
  async (name, file) => {
    // The head of the page is mostly its style sheet.
    const text = name === "html" ? written(name).replace(/^[\s\S]*<body>\n/, "") : written(name);
    await expect(text).toMatchFileSnapshot(`../corpus/report/${file}`);
  },
);

test("each reporter has a name and a file of its own", () => {
  expect(reporters.map(({ name }) => name).sort()).toEqual([
    "github",
    "html",
    "json",
    "junit",
    "markdown",
    "sarif",
    "text",
  ]);
  expect(new Set(reporters.map(({ file }) => file)).size).toBe(reporters.length);
});

test("PASS and FAIL are verified, UNKNOWN is not; doubt is trouble whatever was expected", () => {
  expect(verifiedCases(sample.totals)).toBe(4);
  expect(troubleOf(aCase({ status: "unknown", as_expected: true }))).toBe("error");
  expect(troubleOf(aCase({ status: "fail", expected: "fail" }))).toBeUndefined();
  expect(troubleOf(aCase({ status: "pass", expected: "fail", as_expected: false }))).toBe("failure");
});

const unread = aReport([aCase({ status: "unknown", reason_code: "readback_error", as_expected: false })]);

test.each(["text", "github"])("%s says in its last line that nothing was verified", (name) => {
  const last = written(name, unread).trimEnd().split("\n").at(-1);
  expect(last).toContain("0 verified (0 PASS, 0 FAIL), 1 UNKNOWN");
});

test.each(["html", "markdown"])("%s says in its title that nothing was verified", (name) => {
  expect(written(name, unread)).toMatch(/fourgate scan: Nothing was verified/);
});

test("text paints only when colours are asked for", () => {
  expect(written("text")).not.toContain("\u001b");
  const painted = written("text", sample, { color: true, env: {} });
  expect(painted).toContain("\u001b[31mFAIL");
  expect(painted).toContain("\u001b[33mUNKNOWN");
  expect(painted.replaceAll(/\u001b\[\d+m/g, "")).toBe(written("text"));
});

test("json follows its schema, and its keys are sorted at every level", () => {
  const text = written("json");
  expect(reportProblems()(JSON.parse(text))).toEqual([]);
  const keys = (value: unknown): string[][] =>
    typeof value !== "object" || value === null
      ? []
      : [...(Array.isArray(value) ? [] : [Object.keys(value)]), ...Object.values(value).flatMap(keys)];
  for (const found of keys(JSON.parse(text))) expect(found).toEqual([...found].sort());
});

test.each([
  ["a key is missing", (report: Record<string, unknown>) => delete report.run_id],
  ["a status is none", (report: { cases: { status: string }[] }) => (report.cases[0]!.status = "skipped")],
  ["a key is not known", (report: Record<string, unknown>) => (report.extra = 1)],
])("the schema's check sees when %s", (_what, spoil) => {
  const report = JSON.parse(written("json"));
  spoil(report);
  expect(reportProblems()(report)).not.toEqual([]);
});

test("what an answer holds too deep is cut, and large whole numbers keep their digits", () => {
  let deep: unknown = 1;
  for (let level = 0; level < 100_000; level++) deep = [deep];
  const evidence = { request: { big: 12345678901234567890n }, tool_response: deep, readback: null };
  const text = written("json", aReport([aCase({ evidence })]));
  expect(JSON.parse(text).cases).toHaveLength(1);
  expect(text).toContain('"big": 12345678901234567890');
  expect(text).toContain("[deeper than 200 levels]");
});

test("junit counts FAIL as failure, UNKNOWN as error, an unexpected PASS as failure, and cases that were not run as skipped", () => {
  const surprise = aCase({ name: "surprise", expected: "fail", as_expected: false });
  const text = written("junit", { ...sample, cases: [...sample.cases, surprise] });
  expect(xmlProblems([text])).toBe("");
  expect(xpath(text, "count(//testcase)")).toBe("7");
  expect(xpath(text, "count(//testcase[failure])")).toBe("3");
  expect(xpath(text, "count(//testcase[error])")).toBe("1");
  expect(xpath(text, "count(//testcase[skipped])")).toBe("1");
  expect(xpath(text, 'string(//testcase[@name="surprise"]/failure/@message)')).toContain("PASS, but FAIL was expected");
  expect(xpath(text, 'string(//testcase[@name="A ticket is stored"]/@line)')).toBe("25");
});

test("the validators see what is wrong", () => {
  expect(xmlProblems(["<a>\u0001</a>"])).not.toBe("");
  expect(xmlProblems(["<a>]]></a>"])).not.toBe("");
  expect(xmlProblems(["<a>&#0;</a>"])).not.toBe("");
  const log = JSON.parse(written("sarif"));
  log.runs[0].results[0].level = "loud";
  expect(sarifProblems()(log)).not.toEqual([]);
});

test("sarif's fingerprints stay when lines, runs and times change, and differ between cases", () => {
  const marks = (report: typeof sample): string[] =>
    JSON.parse(written("sarif", report)).runs[0].results.map((one: { partialFingerprints: unknown }) =>
      JSON.stringify(one.partialFingerprints),
    );
  const named = aCase({
    name: "ticket fourgate r7k2m9q4",
    status: "fail",
    reason_code: "record_missing",
    as_expected: false,
  });
  const before = aReport([...sample.cases, named]);
  const after = aReport(
    [...sample.cases, { ...named, name: "ticket fourgate other0run" }].map((one) => ({
      ...one,
      place: { ...one.place, line: one.place.line + 100 },
      duration_ms: 1,
    })),
    { run_id: "other0run", generated_at_utc: "2027-01-01T00:00:00.000Z" },
  );
  expect(marks(after)).toEqual(marks(before));
  expect(new Set(marks(before)).size).toBe(4);
  expect(marks({ ...before, cases: before.cases.map((one) => ({ ...one, name: `${one.name}x` })) })).not.toEqual(
    marks(before),
  );
});

test("github escapes a message and its properties as the runner reads them", () => {
  const one = aCase({
    name: "50% of a, b: c\nnext",
    place: { file: "a,b:c%/scan.jsonc", line: 3, column: 1 },
    status: "fail",
    reason_code: "field_mismatch",
    as_expected: false,
    mismatched_fields: [{ path: "title", expected: '"a%0Ab"', observed: '"::"' }],
  });
  const [line] = written("github", aReport([one])).split("\n");
  const command = readCommand(line!)!;
  expect(command.name).toBe("error");
  expect(command.properties).toEqual({
    file: "a,b:c%/scan.jsonc",
    line: "3",
    col: "1",
    title: "FAIL: field_mismatch",
  });
  expect(command.message.split("\n")).toEqual([
    "50% of a, b: c\\nnext: The record is there, and a field is not as the call asked for.",
    'title: expected "a%0Ab", observed "::"',
  ]);
});

test("github shows fifty annotations and says how many more there are", () => {
  const cases = Array.from({ length: 60 }, (_, at) =>
    aCase({ index: at + 1, status: "fail", reason_code: "record_missing", as_expected: false }),
  );
  const commands = written("github", aReport(cases)).trimEnd().split("\n").map(readCommand);
  expect(commands.filter((command) => command!.name === "error")).toHaveLength(50);
  expect(commands.at(-2)!.message).toBe("10 more cases are in the report.");
});

test("the job summary stays below what GitHub takes, and shows first what went wrong", () => {
  const cases = Array.from({ length: 5000 }, (_, at) => {
    const wrong = at >= 4990 && { status: "fail", reason_code: "record_missing", as_expected: false };
    return aCase({ index: at + 1, name: `case ${at + 1} ${"words ".repeat(40)}`, ...(wrong as object) });
  });
  const summary = githubSummary(aReport(cases), plain);
  expect(Buffer.byteLength(summary)).toBeLessThan(1024 * 1024);
  expect(summary).toContain("### 5000. FAIL");
  expect(summary).toMatch(/\d+ more cases are in the JSON report\./);
});
