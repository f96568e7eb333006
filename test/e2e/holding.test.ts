// One slow check holds one answer: everything else goes by, and shadow waits for nothing.

import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { contractFor, fixture, guard, node, verdictOf } from "./harness.ts";

const slowly = (seconds: number) => [
  "sh",
  "-c",
  `read -r input; sleep ${seconds}; echo '{"status":"fail","reason_code":"record_missing"}'`,
];

/** Milliseconds on the machine's clock, which the server reads too. */
const clock = () => Number(process.hrtime.bigint()) / 1e6;

/** How long processes were ready to run and had no processor so far (milliseconds): a busy machine's doing, not theirs. */
function starved(pids: readonly number[]): number {
  if (!existsSync("/proc/self/schedstat")) return 0;
  return pids.reduce((sum, pid) => sum + Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[1]) / 1e6, 0);
}

interface Passage {
  readonly kind: string;
  readonly sentAt: number;
  readonly arrivedAt: number;
}

test.each([
  ["a 1.5 s check runs", 1, 1.5],
  // Shorter, so that a busy machine can start them all in time.
  ["sixteen checks start and run", 16, 1.1],
])("enforce: while %s, each message of either side passes within 50 ms of being sent", async (_, checks, seconds) => {
  const talkMs = seconds * 1000 - 300;
  const session = guard({
    contract: contractFor(slowly(seconds)),
    flags: ["--mode", "enforce"],
    server: [node, fixture("clock.mjs")],
  }).read();
  const atClient: Passage[] = [];
  let held = 0;
  // The time is taken where the bytes arrive; what this process does with them later does not count.
  session.child.stdout.on("data", (chunk: Buffer) => {
    const arrivedAt = clock();
    for (const line of chunk.toString().split("\n").slice(0, -1)) {
      const { id, method, params, result } = JSON.parse(line);
      if (String(id).startsWith("held")) held++;
      else atClient.push({ kind: method ?? "answer", sentAt: (params ?? result).sentAt, arrivedAt });
      if (method !== undefined && id !== undefined) session.send({ id, result: { sentAt: clock() } });
    }
  });
  const call = (id: string, name: string, more = {}) =>
    session.send({ id, method: "tools/call", params: { name, arguments: more, sentAt: clock() } });
  const answered = (id: string) => session.until(() => session.lines.some((line) => line.includes(`"id":"${id}"`)));
  session.call("warm", "other");
  await answered("warm");
  atClient.length = 0;

  const pids = [process.pid, ...session.left().map((entry) => Number.parseInt(entry, 10))];
  const samples: { at: number; starved: number }[] = [];
  const sample = () => samples.push({ at: clock(), starved: starved(pids) });
  sample();
  for (let n = 0; n < checks; n++) call(`held${n}`, "create");
  call("talk", "talk", { ms: talkMs });
  const begin = clock();
  for (let n = 0; clock() - begin < talkMs; n++) {
    if (n % 3 === 0) session.send({ id: `p${n}`, method: "ping", params: { sentAt: clock() } });
    else if (n % 3 === 1) session.send({ method: "notifications/progress", params: { sentAt: clock() } });
    else call(`c${n}`, "other");
    await new Promise((later) => setTimeout(later, 8));
    sample();
  }
  session.send({ id: "seen", method: "clock/seen", params: { sentAt: clock() } });
  await answered("seen");
  expect(held).toBe(0);
  await session.until(() => held === checks);
  sample();

  const atServer: Passage[] = JSON.parse(session.lines.find((line) => line.includes('"id":"seen"'))!).result.seen;
  const count = (seen: Passage[], kind: string) => seen.filter((one) => one.kind === kind).length;
  for (const kind of ["ping", "notifications/progress", "other", "answer"]) {
    expect(count(atServer, kind), `${kind} to the server`).toBeGreaterThan(10);
  }
  const methods = ["progress", "message", "tools/list_changed"].map((name) => `notifications/${name}`);
  for (const kind of ["answer", "ping", "sampling/createMessage", ...methods]) {
    expect(count(atClient, kind), `${kind} to the client`).toBeGreaterThan(10);
  }
  const waits = [...atClient, ...atServer].map(({ kind, sentAt, arrivedAt }) => {
    const before = samples.findLast(({ at }) => at <= sentAt)!;
    const after = samples.find(({ at }) => at >= arrivedAt)!;
    return { kind, ms: arrivedAt - sentAt, withoutProcessor: after.starved - before.starved };
  });
  expect(waits.filter(({ ms, withoutProcessor }) => ms - withoutProcessor >= 50)).toEqual([]);

  for (const line of session.lines.filter((text) => text.includes('"id":"held'))) {
    expect(verdictOf(JSON.parse(line))).toContain("outcome_failed");
  }
  expect(await session.end()).toBe(0);
  expect(session.records()).toHaveLength(checks);
  for (const record of session.records()) {
    expect(record).toMatchObject({ status: "fail", mode: "enforce" });
    expect(record.gate_ms).toBeGreaterThanOrEqual(seconds * 1000);
  }
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
