// A summary's page in a real Chromium, and its text: whatever names a log holds.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Ajv } from "ajv";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { changes } from "../../src/core/summary/change.ts";
import { type Read, summaryDocument } from "../../src/core/summary/document.ts";
import { FiguresBuilder } from "../../src/core/summary/figures.ts";
import { ALWAYS } from "../../src/core/summary/period.ts";
import { type LoggedOutcome, readRecordLine } from "../../src/core/summary/record-line.ts";
import { latencySteps, timeBuckets } from "../../src/report/summary-charts.ts";
import { summaryPage } from "../../src/report/summary-html.ts";
import { liveScreen } from "../../src/report/summary-live.ts";
import { summarySchema } from "../../src/report/summary-schema.ts";
import { recordJson, recordText, summaryJson, summaryText } from "../../src/report/summary-text.ts";
import { HOSTILE } from "./arbitrary.ts";
import { axe } from "./axe.ts";
import { type Browser, startChromium } from "./chromium.ts";

const record = (more: object) =>
  readRecordLine(
    JSON.stringify({
      status: "pass",
      timestamp: 1_780_000_000,
      server: "tracker",
      tool: "create_issue",
      mode: "enforce",
      reason_code: "postcondition_satisfied",
      ...more,
    }),
  ) as LoggedOutcome;

function figuresOf(records: readonly object[]) {
  const builder = new FiguresBuilder();
  for (const one of records) builder.add(record(one));
  return builder.result();
}

const FAIL = { status: "fail", reason_code: "record_missing", checked_fields: ["issue_id", "title"] };
const DOUBT = { status: "unknown", reason_code: "verifier_timeout" };
const sampleRecords = Array.from({ length: 240 }, (_, i) => ({
  ...(i % 17 === 0 ? FAIL : i % 11 === 0 ? DOUBT : {}),
  tool: ["create_issue", "add_comment", "close_issue"][i % 3],
  timestamp: 1_780_000_000 + i * 3000,
  gate_ms: (i * 37) % 400,
}));

const readOf = (records: readonly object[], more: Partial<Read> = {}): Read => ({
  figures: figuresOf(records),
  skippedLines: 0,
  outsidePeriod: 0,
  period: ALWAYS,
  changes: undefined,
  ...more,
});
const sample = readOf(sampleRecords, {
  skippedLines: 3,
  outsidePeriod: 2,
  changes: changes(figuresOf(sampleRecords.slice(0, 90)), figuresOf(sampleRecords)),
});
const TEXT = `${HOSTILE.join(" ")} </style><script>document.title = "forged"</script> ${"unbroken".repeat(20)}`;
const hostile = readOf(
  [FAIL, DOUBT, {}].flatMap((one) =>
    [TEXT, TEXT.slice(150), HOSTILE.join("").slice(0, 190)].map((text) => ({
      ...one,
      server: text,
      tool: text,
      mode: text,
      reason_code: text,
      checked_fields: [text],
      gate_ms: 5,
    })),
  ),
);
const about = { version: "1.2.3", nowMs: Date.parse("2026-11-30T12:00:00Z") };

const folder = mkdtempSync(join(tmpdir(), "fourgate-page-"));
let browser: Browser;
beforeAll(() => {
  browser = startChromium();
});
afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

let pages = 0;
function pageOf(read: Read, notes: readonly string[] = []): string {
  const file = join(folder, `${pages++}.html`);
  writeFileSync(file, summaryPage(read, { ...about, notes }));
  return pathToFileURL(file).href;
}

const OPEN_ALL = "document.querySelectorAll('details').forEach((one) => { one.open = true; })";
const SIDEWAYS = `[document.documentElement.scrollWidth > innerWidth,
  ...[...document.querySelectorAll('body *')].filter((one) => one.getBoundingClientRect().right > innerWidth + 1).map((one) => one.tagName)]`;

describe.each([
  ["a usual log", sample],
  ["records without times", readOf([{}, DOUBT])],
  ["hostile names", hostile],
])("the page of %s", (_what, read) => {
  test.each([
    ["on a phone, dark", { width: 360, dark: true }],
    ["on a screen", { width: 1280 }],
  ])("%s: nothing loaded or run, nothing sideways, nothing that axe finds", async (_where, view) => {
    const page = await browser.open(pageOf(read, [TEXT]), view);
    await page.evaluate(OPEN_ALL);
    expect(await page.evaluate(SIDEWAYS)).toEqual([false]);
    expect(await page.evaluate("document.querySelectorAll('script, img, link, iframe').length")).toBe(0);
    expect(await page.evaluate("document.title")).toMatch(/^fourgate summary: /);
    expect(page.incidents).toEqual([]);
    expect(await axe(page)).toEqual([]);
  });
});

