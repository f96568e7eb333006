// The session's side of the reader, with readers that crash, hang, babble or stay.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { ToolContract } from "../../src/core/contract/types.ts";
import type { Checker, CheckRun } from "../../src/io/checker.ts";
import { createReader } from "../../src/io/reader.ts";
import { contract } from "../playbook.ts";
import { readback } from "../readback/reading.ts";

const spec = await readback({
  type: "http",
  url_template: "http://127.0.0.1:1/{id}",
  expected_fields: { id: "id" },
  timeout_ms: 1000,
});
const tool: ToolContract = contract("create", { verifier: undefined, readback: spec });

const cleanups: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

/** A reader that behaves as the word says, and how often it was started. */
function open(how: string): { reader: Checker; pids: () => number[] } {
  const directory = mkdtempSync(join(tmpdir(), "fourgate-reader-"));
  cleanups.push(() => rmSync(directory, { recursive: true, force: true }));
  const starts = join(directory, "starts");
  const command = [process.execPath, resolve("test/fixtures/readers/odd.mjs"), how, starts] as const;
  const reader = createReader({ environment: process.env, tools: [tool], command: [...command] });
  cleanups.push(() => reader.close());
  return {
    reader,
    pids() {
      try {
        return readFileSync(starts, "utf8").trim().split("\n").map(Number);
      } catch {
        return [];
      }
    },
  };
}

const outcomeOf = (run: CheckRun) => (run.reply.ended === "read" ? run.reply.outcome : run.reply);

