// Lines of 64 MiB, and given-up calls by the thousand: what they cost in time, against the same without a guard in the same run, and
// in memory.

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { expect, test } from "vitest";
import { contractFor, fixture, Guard, guard, memoryOf, node, PASSES } from "./harness.ts";

const MIB = 1024 * 1024;
/** As bad as a text may be for a reader of JSON: quotes, brackets and backslashes, all of them escaped. */
const TEXT = '\\"[{\\\\,'.repeat((64 * MIB) / 8);
const SMALL = '{"params":{"name":"create"},"method":"tools/call","id":1}\n';

/** Sends the bytes through a process that gives them back; gives the milliseconds until all are back, and by how much it grew. */
async function through(child: ChildProcessWithoutNullStreams, bytes: Buffer): Promise<{ ms: number; grown: number }> {
  await echoed(child, Buffer.from(SMALL));
  const before = memoryOf(child.pid!).now;
  const begin = performance.now();
  await echoed(child, bytes);
  return { ms: performance.now() - begin, grown: memoryOf(child.pid!).peak - before };
}

async function echoed(child: ChildProcessWithoutNullStreams, bytes: Buffer): Promise<void> {
  let missing = bytes.length;
  await new Promise<void>((all) => {
    child.stdout.on("data", (chunk: Buffer) => {
      missing -= chunk.length;
      if (missing <= 0) all();
    });
    child.stdin.write(bytes);
  });
  child.stdout.removeAllListeners("data");
}

/** What the guard would be if it looked at nothing. */
const RELAY = `
  const child = require("node:child_process").spawn("cat", { stdio: ["pipe", "pipe", "inherit"] });
  process.stdin.pipe(child.stdin);
  child.stdout.pipe(process.stdout);
`;

// `cat` gives each line back, so that what the client sends is also what the server says.
test.skipIf(process.platform !== "linux").each<[string, string, string]>([
  [
    "shadow",
    "a protected call",
    `{"params":{"arguments":{"t":"${TEXT}"},"name":"create"},"method":"tools/call","id":2}\n`,
  ],
  ["enforce", "the answer to a protected call", `{"result":{"content":[{"text":"${TEXT}"}]},"id":1}\n`],
  ["enforce", "no JSON", `${TEXT}\n`],
])("%s: 64 MiB in one line, %s: within 4 times a bare relay, and in bounded memory", async (mode, _what, line) => {
  const bytes = Buffer.from(line);
  const relay = spawn(node, ["-e", RELAY]);
  const bare = await through(relay, bytes);
  relay.stdin.end();
  const session = guard({ contract: contractFor(PASSES), flags: ["--mode", mode], server: ["cat"] });
  const guarded = await through(session.child, bytes);
  expect(guarded.ms / bare.ms).toBeLessThan(4);
  // Of a line 16 MiB are kept at most (`--max-inspect`), and this one goes both ways.
  expect((guarded.grown - bare.grown) / MIB).toBeLessThan(2 * 16 + 12);
  expect(await session.end()).toBe(0);
});

/** Calls of 10 KiB that are given up at once and never answered; gives the milliseconds until all have gone by, and the memory then. */
async function givenUp(session: Guard, count: number): Promise<{ ms: number; memory: number }> {
  const text = "x".repeat(10 * 1024);
  const begin = performance.now();
  for (let id = 0; id < count; id++) {
    session.call(id, "create", { never: true, text });
    const room = session.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } });
    if (!room) await new Promise((drained) => session.child.stdin.once("drain", drained));
  }
  session.send({ jsonrpc: "2.0", id: "after", method: "ping" });
  expect((await session.message()).id).toBe("after");
  return { ms: performance.now() - begin, memory: memoryOf(session.child.pid!).now };
}

test.skipIf(process.platform !== "linux")(
  "20,000 given-up calls pass within 4 times what they take without a guard, and 20,000 more need no more room",
  async () => {
    const direct = new Guard([fixture("fast.mjs")], "", { contract: {} }).read();
    await givenUp(direct, 1000);
    const bare = await givenUp(direct, 20_000);
    await direct.end();
    const session = guard({ contract: contractFor(PASSES), flags: ["--mode", "enforce"] }).read();
    await givenUp(session, 1000);
    const first = await givenUp(session, 20_000);
    const second = await givenUp(session, 20_000);
    expect(Math.max(first.ms, second.ms) / bare.ms).toBeLessThan(4);
    expect((second.memory - first.memory) / MIB).toBeLessThan(16);
    expect(await session.end()).toBe(0);
    expect(session.records()).toHaveLength(41_000);
  },
);