test("axe sees what is wrong", async () => {
  const page = await browser.open(pageOf(sample), { width: 1280 });
  await page.evaluate("document.querySelector('.lead').style.color = '#ddd'");
  expect((await axe(page)).map((found) => found.split(":")[0])).toContain("color-contrast");
});

test("the charts show the numbers: heights over time, lengths by tool", async () => {
  const read = readOf([
    {},
    {},
    {},
    FAIL,
    { timestamp: 1_780_000_000 + 2 * 86_400 },
    { timestamp: 1_780_000_000 + 4 * 86_400 },
  ]);
  const page = await browser.open(pageOf(read), { width: 1280 });
  const bars = await page.evaluate(
    "[...document.querySelectorAll('.chart rect')].map((one) => [one.className.baseVal, Number(one.getAttribute('x')), Number(one.getAttribute('height'))])",
  );
  expect(bars).toEqual([
    ["pass", 0.1, 75],
    ["fail", 0.1, 25],
    ["pass", 2.1, 25],
    ["pass", 4.1, 25],
  ]);
  const shares = await page.evaluate(
    "[...document.querySelectorAll('.cases .bar')][0].querySelectorAll('rect').length",
  );
  expect(shares).toBe(2);
});

test("one FAIL among many calls is seen, and no bar is higher than the chart", async () => {
  const read = readOf([FAIL, ...Array.from({ length: 999 }, () => ({}))]);
  const page = await browser.open(pageOf(read), { width: 360 });
  const bars = await page.evaluate(
    "[...document.querySelectorAll('.chart rect')].map((one) => [one.className.baseVal, one.getBoundingClientRect().height > 1, Number(one.getAttribute('y')) >= 0])",
  );
  expect(bars).toEqual([
    ["pass", true, true],
    ["fail", true, true],
  ]);
});

describe("time", () => {
  test("hours for a short log, with the empty ones between", () => {
    const buckets = timeBuckets(figuresOf([{}, { timestamp: 1_780_000_000 + 3 * 3600 }]));
    expect(buckets.map(({ label, totals }) => `${label} ${totals.pass}`)).toEqual([
      "2026-05-28 20:00 1",
      "2026-05-28 21:00 0",
      "2026-05-28 22:00 0",
      "2026-05-28 23:00 1",
    ]);
  });

  test("never more than 60 bars, and no call lost, however far apart", () => {
    for (const span of [1, 30, 59, 60, 61, 365, 9000, 2_000_000]) {
      const figures = figuresOf([{ timestamp: 0 }, {}, { timestamp: span * 86_400 }]);
      const buckets = timeBuckets(figures);
      expect(buckets.length).toBeLessThanOrEqual(60);
      expect(buckets.reduce((sum, { totals }) => sum + totals.pass, 0)).toBe(3);
    }
  });
});

test("added time in steps, all samples in one of them", () => {
  const waits = [0, 1, 2, 4, 5, 9, 10, 150, 2500, 90_000];
  const steps = latencySteps(figuresOf(waits.map((gate_ms) => ({ gate_ms }))));
  expect(steps.filter(({ count }) => count > 0).map(({ label, count }) => `${label}: ${count}`)).toEqual([
    "0 ms: 1",
    "1 ms: 1",
    "2 to 4 ms: 2",
    "5 to 9 ms: 2",
    "10 to 19 ms: 1",
    "100 to 199 ms: 1",
    "2000 ms or more: 2",
  ]);
});

test("a FAIL that the client was not told stands in the text and on the page", async () => {
  const read = readOf([{ ...FAIL, verdict_withheld: "line_too_long" }, FAIL]);
  expect(summaryText(read, false)).toContain("\n1 FAIL was not put before the client in enforce mode");
  const page = await browser.open(pageOf(read), { width: 1280 });
  expect(await page.evaluate("document.querySelector('.note').textContent")).toContain("1 FAIL was not put before");
  expect(summaryText(sample, false)).not.toContain("not put before");
});

