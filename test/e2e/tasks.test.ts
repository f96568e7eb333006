// Calls that become tasks, at a published server: the verdict stands where the outcome is told, each time that it is.

import { expect, test } from "vitest";
import { contractFor, FAILS, type Guard, guard, node, PASSES, verdictOf } from "./harness.ts";
import { EVERYTHING } from "./sdk.ts";

const TOOL = "simulate-research-query";

/** The next message of the server with this id; what comes in between goes by. */
async function answered(session: Guard, id: number) {
  for (;;) {
    const message = await session.message();
    if (message.id === id && !("method" in message)) return message;
  }
}

async function research(verifier: readonly string[], mode: string) {
  const extract = { topic: { source: "arguments", path: "topic" } };
  const contract = contractFor(verifier, { extract, record_id_field: "topic" }, [TOOL]);
  const session = guard({ contract, server: [node, EVERYTHING], flags: ["--mode", mode] }).read();
  const clientInfo = { name: "test", version: "1" };
  const params = { protocolVersion: "2025-11-25", capabilities: { tasks: {} }, clientInfo };
  session.send({ jsonrpc: "2.0", id: 1, method: "initialize", params });
  await answered(session, 1);
  session.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  const call = { name: TOOL, arguments: { topic: "tea" }, task: { ttl: 60_000 } };
  session.send({ jsonrpc: "2.0", id: 2, method: "tools/call", params: call });
  const { taskId } = (await answered(session, 2)).result.task;
  // Blocks until the task has ended.
  session.send({ jsonrpc: "2.0", id: 3, method: "tasks/result", params: { taskId } });
  const first = await answered(session, 3);
  session.send({ jsonrpc: "2.0", id: 4, method: "tasks/result", params: { taskId } });
  const second = await answered(session, 4);
  // This server keeps its timers at the end of its input, and is ended.
  expect(await session.end()).toBe(143);
  return { first, second, records: session.records() };
}

test("enforce and a FAIL: the verdict is in every answer to tasks/result, the record is one", async () => {
  const { first, second, records } = await research(FAILS, "enforce");
  for (const answer of [first, second]) {
    expect(verdictOf(answer)).toContain("outcome_failed");
    expect(answer.result.content[1].text).toContain("Research Report");
  }
  expect(records).toMatchObject([{ tool: TOOL, status: "fail", reason_code: "record_missing", mode: "enforce" }]);
});

test("enforce and a PASS, shadow and a FAIL: the server's own answer, and one record", async () => {
  for (const [verifier, mode, status] of [
    [PASSES, "enforce", "pass"],
    [FAILS, "shadow", "fail"],
  ] as const) {
    const { first, second, records } = await research(verifier, mode);
    for (const answer of [first, second]) expect(verdictOf(answer)).toContain("Research Report");
    expect(records).toMatchObject([{ status, mode }]);
  }
});
