// How sessions end: every answer and record first, the right exit status, and no process left behind.

import { once } from "node:events";
import { constants } from "node:os";
import { describe, expect, test } from "vitest";
import { contractFor, FAILS, fixture, guard, node, PASSES, verdictOf } from "./harness.ts";

const slow = ["sh", "-c", `read -r input; sleep 0.5; echo '{"status":"fail","reason_code":"record_missing"}'`];

test("the client closes with checks pending: all answers and records arrive first", async () => {
  for (const mode of ["shadow", "enforce"]) {
    const session = guard({ contract: contractFor(slow), flags: ["--mode", mode] });
    for (let id = 0; id < 3; id++) session.call(id);
    expect(await session.end()).toBe(0);
    expect(session.lines).toHaveLength(3);
    for (const line of session.lines) {
      expect(verdictOf(JSON.parse(line)).includes("outcome_failed")).toBe(mode === "enforce");
    }
    expect(session.records().map((record) => record.status)).toEqual(["fail", "fail", "fail"]);
    expect(session.left()).toEqual([]);
  }
});

test("a server that ignores the end of its input is gone within 5 s, deaf or not", async () => {
  for (const more of [[], ["--deaf"]]) {
    const session = guard({
      contract: contractFor(PASSES),
      server: [node, fixture("ignores-eof.mjs"), ...more],
    }).read();
    session.call(1);
    await session.message();
    const begin = performance.now();
    expect(await session.end()).toBe(more.length === 0 ? 143 : 137);
    expect(performance.now() - begin).toBeLessThan(5000);
    expect(session.records()).toMatchObject([{ status: "pass" }]);
    expect(session.left()).toEqual([]);
  }
});

test("a server that is still at work when the client has closed may finish", async () => {
  const late = [
    "-e",
    `process.stdin.resume().on("end", () => setTimeout(() => console.log(JSON.stringify(
    {jsonrpc:"2.0",id:1,result:{content:[],structuredContent:{id:1}}})), 3000))`,
  ];
  const session = guard({ contract: contractFor(PASSES), server: [node, ...late] });
  session.call(1);
  expect(await session.end()).toBe(0);
  expect(session.lines).toHaveLength(1);
  expect(session.records()).toMatchObject([{ status: "pass" }]);
});

test.each([
  ["0", 0],
  ["1", 1],
  ["3", 3],
  ["255", 255],
  ["SIGKILL", 137],
  ["SIGSEGV", 139],
  ["SIGTERM", 143],
  ["SIGINT", 130],
])(
  "the server dies of %s in the middle of a call: one no_response record, no invented answer, exit status %i",
  async (how, status) => {
    const session = guard({ contract: contractFor(PASSES), server: [node, fixture("dies.mjs"), how] }).read();
    session.call(1);
    await session.message();
    session.call(2);
    expect(await session.exited).toBe(status);
    await session.closed;
    expect(session.lines).toEqual([]);
    expect(
      session
        .records()
        .map((record) => record.reason_code)
        .sort(),
    ).toEqual(["no_response", "postcondition_satisfied"]);
    expect(session.stderr).toContain("the server has ended");
    expect(session.left()).toEqual([]);
  },
);

const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT", "SIGABRT", "SIGALRM", "SIGUSR2"] as const;

test.each(SIGNALS)("%s is forwarded; held answers go out, records are complete, nothing is left", async (signal) => {
  const session = guard({
    contract: contractFor(["sh", "-c", "read -r input; sleep 100"]),
    flags: ["--mode", "enforce"],
    server: [node, fixture("launcher.mjs"), fixture("fast.mjs")],
  }).read();
  session.call(1);
  session.call(2, "create", { never: true });
  session.send({ jsonrpc: "2.0", id: 3, method: "ping" });
  expect((await session.message()).id).toBe(3);
  process.kill(session.child.pid!, signal);
  expect(await session.exited).toBe(128 + constants.signals[signal]);
  await session.closed;
  expect(session.lines.map((line) => verdictOf(JSON.parse(line)))).toEqual(["Created 1"]);
  expect(
    session
      .records()
      .map((record) => record.reason_code)
      .sort(),
  ).toEqual(["no_response", "session_ended"]);
  expect(session.left()).toEqual([]);
});

