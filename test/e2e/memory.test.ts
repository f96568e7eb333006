// What a session keeps in memory: nothing of calls that are over, and nothing of lines that only pass.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { contractFor, type Guard, guard, PASSES } from "./harness.ts";

const MIB = 1024 * 1024;

/** Resident memory of the guard (bytes). */
function resident(session: Guard): number {
  const status = readFileSync(`/proc/${session.child.pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)![1]) * 1024;
}

/** A ping through the guard: whatever was sent before it has been dealt with. */
async function settled(session: Guard, id: string): Promise<void> {
  session.send({ jsonrpc: "2.0", id, method: "ping" });
  while ((await session.message()).id !== id) {}
}

test.skipIf(process.platform !== "linux")("20,000 cancelled calls of 10 KiB that are never answered", async () => {
  const session = guard({ contract: contractFor(PASSES), flags: ["--mode", "enforce"] }).read();
  await settled(session, "before");
  const before = resident(session);
  const text = "x".repeat(10 * 1024);
  for (let id = 0; id < 20_000; id++) {
    session.call(id, "create", { never: true, text });
    const room = session.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } });
    if (!room) await new Promise((drained) => session.child.stdin.once("drain", drained));
  }
  await settled(session, "after");
  expect(resident(session) - before).toBeLessThan(30 * MIB);
  await session.end();
  expect(session.records()).toHaveLength(20_000);
});

test.skipIf(process.platform !== "linux")("an unprotected answer of 64 MiB in shadow", async () => {
  const session = guard({ contract: contractFor(PASSES) });
  let bytes = 0;
  session.child.stdout.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
  });
  session.send({ jsonrpc: "2.0", id: 0, method: "ping" });
  await session.until(() => bytes > 0);
  const before = resident(session);
  let most = before;
  session.call(1, "other", { size: 64 * MIB });
  await session.until(() => {
    most = Math.max(most, resident(session));
    return bytes > 64 * MIB;
  });
  expect(most - before).toBeLessThan(40 * MIB);
  expect(await session.end()).toBe(0);
});
