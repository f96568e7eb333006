// Every protected call is checked and recorded, however fast the server and however many calls are in flight.

import { expect, test } from "vitest";
import { contractFor, FAILS, fixture, guard, node, verdictOf } from "./harness.ts";

const COUNT = 2000;
const contract = contractFor(FAILS);

function expectAllFailed(records: { status: string; seq: number }[]): void {
  expect(records).toHaveLength(COUNT);
  expect(records.filter((record) => record.status !== "fail")).toEqual([]);
  expect(new Set(records.map((record) => record.seq)).size).toBe(COUNT);
}

test("2,000 calls one after the other: 2,000 verdicts and 2,000 records", async () => {
  const session = guard({ contract, flags: ["--mode", "enforce"] }).read();
  for (let id = 0; id < COUNT; id++) {
    session.call(id);
    const message = await session.message();
    expect(message.id).toBe(id);
    expect(verdictOf(message)).toContain("outcome_failed");
  }
  expect(await session.end()).toBe(0);
  expectAllFailed(session.records());
});

test("64 outstanding, answered in random order, unprotected calls mixed in", async () => {
  const session = guard({
    contract,
    flags: ["--mode", "enforce"],
    server: [node, fixture("fast.mjs"), "--shuffle", "32"],
  }).read();
  const asked = new Map<number, string>();
  let sent = 0;
  let verdicts = 0;
  let others = 0;
  const ask = () => {
    if (sent >= 2 * COUNT) return;
    const tool = sent % 2 === 0 ? "create" : "other";
    asked.set(sent, tool);
    session.call(sent++, tool);
    if (sent === 2 * COUNT) session.child.stdin.end();
  };
  for (let i = 0; i < 64; i++) ask();
  while (asked.size > 0) {
    const message = await session.message();
    const tool = asked.get(message.id);
    asked.delete(message.id);
    const failed = verdictOf(message).includes("outcome_failed");
    expect(failed).toBe(tool === "create");
    if (failed) verdicts++;
    else others++;
    ask();
  }
  expect([verdicts, others]).toEqual([COUNT, COUNT]);
  expect(await session.exited).toBe(0);
  expectAllFailed(session.records());
});
