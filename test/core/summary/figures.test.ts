// The figures against a plain count of the same records, and lines that are no record.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { changes } from "../../../src/core/summary/change.ts";
import { FiguresBuilder, OTHERS } from "../../../src/core/summary/figures.ts";
import { LatencyCounts } from "../../../src/core/summary/latency.ts";
import { MAX_SUMMARY_NAMES } from "../../../src/core/summary/limits.ts";
import { before, readInstant } from "../../../src/core/summary/period.ts";
import { type LoggedOutcome, readRecordLine } from "../../../src/core/summary/record-line.ts";

const good = { status: "pass", timestamp: 1_780_000_000.12, server: "s", tool: "t", mode: "enforce", reason_code: "r" };
const line = (more: object) => JSON.stringify({ ...good, ...more });
const read = (more: object) => readRecordLine(line(more)) as LoggedOutcome;

describe("a line", () => {
  test("with a record, as it is and as guard writes it to stderr", () => {
    const record = {
      timeMs: 1_780_000_000_120,
      server: "s",
      tool: "t",
      mode: "enforce",
      status: "pass",
      reasonCode: "r",
      checkedFields: ["a"],
      gateMs: 3,
      withheld: false,
    };
    const text = line({ gate_ms: 3, checked_fields: ["a"], new_key: { of: "later" } });
    expect(readRecordLine(text)).toEqual(record);
    expect(readRecordLine(`[FOURGATE_OUTCOME] ${text}\r`)).toEqual(record);
    expect(readRecordLine(`2026-11-30 12:00:00 [server stderr] [FOURGATE_OUTCOME] ${text}`)).toEqual(record);
  });

  test("with the mark in a name is a record of that name", () => {
    expect(read({ tool: "[FOURGATE_OUTCOME] {}" }).tool).toBe("[FOURGATE_OUTCOME] {}");
  });

  test.each<[string, string]>([
    ["no JSON", "fourgate guard 0.3.0"],
    ["torn", line({}).slice(0, 50)],
    ["a list", "[]"],
    ["null", "null"],
    ["another status", line({ status: "maybe" })],
    ["a status of another kind", line({ status: ["pass"] })],
    ["no time", line({ timestamp: undefined })],
    ["a time as text", line({ timestamp: "1780000000" })],
    ["a time out of all calendars", line({ timestamp: 1e18 })],
    ["a time before 1970", line({ timestamp: -1 })],
    ["a number of 5000 digits", line({}).replace("1780000000.12", "9".repeat(5000))],
    ["5000 brackets", "[".repeat(5000)],
    ["more than 64 KiB", line({ more: "x".repeat(65_536) })],
  ])("that is %s is no record", (_, text) => {
    expect(readRecordLine(text)).toBeUndefined();
  });

  test("of white space counts as nothing", () => {
    expect(["", " ", "\r", "\t \r"].map(readRecordLine)).toEqual(["blank", "blank", "blank", "blank"]);
  });

  test("names that are missing, odd or long", () => {
    expect(read({ server: undefined, tool: 5, mode: "" })).toMatchObject({
      server: "unknown",
      tool: "unknown",
      mode: "unknown",
    });
    expect(read({ tool: "x".repeat(300) }).tool).toBe("x".repeat(200));
    expect(read({ tool: "\ud800\u{1f375}\udc00" }).tool).toBe("\ufffd\u{1f375}\ufffd");
    expect(read({ tool: `${"x".repeat(199)}\u{1f375}` }).tool).toBe("x".repeat(199));
  });

  test("tells of a verdict that was not put before the client", () => {
    expect([read({ verdict_withheld: "line_too_long" }).withheld, read({}).withheld]).toEqual([true, false]);
  });

  test.each([-1, 1.5, "3", null, 1e300])("gate_ms %j is left out", (gate_ms) => {
    expect(read({ gate_ms }).gateMs).toBeUndefined();
  });
});

