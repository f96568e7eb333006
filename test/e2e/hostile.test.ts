// Either side out to do harm by sheer amount: floods nobody reads, answers nobody asked for, lines a byte at a time. Memory stays
// bounded, every byte arrives, and the call among it all is checked. FOURGATE_TEST_FLOOD_MIB=1024 makes the floods a gigabyte.

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { contractFor, type Guard, guard, node, PASSES } from "./harness.ts";

const MIB = 1024 * 1024;
const FLOOD = Number(process.env.FOURGATE_TEST_FLOOD_MIB ?? 64) * MIB;
/** Far below the flood, above what a guard needs to work. */
const MOST_GROWN = 40 * MIB;
const NOTIFICATION = '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"flood"}}';
const ANSWER = '{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"id":12}}}';

const procText = (session: Guard, file: string) => readFileSync(`/proc/${session.child.pid}/${file}`, "utf8");
/** The most memory that the guard had so far (bytes). */
const peak = (session: Guard) => Number(/^VmHWM:\s+(\d+) kB/m.exec(procText(session, "status"))![1]) * 1024;

/** Waits until the guard reads and writes no more: whoever is to be waited for is. */
async function still(session: Guard): Promise<void> {
  for (let seen = "", same = 0; same < 10; ) {
    await new Promise((look) => setTimeout(look, 20));
    const now = procText(session, "io");
    same = now === seen ? same + 1 : 0;
    seen = now;
  }
}

/** Counts what comes from now on. */
function counted(session: Guard): () => number {
  let bytes = 0;
  session.child.stdout.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
  });
  return () => bytes;
}

/** A guard that has started and waits, and what memory that took. */
async function enforce(server: readonly string[]): Promise<{ session: Guard; before: number }> {
  const session = guard({ contract: contractFor(PASSES), flags: ["--mode", "enforce"], server });
  await session.until(() => session.stderr.includes("  server: "));
  await still(session);
  return { session, before: peak(session) };
}

describe.runIf(process.platform === "linux")("a hostile server", () => {
  test("floods a client that does not read", async () => {
    const { session, before } = await enforce(["sh", "-c", `read -r go; yes '${NOTIFICATION}' | head -c ${FLOOD}`]);
    session.send("go");
    await still(session);
    expect(peak(session) - before).toBeLessThan(MOST_GROWN);
    const bytes = counted(session);
    expect(await session.end()).toBe(0);
    expect(bytes()).toBe(FLOOD);
    expect(session.stderr).not.toContain("fault");
  });

  test("gives a million answers that nobody asked for before the one that was", async () => {
    const fake = '{"jsonrpc":"2.0","id":7,"result":{"content":[],"structuredContent":{"id":13}}}';
    const script = `read -r call; yes '${fake}' | head -n 1000000; echo '${ANSWER}'; cat >/dev/null`;
    const { session, before } = await enforce(["sh", "-c", script]);
    const bytes = counted(session);
    session.call(1);
    await session.until(() => bytes() === 1_000_000 * (fake.length + 1) + ANSWER.length + 1);
    expect(peak(session) - before).toBeLessThan(MOST_GROWN);
    expect(await session.end()).toBe(0);
    expect(session.records().map(({ status }) => status)).toEqual(["pass"]);
  });

  test("answers a byte at a time, with noise that is no UTF-8 before it", async () => {
    const drip = `process.stdin.once("data", async () => {
      for (const byte of Buffer.concat([Buffer.from([0xff, 0xc3, 10]), Buffer.from(${JSON.stringify(`${ANSWER}\n`)})])) {
        await new Promise((written) => process.stdout.write(Buffer.of(byte), written));
      }
      process.stdin.resume().on("end", () => process.exit());
    });`;
    const { session } = await enforce([node, "-e", drip]);
    const got: Buffer[] = [];
    session.child.stdout.on("data", (chunk: Buffer) => got.push(chunk));
    session.call(1);
    await session.until(() => session.records().length === 1);
    expect(await session.end()).toBe(0);
    const expected = Buffer.concat([Buffer.from([0xff, 0xc3, 10]), Buffer.from(`${ANSWER}\n`)]);
    expect(Buffer.compare(Buffer.concat(got), expected)).toBe(0);
    expect(session.records()[0]).toMatchObject({ status: "pass" });
  });
});

describe.runIf(process.platform === "linux")("a hostile client", () => {
  test("floods a server that does not read", async () => {
    const { session, before } = await enforce(["sh", "-c", `while [ ! -e go ]; do sleep 0.05; done; wc -c`]);
    const piece = Buffer.from(`${NOTIFICATION}\n`.repeat(Math.ceil(MIB / NOTIFICATION.length)));
    const pieces = Math.ceil(FLOOD / piece.length);
    for (let i = 0; i < pieces; i++) session.child.stdin.write(piece);
    await still(session);
    expect(peak(session) - before).toBeLessThan(MOST_GROWN);
    session.kill();
    await session.exited;
  });

  test("cancels 200,000 calls that it never made, and asks under one id as often", async () => {
    const { session, before } = await enforce([
      "sh",
      "-c",
      `head -n 400001 >/dev/null; echo '${ANSWER}'; cat >/dev/null`,
    ]);
    session.read();
    const cancel = (id: number) => JSON.stringify({ method: "notifications/cancelled", params: { requestId: id } });
    for (let id = 0; id < 200_000; id += 1000) {
      const lines = Array.from({ length: 1000 }, (_, at) => `${cancel(id + at)}\n{"id":"same","method":"ping"}\n`);
      if (!session.child.stdin.write(lines.join(""))) {
        await new Promise((drained) => session.child.stdin.once("drain", drained));
      }
    }
    session.call(1);
    expect(await session.next()).toBe(ANSWER);
    expect(peak(session) - before).toBeLessThan(MOST_GROWN);
    expect(await session.end()).toBe(0);
    expect(session.records().map(({ status }) => status)).toEqual(["pass"]);
  });
});
