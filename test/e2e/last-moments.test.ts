// The end of a session under pressure: many records at once, a server that is still at work, a client that is slow; and a start that fails.

import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { contractFor, guard, memoryOf, node, PASSES, scratch } from "./harness.ts";

const MIB = 1024 * 1024;

test("50,000 calls that are open when the server ends are all in the log soon, in bounded memory", async () => {
  const session = guard({ contract: contractFor(PASSES), flags: ["--mode", "enforce"], server: ["cat"] });
  // `cat` gives the calls back as requests of its own, which answer nothing.
  session.call("first");
  await once(session.child.stdout.resume(), "data");
  const before = memoryOf(session.child.pid!).now;
  for (let id = 1; id < 50_000; id++) {
    if (!session.call(id)) await new Promise((drained) => session.child.stdin.once("drain", drained));
  }
  let peak = before;
  const look = setInterval(() => {
    if (existsSync(`/proc/${session.child.pid}/status`)) peak = Math.max(peak, memoryOf(session.child.pid!).now);
  }, 20);
  const begin = performance.now();
  session.child.stdin.end();
  expect(await session.exited).toBe(0);
  const ms = performance.now() - begin;
  clearInterval(look);
  await session.closed;
  const records = session.records();
  expect(new Set(records.map(({ seq }) => seq)).size).toBe(50_000);
  expect(records.every(({ reason_code }) => reason_code === "no_response")).toBe(true);
  expect(session.stderrRecords()).toEqual([]);
  expect(ms).toBeLessThan(10_000);
  expect((peak - before) / MIB).toBeLessThan(150);
});

/** A server that does the rest when its input has ended. */
const atEnd = (rest: string) => [node, "-e", `process.stdin.resume().on("end", () => { ${rest} })`];
const notification = (bytes: number) => `{"method":"x","params":"${"x".repeat(bytes)}"}`;

async function busyWriting(): Promise<void> {
  const writes = `let n = 0; const timer = setInterval(() => {
    console.log('{"method":"x","params":"' + "x".repeat(65536) + '"}');
    if (++n === 7) { clearInterval(timer); process.exitCode = 5; }
  }, 500);`;
  const session = guard({ contract: contractFor(PASSES), server: atEnd(writes) });
  expect(await session.end(), "busy writing").toBe(5);
  expect(session.lines).toEqual(Array(7).fill(notification(65536)));
}

async function slowClient(): Promise<void> {
  const says = `process.stdout.write(('{"method":"x","params":"' + "x".repeat(1048576) + '"}\\n').repeat(4), () => process.exit(5))`;
  const session = guard({ contract: contractFor(PASSES), server: atEnd(says) });
  session.child.stdin.end();
  // Longer than what an idle server gets, and with the grace: only that the client does not read keeps this one.
  await new Promise((later) => setTimeout(later, 3200));
  expect(await session.end(), "slow client").toBe(5);
  expect(session.lines.map((line) => line.length)).toEqual(Array(4).fill(notification(1048576).length));
}

async function justAnswered(): Promise<void> {
  const answers = `setTimeout(() => console.log('{"id":1,"result":{"content":[],"structuredContent":{"id":1}}}'), 2200);
    setTimeout(() => process.exit(5), 3200);`;
  const session = guard({ contract: contractFor(PASSES), server: atEnd(answers) });
  session.call(1);
  expect(await session.end(), "just answered").toBe(5);
  expect(session.lines).toHaveLength(1);
  expect(session.records()).toMatchObject([{ status: "pass" }]);
}

test("after the client has closed, a server that writes, has a slow client or has just answered is not ended for being idle", async () => {
  // Side by side: each takes some three seconds.
  await Promise.all([busyWriting(), slowClient(), justAnswered()]);
});

test("a fault while the session starts: the server and what it started are ended, and it is said", async () => {
  const directory = scratch();
  // Loaded before the guard, and not before anything that it starts: what a session needs for its name fails.
  const fault = join(directory, "fault.mjs");
  writeFileSync(
    fault,
    `import crypto from "node:crypto";
    import { syncBuiltinESMExports } from "node:module";
    if (process.argv[2] === "guard") {
      crypto.randomBytes = () => { throw new RangeError("SENTINEL"); };
      syncBuiltinESMExports();
    }`,
  );
  const session = guard({
    contract: contractFor(PASSES),
    env: { NODE_OPTIONS: `--import ${pathToFileURL(fault)}` },
    server: ["sh", "-c", "trap '' TERM; sleep 20 & sleep 20"],
  });
  const begin = performance.now();
  expect(await session.exited).toBe(1);
  expect(performance.now() - begin).toBeLessThan(10_000);
  await session.closed;
  expect(session.stderr).toMatch(/^fourgate: internal fault \(RangeError\); the session is over$/m);
  expect(session.stderr).not.toContain("SENTINEL");
  expect(session.left()).toEqual([]);
  expect(readFileSync(session.logFile, "utf8")).toBe("");
});
