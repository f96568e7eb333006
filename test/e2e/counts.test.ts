// What a message costs in counts, which are the same on every machine: a change that makes one grow is a change for the worse.

import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { contractFor, guard, node, PASSES, scratch } from "./harness.ts";

interface Counts {
  /** Texts given to JSON.parse. */
  parses: number;
  /** Bytes copied from one place of memory to another. */
  copied: number;
  /** Bytes turned into text. */
  decoded: number;
  /** Writes to the client and the server. */
  writes: number;
}

/** Has `calls` calls answered, all sent at once, and gives what they cost: the sums less those of a session without a call. */
async function costOf(mode: string, calls: number, params: object): Promise<Counts & { bytes: number }> {
  const none = await countsOf(mode, 0, params);
  const all = await countsOf(mode, calls, params);
  const less = (name: keyof Counts) => all[name] - none[name];
  return {
    bytes: all.bytes,
    parses: less("parses"),
    copied: less("copied"),
    decoded: less("decoded"),
    writes: less("writes"),
  };
}

async function countsOf(mode: string, calls: number, params: object): Promise<Counts & { bytes: number }> {
  const file = join(scratch(), "counts.json");
  const session = guard({
    contract: contractFor(PASSES),
    server: [node, resolve("bench/echo-server.mjs")],
    flags: ["--mode", mode],
    env: { ...process.env, COUNTS: file, NODE_OPTIONS: `--require=${resolve("test/fixtures/counting.cjs")}` },
  });
  let bytes = 0;
  let answers = 0;
  const answered = new Promise<void>((done) => {
    if (calls === 0) done();
    session.child.stdout.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) answers++;
      if (answers === calls) done();
    });
  });
  for (let id = 0; id < calls; id++) {
    const line = `${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params })}\n`;
    bytes += line.length;
    session.child.stdin.write(line);
  }
  await answered;
  session.child.stdin.end();
  expect(await session.exited).toBe(0);
  return { ...(JSON.parse(readFileSync(file, "utf8")) as Counts), bytes };
}

const MODES = ["shadow", "enforce"];

test.each(MODES)(
  "%s: small messages that nobody protects are not parsed, not turned into text, not copied",
  async (mode) => {
    const calls = 3000;
    const cost = await costOf(mode, calls, { name: "other", arguments: { text: "a line of text" } });
    expect([cost.parses, cost.decoded]).toEqual([0, 0]);
    // What of a line came in two pieces.
    expect(cost.copied).toBeLessThan(cost.bytes / 100);
    // What came in one read goes on in one write.
    expect(cost.writes).toBeLessThan(calls / 5);
  },
);

test.each(MODES)("%s: large results go through as they come", async (mode) => {
  const cost = await costOf(mode, 20, { name: "other", arguments: { size: 1 << 20 } });
  expect([cost.parses, cost.decoded]).toEqual([0, 0]);
  expect(cost.copied).toBeLessThan(cost.bytes / 1000);
  expect(cost.writes).toBeLessThan(cost.bytes / 8192);
});

test.each(MODES)("%s: of a protected call only its fields and the verifier's answer are parsed", async (mode) => {
  const calls = 10;
  const cost = await costOf(mode, calls, {
    name: "create",
    arguments: { text: "a line of text", more: "x".repeat(50_000) },
  });
  expect(cost.parses).toBe(2 * calls);
  // The arguments are not; what is looked up in /proc once a verifier has ended may be.
  expect(cost.decoded).toBeLessThan(5000 * calls);
});