/** Waits until the condition holds; the test's own limit ends a wait in vain. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((look) => setTimeout(look, 10));
}

function runs(pid: number): boolean {
  try {
    return !/\) Z/.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
}

describe("a check", () => {
  test("reaches the reader with its fields, its budget and the age of the answer", async () => {
    const { reader } = open("answers");
    const outcome = outcomeOf(await reader.run(1, tool, '{"id":1915883588174806058}', 800)) as { note: string };
    const asked = JSON.parse(outcome.note);
    expect(asked).toMatchObject({ type: "check", id: 1, readback: "create", fields: '{"id":1915883588174806058}' });
    expect(asked.budgetMs).toBeGreaterThan(700);
    expect(asked.budgetMs).toBeLessThanOrEqual(800);
    // The contract gives 1000 ms, of which 200 had passed already.
    expect(asked.ageMs).toBeGreaterThanOrEqual(200);
    expect(asked.ageMs).toBeLessThan(300);
  });

  test.each(["says-rubbish", "answers-others", "answers-twice"])(
    "of a reader that %s is settled once, rightly",
    async (how) => {
      const { reader } = open(how);
      const runs = await Promise.all([1, 2, 3].map((id) => reader.run(id, tool, "{}", 1000)));
      expect(runs.map((run) => outcomeOf(run))).toMatchObject([{ type: "pass" }, { type: "pass" }, { type: "pass" }]);
    },
  );

  test("that is cancelled settles as cancelled at once", async () => {
    const { reader } = open("says-nothing");
    const run = reader.run(1, tool, "{}", 60_000);
    reader.cancel(1);
    expect((await run).reply).toEqual({ ended: "cancelled" });
    reader.cancel(1);
    reader.cancel(99);
  });

  test("without any time left is not asked", async () => {
    const { reader, pids } = open("answers");
    expect(outcomeOf(await reader.run(1, tool, "{}", 0))).toMatchObject({ reason: "readback_timeout" });
    expect(pids()).toEqual([]);
  });
});

describe("a reader that fails", () => {
  test("by ending makes its check UNKNOWN, and the next check has another reader", async () => {
    const { reader, pids } = open("dies-when-asked");
    expect(outcomeOf(await reader.run(1, tool, "{}", 5000))).toMatchObject({
      type: "unknown",
      reason: "readback_error",
    });
    expect(outcomeOf(await reader.run(2, tool, "{}", 5000))).toMatchObject({
      type: "unknown",
      reason: "readback_error",
    });
    expect(new Set(pids()).size).toBe(2);
  });

  test("again and again is started less and less often", async () => {
    const { reader, pids } = open("dies-at-once");
    const startedAt: number[] = [];
    for (let id = 1; startedAt.length < 4; id++) {
      expect(outcomeOf(await reader.run(id, tool, "{}", 1))).toMatchObject({ type: "unknown" });
      while (startedAt.length < pids().length) startedAt.push(performance.now());
      await new Promise((turn) => setImmediate(turn));
    }
    // At once, after 0, after 250 and after 500 ms more; a start is seen a little after it was made.
    expect(startedAt[2]! - startedAt[1]!).toBeGreaterThan(100);
    expect(startedAt[3]! - startedAt[2]!).toBeGreaterThan(250);
  });

  test("and may start again only after the check's time: UNKNOWN at once", async () => {
    const { reader, pids } = open("dies-at-once");
    await reader.run(1, tool, "{}", 5000);
    await reader.run(2, tool, "{}", 5000);
    const begin = performance.now();
    expect(outcomeOf(await reader.run(3, tool, "{}", 100))).toMatchObject({ reason: "readback_error" });
    expect(performance.now() - begin).toBeLessThan(100);
    expect(pids()).toHaveLength(2);
  });

  test("and may start again within the check's time: the check waits for that", async () => {
    const { reader, pids } = open("dies-at-once");
    await reader.run(1, tool, "{}", 5000);
    await reader.run(2, tool, "{}", 5000);
    const begin = performance.now();
    expect(outcomeOf(await reader.run(3, tool, "{}", 5000))).toMatchObject({ reason: "readback_error" });
    expect(performance.now() - begin).toBeGreaterThan(100);
    expect(pids()).toHaveLength(3);
  });

  test("by silence costs its check its budget and no more, and makes way for another", async () => {
    const { reader, pids } = open("says-nothing");
    const begin = performance.now();
    expect(outcomeOf(await reader.run(1, tool, "{}", 200))).toMatchObject({ reason: "readback_timeout" });
    expect(performance.now() - begin).toBeLessThan(600);
    await until(() => pids().length === 1 && !runs(pids()[0]!));
    // Until its exit has been seen here, a check may still go to the dead one.
    for (let id = 2; pids().length < 2; id++) await reader.run(id, tool, "{}", 50);
  });

  test("by a line without an end is ended", async () => {
    const { reader, pids } = open("says-no-end");
    expect(outcomeOf(await reader.run(1, tool, "{}", 5000))).toMatchObject({ reason: "readback_error" });
    expect(runs(pids()[0]!)).toBe(false);
  });

  test("by not being there makes every check UNKNOWN", async () => {
    const reader = createReader({ environment: {}, tools: [tool], command: ["/no/such/program"] });
    cleanups.push(() => reader.close());
    expect(outcomeOf(await reader.run(1, tool, "{}", 1000))).toMatchObject({ reason: "readback_error" });
  });
});

describe("the end", () => {
  test("leaves nothing behind, and settles what is under way", async () => {
    const { reader, pids } = open("says-nothing");
    const run = reader.run(1, tool, "{}", 60_000);
    await until(() => pids().length === 1);
    await reader.close();
    expect((await run).reply).toEqual({ ended: "cancelled" });
    expect(runs(pids()[0]!)).toBe(false);
    expect((await reader.run(2, tool, "{}", 1000)).reply).toEqual({ ended: "cancelled" });
    reader.prewarm(tool);
    expect(pids()).toHaveLength(1);
  });

  test("of a reader that stays is soon, and final", async () => {
    const { reader, pids } = open("stays");
    await reader.run(1, tool, "{}", 5000);
    const begin = performance.now();
    await reader.close();
    expect(performance.now() - begin).toBeLessThan(3000);
    await until(() => !runs(pids()[0]!));
  });

  test("may be at once", async () => {
    const { reader, pids } = open("stays");
    await reader.run(1, tool, "{}", 5000);
    reader.killNow();
    await until(() => !runs(pids()[0]!));
  });
});

test("it is started ahead once, and only for a tool with a read-back", async () => {
  const { reader, pids } = open("answers");
  reader.prewarm(contract("other"));
  reader.prewarm(tool);
  reader.prewarm(tool);
  await reader.run(1, tool, "{}", 5000);
  expect(pids()).toHaveLength(1);
});
