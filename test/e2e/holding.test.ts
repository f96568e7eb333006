// One slow check holds one answer: everything else goes by, and shadow waits for nothing.

import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { contractFor, guard, verdictOf } from "./harness.ts";

const slowly = (seconds: number) => [
  "sh",
  "-c",
  `read -r input; sleep ${seconds}; echo '{"status":"fail","reason_code":"record_missing"}'`,
];

test("enforce: pings, other calls and notifications pass within 50 ms while a 1.5 s check runs", async () => {
  const session = guard({ contract: contractFor(slowly(1.5)), flags: ["--mode", "enforce"] }).read();
  session.call("warm", "other");
  await session.message();
  session.call("held");
  // The check is under way once an answer sent behind the held one is here.
  const waits: number[] = [];
  for (let id = 0; id < 20; id++) {
    const begin = performance.now();
    if (id % 2 === 0) session.send({ jsonrpc: "2.0", id, method: "ping" });
    else session.call(id, "other");
    expect((await session.message()).id).toBe(id);
    waits.push(performance.now() - begin);
  }
  waits.sort((a, b) => a - b);
  expect(waits[Math.floor(waits.length / 2)]).toBeLessThan(50);
  const held = await session.message();
  expect(held.id).toBe("held");
  expect(verdictOf(held)).toContain("outcome_failed");
  expect(await session.end()).toBe(0);
  const [record] = session.records();
  expect(record).toMatchObject({ status: "fail", mode: "enforce" });
  expect(record!.gate_ms).toBeGreaterThanOrEqual(1500);
});

test("shadow: the answer is with the client while its check still runs", async () => {
  const session = guard({ contract: contractFor(slowly(1.5)) }).read();
  session.call(1);
  expect((await session.message()).id).toBe(1);
  expect(session.records()).toEqual([]);
  expect(await session.end()).toBe(0);
  expect(session.records()).toMatchObject([{ status: "fail", gate_ms: 0, mode: "shadow" }]);
});

test("--shadow-hold holds the answer and leaves it unchanged", async () => {
  const session = guard({ contract: contractFor(slowly(0.3)), flags: ["--shadow-hold"] }).read();
  session.call(1);
  session.send({ jsonrpc: "2.0", id: 2, method: "ping" });
  expect((await session.message()).id).toBe(2);
  expect(verdictOf(await session.message())).toBe("Created 1");
  expect(await session.end()).toBe(0);
  expect(session.records()[0]!.gate_ms).toBeGreaterThanOrEqual(300);
});

test("32 checks at once take little more than one, and none is late", async () => {
  const session = guard({ contract: contractFor(slowly(0.5)), flags: ["--mode", "enforce"] }).read();
  for (let id = 0; id < 32; id++) session.call(id);
  for (let i = 0; i < 32; i++) expect(verdictOf(await session.message())).toContain("outcome_failed");
  expect(await session.end()).toBe(0);
  for (const record of session.records()) expect(record.gate_ms).toBeLessThan(2250);
});

test("a cancel stops the check at once, goes on to the server, and the held answer is not sent", async () => {
  const session = guard({ contract: contractFor(slowly(1.9)), flags: ["--mode", "enforce"] }).read();
  session.call(9);
  session.send({ jsonrpc: "2.0", id: 10, method: "ping" });
  expect((await session.message()).id).toBe(10);
  session.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 9 } });
  await session.until(() => session.records().length === 1);
  expect(session.records()).toMatchObject([{ status: "unknown", reason_code: "cancelled" }]);
  session.call(11, "other");
  expect((await session.message()).id).toBe(11);
  expect(await session.end()).toBe(0);
  expect(session.lines).toEqual([]);
});

test("a would-be FAIL whose record is written again during its check is unknown; two creates side by side both fail", async () => {
  const session = guard({ contract: contractFor(slowly(0.5)), flags: ["--mode", "enforce"] }).read();
  session.call(1, "create", { id: "A" });
  session.send({ jsonrpc: "2.0", id: 2, method: "ping" });
  expect((await session.message()).id).toBe(2);
  session.call(3, "update", { record: "A" });
  expect((await session.message()).id).toBe(3);
  expect(verdictOf(await session.message())).toBe("Created A");
  session.call(4, "create", { id: "B" });
  session.call(5, "create", { id: "C" });
  for (let i = 0; i < 2; i++) expect(verdictOf(await session.message())).toContain("outcome_failed");
  expect(await session.end()).toBe(0);
  expect(session.records().map((record) => record.reason_code)).toEqual([
    "overlapped",
    "record_missing",
    "record_missing",
  ]);
});

test("a PASS after another write stays a PASS", async () => {
  const passes = ["sh", "-c", `read -r input; sleep 0.3; echo '{"status":"pass"}'`];
  const session = guard({ contract: contractFor(passes) }).read();
  session.call(1);
  await session.message();
  session.call(2, "update");
  await session.message();
  expect(await session.end()).toBe(0);
  expect(session.records()).toMatchObject([{ status: "pass" }]);
});

test("the verifier gets the fields as one line of JSON, digit for digit", async () => {
  const seen = join(mkdtempSync(join(tmpdir(), "fourgate-input-")), "input");
  const echo = ["sh", "-c", 'cat > "$0"; exit 3', seen];
  const contract = contractFor(echo, {
    extract: {
      id: { source: "result", path: "result.structuredContent.id" },
      deep: { source: "arguments", path: "$.list[1]['a.b']" },
      all: { source: "arguments", path: "$.list[*].n" },
    },
  });
  const session = guard({ contract }).read();
  const args =
    '{"id":1915883588174806058,"list":[{"n":0.1000000000000000055511151231257827},{"n":1E400,"a.b":"é\\n"}]}';
  const reply = '{"content":[],"structuredContent":{"id":1915883588174806058}}';
  session.send(
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create","arguments":${args.replace("{", `{"reply":${reply},`)}}}`,
  );
  await session.message();
  expect(await session.end()).toBe(0);
  // fast.mjs is a JavaScript server and rounds the id in its answer; the arguments come straight from the wire.
  expect(readFileSync(seen, "utf8")).toMatch(
    /^\{"id":\d+,"deep":"\\u00e9\\n","all":\[0\.1000000000000000055511151231257827,1E400\]\}$/,
  );
  expect(session.records()).toMatchObject([{ reason_code: "verifier_error" }]);
});