test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("%s right after the start counts too", async (signal) => {
  const session = guard({ contract: contractFor(PASSES), server: [node, fixture("ignores-eof.mjs")] }).read();
  await session.until(() => session.stderr.includes("server:"));
  process.kill(session.child.pid!, signal);
  expect(await session.exited).toBe(128 + constants.signals[signal]);
  await session.closed;
  expect(session.lines).toEqual([]);
  expect(session.records()).toEqual([]);
  expect(session.left()).toEqual([]);
});

test("a server that ignores signals is killed after the grace; a second signal does not wait", async () => {
  for (const times of [1, 2]) {
    const session = guard({
      contract: contractFor(PASSES),
      flags: ["--mode", "enforce"],
      server: [node, fixture("ignores-eof.mjs"), "--deaf"],
    }).read();
    session.call(1);
    await session.message();
    const begin = performance.now();
    for (let i = 0; i < times; i++) {
      process.kill(session.child.pid!, "SIGTERM");
      await new Promise((later) => setTimeout(later, 50));
    }
    expect(await session.exited).toBe(143);
    if (times === 2) expect(performance.now() - begin).toBeLessThan(1000);
    expect(session.records()).toMatchObject([{ status: "pass" }]);
    expect(session.left()).toEqual([]);
  }
});

test("launchers with children of their own leave nothing behind when the client closes", async () => {
  const session = guard({
    contract: contractFor(FAILS),
    server: [node, fixture("launcher.mjs"), fixture("ignores-eof.mjs")],
  }).read();
  session.call(1);
  await session.message();
  expect(await session.end()).toBe(143);
  expect(session.records()).toMatchObject([{ status: "fail" }]);
  expect(session.left()).toEqual([]);
});

test("without --log the records are on stderr, marked", async () => {
  const session = guard({ contract: contractFor(FAILS), flags: ["--mode", "enforce"], log: false }).read();
  session.call(1);
  expect(verdictOf(await session.message())).toContain("outcome_failed");
  expect(await session.end()).toBe(0);
  expect(session.records()).toEqual([]);
  expect(session.stderrRecords().map((record) => Object.keys(record).sort())).toEqual([
    [
      "call_ms",
      "checked_fields",
      "contract",
      "gate_ms",
      "mode",
      "reason_code",
      "seq",
      "server",
      "session",
      "status",
    ].concat(["timestamp", "tool", "v", "verify_ms"]),
  ]);
});

test("a client that closes both ends at once still leaves its records", async () => {
  const session = guard({ contract: contractFor(slow), flags: ["--mode", "enforce"] });
  session.call(1);
  await session.until(() => session.stderr.includes("server:"));
  session.child.stdout.destroy();
  session.child.stdin.end();
  expect(await session.exited).toBe(0);
  expect(session.records()).toMatchObject([{ status: "fail", reason_code: "record_missing" }]);
  expect(session.left()).toEqual([]);
});

test("3 MiB arrive whole although the client closes its end at once and reads slowly", async () => {
  const session = guard({ contract: contractFor(PASSES), flags: ["--mode", "enforce"] });
  session.call(1, "other", { size: 3 << 20 });
  session.call(2, "create", { size: 3 << 20 });
  session.child.stdin.end();
  let bytes = 0;
  for await (const chunk of session.child.stdout) {
    bytes += chunk.length;
    if (bytes < 1 << 20) await new Promise((later) => setTimeout(later, 20));
  }
  const answers = [1, 2].map((id) => {
    const text = "x".repeat(3 << 20);
    return JSON.stringify({
      jsonrpc: "2.0",
      id,
      result: { content: [{ type: "text", text }], structuredContent: { id } },
    });
  });
  expect(bytes).toBe(`${answers.join("\n")}\n`.length);
  expect(await session.exited).toBe(0);
  expect(session.records()).toMatchObject([{ status: "pass" }]);
});

