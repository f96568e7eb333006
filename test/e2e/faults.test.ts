// Faults at each step of a check change, block and delay nothing; each call still leaves its one record.

import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { besideSound, enforced, enforcedEach } from "./checked.ts";
import { contractFor, FAILS, guard, PASSES, says, scratch, verdictOf } from "./harness.ts";

test("verifiers that give no answer: the answer as it was, within the bound", async () => {
  const notExecutable = join(scratch(), "verifier");
  writeFileSync(notExecutable, "#!/bin/sh\n", { mode: 0o600 });
  const good = `echo '{"status":"fail","reason_code":"record_missing"}'`;
  const commands = {
    "a program that is not there": ["/no/such/verifier"],
    "one that may not be run": [notExecutable],
    "one that is a directory": [scratch()],
    "one that crashes": ["sh", "-c", "exit 1"],
    "one that crashes after a good reply": ["sh", "-c", `${good}; exit 1`],
    "one that is killed": ["sh", "-c", "kill -9 $$"],
    silence: ["true"],
    prose: ["echo", "FAIL"],
    "two objects": ["sh", "-c", `${good}; echo '{}'`],
    "a reason that is not approved": says({ status: "fail", reason_code: "because" }),
    "endless output": ["yes"],
  };
  const errors = Object.keys(commands).slice(0, 6);
  const outcome = (what: string) => `unknown/${errors.includes(what) ? "verifier_error" : "verifier_malformed"}`;
  const expected = Object.keys(commands).map((what) => [what, outcome(what)]);
  expect(await enforcedEach(commands)).toEqual(Object.fromEntries(expected));
});

test.each([
  ["hangs", ["sh", "-c", "sleep 100"]],
  ["hangs and ignores SIGTERM", ["sh", "-c", "trap '' TERM; while :; do sleep 1; done"]],
])("a verifier that %s: the answer as it was, within the bound", async (_what, command) => {
  const { record } = await enforced(besideSound(command));
  expect(record).toMatchObject({ status: "unknown", reason_code: "verifier_timeout" });
});

test("a working directory that vanishes after the start makes checks unknown", async () => {
  const cwd = join(scratch(), "gone");
  mkdirSync(cwd);
  const { record } = await enforced(besideSound(FAILS, { verifier: { cwd } }), {
    before: () => rmSync(cwd, { recursive: true }),
  });
  expect(record).toMatchObject({ status: "unknown", reason_code: "verifier_error" });
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
  // More than the 64 KiB that a pipe takes.
  for (let id = 0; id < 280; id++) {
    session.call(id);
    expect(verdictOf(await session.message())).toBe(`Created ${id}`);
  }
  session.child.stdin.end();
  expect(await session.exited).toBe(0);
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
