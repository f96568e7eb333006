import { expect, test } from "vitest";
import { createLiveText } from "../../src/report/index.ts";
import { text } from "../../src/report/text.ts";
import { fitted } from "../../src/report/width.ts";
import { aCase, aReport, plain, sample } from "./sample.ts";

/** Runs the sample through a live reporter and gives what it wrote, with a clock of its own. */
function play(options: { isTerminal: boolean; columns?: number }) {
  const writes: string[] = [];
  let now = 1000;
  const ticking = { tick: (): void => {}, running: false };
  const live = createLiveText(
    { write: (chunk) => writes.push(chunk) },
    {
      color: false,
      columns: 80,
      ...options,
      now: () => now,
      every: (_ms, call) => {
        Object.assign(ticking, { tick: call, running: true });
        return { stop: () => Object.assign(ticking, { running: false }) };
      },
    },
  );
  return { live, writes, ticking, wait: (ms: number) => (now += ms) };
}

test("elsewhere than on a terminal: one line a case as it ends, the counts last, and the same as the report", () => {
  const { live, writes } = play({ isTerminal: false });
  live.started(sample.totals.cases);
  expect(writes).toEqual([]);
  for (const one of sample.cases) {
    live.caseStarted(one.index, one.name);
    live.caseDone(one);
  }
  live.finished(sample);
  expect(writes).toHaveLength(sample.cases.length + 1);
  expect(writes.join("")).toBe(text.write(sample, plain));
});

test("on a terminal a bar keeps time while a case runs, and leaves nothing behind", () => {
  const { live, writes, ticking, wait } = play({ isTerminal: true });
  live.started(4);
  live.caseStarted(1, "create_ticket #1");
  expect(writes.at(-1)).toBe("\r\x1b[2K[                        ] 0/4  0:00  create_ticket #1");
  wait(65_000);
  ticking.tick();
  expect(writes.at(-1)).toContain("0/4  1:05  create_ticket #1");
  live.caseDone(aCase());
  expect(writes.at(-1)).toBe("\r\x1b[2KPASS     create_ticket #1  84 ms\n[======                  ] 1/4  1:05");
  live.caseDone(aCase({ status: "fail", reason_code: "record_missing", as_expected: false }));
  expect(writes.at(-1)).toContain("2/4  1:05  1 not as expected");
  live.finished(aReport([aCase()]));
  expect(ticking.running).toBe(false);
  expect(screen(writes.join("")).some((line) => line.includes("["))).toBe(false);
});

test("the bar never takes more than one row, whatever the name of a case", () => {
  const { live, writes } = play({ isTerminal: true, columns: 40 });
  live.started(3);
  for (const name of ["a".repeat(500), "\u001b[2J\r\n\u0007 hidden", "漢字".repeat(50)]) {
    live.caseStarted(1, name);
    const bar = writes.at(-1)!.slice("\r\x1b[2K".length);
    expect(bar).not.toMatch(/[\u0000-\u001f]/);
    expect(bar.length).toBeLessThan(40);
  }
});

test("wide characters count two columns, combining ones none", () => {
  expect(fitted("漢字漢字", 5)).toBe("漢字");
  expect(fitted("e\u0301e\u0301e\u0301", 2)).toBe("e\u0301e\u0301");
});

/** What a terminal shows in the end: a carriage return and "erase line" take the line back. */
function screen(written: string): string[] {
  return written.split("\n").map((line) => line.split("\r\x1b[2K").at(-1)!);
}