const outcome = fc.record({
  timeMs: fc.integer({ min: 1_700_000_000_000, max: 1_700_400_000_000 }),
  server: fc.constantFrom("a", "b", "__proto__"),
  tool: fc.constantFrom("t", "u", "constructor"),
  mode: fc.constantFrom("shadow", "enforce"),
  status: fc.constantFrom("pass", "fail", "unknown"),
  reasonCode: fc.constantFrom("x", "y", "z"),
  checkedFields: fc.constant([]),
  gateMs: fc.option(fc.integer({ min: 0, max: 3000 }), { nil: undefined }),
  withheld: fc.boolean(),
});

test("counts are those of a plain count, in whatever order records come", () => {
  fc.assert(
    fc.property(fc.array(outcome, { maxLength: 200 }), (records) => {
      const builder = new FiguresBuilder();
      for (const record of records) builder.add(record as LoggedOutcome);
      const figures = builder.result();
      const count = (holds: (record: (typeof records)[number]) => boolean) => records.filter(holds).length;
      expect(figures.calls).toBe(records.length);
      for (const status of ["pass", "fail", "unknown"] as const) {
        expect(figures.totals[status]).toBe(count((one) => one.status === status));
        for (const [name, totals] of Object.entries(figures.by_tool)) {
          expect(totals[status]).toBe(count((one) => one.status === status && `${one.server}/${one.tool}` === name));
        }
        for (const [day, totals] of [...Object.entries(figures.by_day), ...Object.entries(figures.by_hour)]) {
          const held = count((one) => one.status === status && new Date(one.timeMs).toISOString().startsWith(day));
          expect(totals[status]).toBe(held);
        }
      }
      for (const { status, reason_code, count: counted } of figures.reasons) {
        expect(counted).toBe(count((one) => one.status === status && one.reasonCode === reason_code));
      }
      expect(Object.keys(figures.by_day)).toEqual(Object.keys(figures.by_day).toSorted());
      expect(figures.withheld_verdicts).toBe(count(({ status, withheld }) => status === "fail" && withheld));
      const waits = records.flatMap(({ gateMs }) => (gateMs === undefined ? [] : [gateMs])).sort((a, b) => a - b);
      const rank = (share: number) => waits[Math.ceil(share * waits.length) - 1];
      expect(figures.latency).toEqual(
        waits.length === 0
          ? null
          : { samples: waits.length, p50_ms: rank(0.5), p95_ms: rank(0.95), p99_ms: rank(0.99), max_ms: waits.at(-1) },
      );
      const failed = records.filter(({ status }) => status === "fail").map(({ timeMs }) => timeMs);
      expect(figures.last_failures.map(({ time }) => Date.parse(time))).toEqual(
        failed.sort((a, b) => b - a).slice(0, 20),
      );
    }),
  );
});

test("the tool with most calls is first, reasons go by status and number", () => {
  const builder = new FiguresBuilder();
  for (const more of [{ tool: "a" }, { tool: "b" }, { tool: "b", status: "unknown" }, { tool: "b", status: "fail" }]) {
    builder.add(read(more));
  }
  builder.add(read({ tool: "b", reason_code: "other" }));
  builder.add(read({ tool: "b", reason_code: "other" }));
  const { by_tool, reasons, first, last } = builder.result();
  expect(Object.keys(by_tool)).toEqual(["s/b", "s/a"]);
  expect(reasons.map(({ status, reason_code, count }) => `${status} ${reason_code} ${count}`)).toEqual([
    "pass other 2",
    "pass r 2",
    "fail r 1",
    "unknown r 1",
  ]);
  expect([first, last]).toEqual(["2026-05-28 20:26 UTC", "2026-05-28 20:26 UTC"]);
});

test("the nearest rank", () => {
  const latency = new LatencyCounts();
  for (const ms of [1200, 1400, 1600, 2100]) latency.add(ms);
  expect(latency.result()).toEqual({ samples: 4, p50_ms: 1400, p95_ms: 2100, p99_ms: 2100, max_ms: 2100 });
});