test("calls on days that are not counted each by itself are told, since they are not drawn", async () => {
  const days = Array.from({ length: 3655 }, (_, day) => ({ timestamp: day * 86_400 }));
  const page = await browser.open(pageOf(readOf(days)), { width: 360 });
  expect(await page.evaluate("document.body.textContent")).toContain("2 calls on days past the 3,653");
  expect(summaryPage(sample, about)).not.toContain("on days past");
});

describe("the view on a terminal", () => {
  const shown = (read: Read, size = {}) =>
    liveScreen(read, ["a\u001b[2Jb.jsonl"], size, false)
      .replace("\u001b[H", "")
      .replace("\u001b[J", "")
      .split("\u001b[K\r\n")
      .map((text) => text.replace("\u001b[K", ""));

  test("begins with the logs and the counts", () => {
    expect(shown(sample, { rows: 50, columns: 200 }).slice(0, 3)).toEqual([
      "a\\u001b[2Jb.jsonl  (Ctrl-C ends)",
      "240 protected calls  PASS 205  FAIL 15  UNKNOWN 20",
      "from 2026-05-28 20:26 UTC to 2026-06-06 03:36 UTC",
    ]);
  });

  test.each([
    [{ rows: 5, columns: 30 }, 5, 30],
    [{ rows: 1, columns: 1 }, 2, 1],
    [{ rows: 0, columns: 0 }, 24, 80],
    [{}, 24, 80],
  ])("of %j never scrolls or breaks a line", (size, rows, columns) => {
    for (const read of [sample, hostile]) {
      const lines = shown(read, size);
      expect(lines.length).toBeLessThanOrEqual(rows);
      for (const text of lines) {
        expect(text).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
        expect(text.length).toBeLessThan(columns);
      }
      if (columns === 80 && read === sample) expect(lines.at(-1)).toMatch(/^\.\.\. \d+ more lines$/);
    }
  });

  test("says what it waits for", () => {
    expect(shown(readOf([]))[1]).toBe("waiting for the first record");
    expect(shown(readOf([], { skippedLines: 2 }))[1]).toBe("no record yet; skipped: 2 lines");
  });

  test("has the colours of the text", () => {
    const text = liveScreen(sample, ["log"], { rows: 50, columns: 200 }, true);
    expect(text).toContain("\u001b[31m240 protected calls");
    expect(text).toContain("\u001b[31m  FAIL\u001b[0m");
    expect(text).toContain("\u001b[33m  UNKNOWN\u001b[0m");
  });
});

describe("the text", () => {
  test("of a log", () => {
    const text = summaryText(readOf([{ gate_ms: 4 }, { ...FAIL, gate_ms: 8 }, DOUBT]), false);
    expect(text.split("\n").slice(0, 4)).toEqual([
      "3 protected calls  PASS 1  FAIL 1  UNKNOWN 1",
      "at 2026-05-28 20:26 UTC",
      "servers: tracker; modes: enforce",
      "added latency: p50 4 ms, p95 8 ms, p99 8 ms, max 8 ms (2 calls)",
    ]);
    expect(text).toContain("  UNKNOWN  verifier_timeout  1\n           The verifier had not answered");
    expect(text).toContain(
      "  2026-05-28T20:26:40.000Z  tracker/create_issue  enforce  record_missing (issue_id, title)\n",
    );
  });

  test("of hostile names holds no control character", () => {
    const texts = [summaryText(hostile, false), recordText(record({ tool: TEXT, reason_code: TEXT }), false)];
    expect(recordJson(record({ tool: TEXT }))).toMatch(/^[\x20-\x7e]*\n$/);
    expect(JSON.parse(recordJson(record({ tool: TEXT }))).tool).toBe(
      TEXT.slice(0, 200).replace(/\p{Surrogate}/gu, "\ufffd"),
    );
    for (const text of texts) expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u202e]/);
    expect(summaryJson(summaryDocument(hostile, 0))).toMatch(/^[\n\x20-\x7e]*$/);
  });
});

test.each([
  ["a usual log", sample],
  ["hostile names", hostile],
])("the document of %s follows its schema", (_what, read) => {
  const validate = new Ajv({ strict: false }).compile(summarySchema);
  const document = JSON.parse(summaryJson(summaryDocument(read, 0)));
  expect(validate(document), JSON.stringify(validate.errors)).toBe(true);
  expect(validate({ ...document, calls: -1 })).toBe(false);
});