describe("what keeps the server's output open keeps nobody waiting", () => {
  test("the server dies with a call unanswered, and a process of its holds the pipe", async () => {
    const server = ["sh", "-c", "sleep 60 & read line; exit 3"];
    const session = guard({ contract: contractFor(PASSES), server }).read();
    session.call(1);
    expect(await session.exited).toBe(3);
    await session.closed;
    expect(session.records()).toMatchObject([{ reason_code: "no_response" }]);
    expect(session.stderr).toContain("the server has ended (exit status 3)");
    expect(session.left()).toEqual([]);
  });

  test.each(["the client closes", "a signal", "two signals"])(
    "a process that left the group holds it: %s",
    async (how) => {
      const server = ["sh", "-c", 'setsid sleep 60 & exec "$0" "$1"', node, fixture("fast.mjs")];
      const session = guard({ contract: contractFor(PASSES), flags: ["--mode", "enforce"], server }).read();
      session.call(1);
      await session.message();
      if (how === "the client closes") session.child.stdin.end();
      else session.child.kill("SIGTERM");
      if (how === "two signals") session.child.kill("SIGTERM");
      expect(await session.exited).toBe(how === "the client closes" ? 0 : 143);
      expect(session.records()).toMatchObject([{ status: "pass" }]);
      // Of a server that has ended by itself, what left its group is nobody's child any more.
      expect(session.left().map((each) => each.split(" ")[1])).toEqual(how === "the client closes" ? ["sleep"] : []);
    },
  );

  test("the last words of a server come whole, also when a process of its holds the pipe", async () => {
    const server = ["sh", "-c", `sleep 60 & read line; head -c 3000000 /dev/zero | tr '\\\\0' x; echo; exit 0`];
    const session = guard({ contract: contractFor(PASSES), server });
    session.send({});
    await session.until(() => session.stderr.includes("server:"));
    session.read();
    expect((await session.next())?.length).toBe(3_000_000);
    expect(await session.exited).toBe(0);
    expect(session.left()).toEqual([]);
  });
});

test("a client that reads nothing cannot keep a guard that is told to stop", async () => {
  for (const times of [1, 2]) {
    const session = guard({ contract: contractFor(PASSES) });
    for (let id = 1; id <= 40; id++) session.call(id, "other", { size: 1 << 20 });
    // The first bytes are there and nobody takes them: the guard cannot get rid of the rest.
    await once(session.child.stdout, "readable");
    for (let i = 0; i < times; i++) session.child.kill("SIGTERM");
    expect(await session.exited).toBe(143);
    expect(session.left()).toEqual([]);
  }
});

test("a server that ignores the end of its input is ended although it goes on talking", async () => {
  const chatter = `setInterval(() => console.log('{"jsonrpc":"2.0","method":"notifications/x"}'), 100)`;
  const session = guard({ contract: contractFor(PASSES), server: [node, "-e", chatter] }).read();
  await session.next();
  const begin = performance.now();
  expect(await session.end()).toBe(143);
  expect(performance.now() - begin).toBeLessThan(5000);
  expect(session.left()).toEqual([]);
});

test("SIGUSR1 opens no debugger and ends nothing", async () => {
  const session = guard({ contract: contractFor(PASSES) }).read();
  session.call(1);
  await session.message();
  process.kill(session.child.pid!, "SIGUSR1");
  session.call(2);
  await session.message();
  expect(await session.end()).toBe(0);
  expect(session.stderr).not.toContain("ws://");
  expect(session.records()).toHaveLength(2);
});