test("past all measure, three digits are kept", () => {
  const latency = new LatencyCounts();
  for (const ms of [65_535, 65_536, 123_456_789, Number.MAX_SAFE_INTEGER]) latency.add(ms);
  expect(latency.counts().map(([ms]) => ms)).toEqual(
    [65_535, 65_500, 123_000_000, 9_000_000_000_000_000].sort((a, b) => a - b),
  );
  expect(latency.result()?.max_ms).toBe(Number.MAX_SAFE_INTEGER);
});

test("a log of a million names takes the room of a thousand", () => {
  const builder = new FiguresBuilder();
  const count = 5000;
  for (let i = 0; i < count; i++) {
    builder.add(read({ server: `s${i}`, mode: `m${i}`, reason_code: `r${i}`, timestamp: i * 86_400 }));
  }
  const { servers, modes, by_tool, by_day, by_hour, reasons } = builder.result();
  for (const all of [servers, modes, Object.keys(by_tool), reasons]) expect(all).toHaveLength(MAX_SUMMARY_NAMES + 1);
  expect(by_tool[`${OTHERS}`]).toEqual({ pass: count - MAX_SUMMARY_NAMES, fail: 0, unknown: 0 });
  expect(Object.keys(by_day)).toHaveLength(3654);
  expect(by_hour).toEqual({});
});

describe("a period", () => {
  const now = Date.parse("2026-11-30T12:00:00Z");
  test.each<[string, "since" | "until", string | undefined]>([
    ["90m", "since", "2026-11-30T10:30:00.000Z"],
    ["24h", "since", "2026-11-29T12:00:00.000Z"],
    ["7d", "until", "2026-11-23T12:00:00.000Z"],
    ["2w", "since", "2026-11-16T12:00:00.000Z"],
    ["2026-11-30", "since", "2026-11-30T00:00:00.000Z"],
    ["2026-11-30", "until", "2026-12-01T00:00:00.000Z"],
    ["2026-11-30T08:00Z", "since", "2026-11-30T08:00:00.000Z"],
    ["2026-11-30T08:00:00.5+02:00", "until", "2026-11-30T06:00:00.500Z"],
    ["2026-02-30", "since", undefined],
    ["2026-11-30T08:00", "since", undefined],
    ["yesterday", "since", undefined],
    ["7", "since", undefined],
    ["", "since", undefined],
  ])("%s as %s", (text, border, expected) => {
    const found = readInstant(text, border, now);
    expect(found === undefined ? undefined : new Date(found).toISOString()).toBe(expected);
  });

  test("and the one before it are of one length", () => {
    expect(before({ since: 100, until: 130 })).toEqual({ since: 70, until: 100 });
  });
});

test("two periods side by side: only what changed, the greatest change first", () => {
  const figures = (...records: object[]) => {
    const builder = new FiguresBuilder();
    for (const record of records) builder.add(read(record));
    return builder.result();
  };
  const then = figures({ tool: "a" }, { tool: "b", status: "fail", reason_code: "gone", gate_ms: 5 });
  const now = figures(
    { tool: "a" },
    { tool: "c", status: "fail" },
    { tool: "c", status: "fail" },
    { tool: "c", status: "unknown" },
  );
  expect(changes(then, now)).toEqual({
    totals: { before: { pass: 1, fail: 1, unknown: 0 }, now: { pass: 1, fail: 2, unknown: 1 } },
    trouble_by_tool: [
      { name: "s/c", before: 0, now: 3 },
      { name: "s/b", before: 1, now: 0 },
    ],
    calls_by_tool: [
      { name: "s/c", before: 0, now: 3 },
      { name: "s/b", before: 1, now: 0 },
    ],
    reasons: [
      { name: "fail r", before: 0, now: 2 },
      { name: "fail gone", before: 1, now: 0 },
      { name: "unknown r", before: 0, now: 1 },
    ],
    p95_ms: { before: 5, now: null },
  });
});
