// Faults at each step of a check change, block and delay nothing; each call still leaves its one record.

import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { contractFor, FAILS, fixture, Guard, guard, MAIN, node, PASSES, says, scratch, verdictOf } from "./harness.ts";

/** The bound of a held answer: the verifier's budget and the grace, and what a busy machine takes on top. */
const BOUND_MS = 2000 + 250 + 500;

async function enforced(contract: object, tool = "create", more: Partial<Parameters<typeof guard>[0]> = {}) {
  const session = guard({ contract, flags: ["--mode", "enforce"], ...more }).read();
  session.call("warm", "other");
  await session.message();
  const begin = performance.now();
  session.call(1, tool);
  const message = await session.message();
  const ms = performance.now() - begin;
  expect(await session.end()).toBe(0);
  return { message, ms, records: session.records(), session };
}

test.each([
  ["a program that is not there", ["/no/such/verifier"], "verifier_error"],
  ["one that crashes", ["sh", "-c", "exit 1"], "verifier_error"],
  [
    "one that crashes after a good reply",
    ["sh", "-c", `echo '{"status":"fail","reason_code":"record_missing"}'; exit 1`],
    "verifier_error",
  ],
  ["one that is killed", ["sh", "-c", "kill -9 $$"], "verifier_error"],
  ["one that hangs", ["sh", "-c", "sleep 100"], "verifier_timeout"],
  ["one that hangs and ignores SIGTERM", ["sh", "-c", "trap '' TERM; while :; do sleep 1; done"], "verifier_timeout"],
  ["silence", ["true"], "verifier_malformed"],
  ["prose", ["echo", "FAIL"], "verifier_malformed"],
  ["two objects", ["sh", "-c", `echo '{"status":"fail","reason_code":"record_missing"}{}'`], "verifier_malformed"],
  ["a reason that is not approved", says({ status: "fail", reason_code: "because" }), "verifier_malformed"],
  ["endless output", ["yes"], "verifier_malformed"],
])("%s: the answer as it was, within the bound, and %s", async (_what, command, reason) => {
  const { message, ms, records } = await enforced(contractFor(command));
  expect(verdictOf(message)).toBe("Created 1");
  expect(ms).toBeLessThan(BOUND_MS);
  expect(records).toMatchObject([{ status: "unknown", reason_code: reason }]);
});

test("a working directory that vanishes after the start makes checks unknown", async () => {
  const cwd = join(scratch(), "gone");
  mkdirSync(cwd);
  const session = guard({ contract: contractFor(FAILS, { verifier: { cwd } }), flags: ["--mode", "enforce"] }).read();
  session.call("warm", "other");
  await session.message();
  rmSync(cwd, { recursive: true });
  session.call(1);
  expect(verdictOf(await session.message())).toBe("Created 1");
  await session.end();
  expect(session.records()).toMatchObject([{ status: "unknown", reason_code: "verifier_error" }]);
});

test("a log that cannot grow sends records to stderr and holds nothing up", async () => {
  // The shell's file size limit stops the log at 1 KiB, as a full disk would.
  const directory = scratch();
  const contract = join(directory, "contract.json");
  writeFileSync(contract, JSON.stringify(contractFor(PASSES)));
  const log = join(directory, "log");
  const limited = `ulimit -f 1; exec ${node} ${MAIN} guard --contracts ${contract} --mode enforce --log ${log} -- ${node} ${fixture("fast.mjs")}`;
  const session = new Guard(
    [node, "-e", ""].slice(3).concat([
      "-e",
      `process.on("SIGXFSZ", () => {});
    const c = require("node:child_process").spawn("sh", ["-c", ${JSON.stringify(limited)}], {stdio: "inherit"});
    c.on("exit", (code) => process.exit(code ?? 1));`,
    ]),
    log,
    { contract: {} },
  ).read();
  for (let id = 0; id < 20; id++) {
    session.call(id);
    expect(verdictOf(await session.message())).toBe(`Created ${id}`);
  }
  expect(await session.end()).toBe(0);
  const whole = readFileSync(log, "utf8").split("\n").slice(0, -1);
  const inFile = whole.flatMap((line) => {
    try {
      return [JSON.parse(line)];
    } catch {
      return [];
    }
  });
  const onStderr = session.stderrRecords();
  expect(onStderr.length).toBeGreaterThan(0);
  expect(inFile.length).toBeGreaterThan(0);
  expect(new Set([...inFile, ...onStderr].map((record) => record.seq)).size).toBe(20);
});

test("a log file that is taken away keeps being written to by its descriptor", async () => {
  const session = guard({ contract: contractFor(PASSES), flags: ["--mode", "enforce"] }).read();
  session.call(1);
  await session.message();
  chmodSync(session.logFile, 0o000);
  session.call(2);
  await session.message();
  expect(await session.end()).toBe(0);
  chmodSync(session.logFile, 0o600);
  expect(session.records()).toHaveLength(2);
});

test("nobody reads stderr: traffic and end are not held up", async () => {
  const session = guard({ contract: contractFor(PASSES), log: false, flags: ["--mode", "enforce"] });
  session.child.stderr.pause();
  session.read();
  for (let id = 0; id < 400; id++) {
    session.call(id);
    expect(verdictOf(await session.message())).toBe(`Created ${id}`);
  }
  session.child.stdin.end();
  expect(await session.exited).toBe(0);
});

test("a text selector on hostile text costs milliseconds", async () => {
  const contract = contractFor(PASSES, {
    extract: { id: { source: "result", path: "result.content.0.text", parse: "regex", pattern: "((a+)+)b", group: 1 } },
  });
  const session = guard({ contract, flags: ["--mode", "enforce"] }).read();
  const reply = { content: [{ type: "text", text: "a".repeat(8000) }] };
  session.call(1, "create", { reply });
  const begin = performance.now();
  expect((await session.message()).id).toBe(1);
  expect(performance.now() - begin).toBeLessThan(1000);
  expect(await session.end()).toBe(0);
  expect(session.records()).toMatchObject([{ status: "unknown", reason_code: "success_without_record_id" }]);
});

test("messages that ended the session of the original go by", async () => {
  const session = guard({ contract: contractFor(PASSES), flags: ["--mode", "enforce"] }).read();
  const deep = "[".repeat(100_000) + "]".repeat(100_000);
  const digits = "9".repeat(5000);
  const odd = [
    '{"id":1,"method":"tools/call","params":[1]}',
    '{"id":{"a":1},"method":"tools/call","params":{"name":"create"}}',
    '{"id":2,"method":"tools/call","params":{"name":["x"]}}',
    `{"id":3,"method":"tools/call","params":{"name":"create","arguments":{"n":${digits}}}}`,
    `{"id":4,"method":"tools/call","params":{"name":"other","arguments":${deep}}}`,
    `{"id":${digits},"method":"tools/call","params":{"name":"other"}}`,
  ];
  for (const line of odd) session.send(line);
  session.send({ jsonrpc: "2.0", id: "end", method: "ping" });
  let last = await session.message();
  while (last.id !== "end") last = await session.message();
  expect(await session.end()).toBe(0);
});
