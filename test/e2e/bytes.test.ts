// Bytes through the built program: whatever either side sends comes out as it went in.

import { createHash, randomBytes } from "node:crypto";
import { createReadStream, createWriteStream, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { contractFor, FAILS, fixture, guard, node, PASSES, says, scratch } from "./harness.ts";

const hash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

interface Exchange {
  readonly mode: "shadow" | "enforce";
  readonly verifier: readonly string[];
  readonly fromClient: Buffer;
  readonly fromServer: Buffer;
  readonly pieceBytes: number;
}

/** Sends both streams through a guard, one from each side, and gives what arrived. */
async function exchange({ mode, verifier, fromClient, fromServer, pieceBytes }: Exchange) {
  const directory = scratch();
  const [out, into, input, got] = ["out", "into", "input", "got"].map((name) => join(directory, name)) as [
    string,
    string,
    string,
    string,
  ];
  writeFileSync(out, fromServer);
  writeFileSync(input, fromClient);
  const session = guard({
    contract: contractFor(verifier),
    server: [node, fixture("raw.mjs"), out, into, String(pieceBytes)],
    flags: ["--mode", mode],
  });
  const [code] = await Promise.all([
    session.exited,
    pipeline(createReadStream(input, { highWaterMark: pieceBytes }), session.child.stdin),
    pipeline(session.child.stdout, createWriteStream(got)),
  ]);
  return {
    code,
    toServer: readFileSync(into),
    toClient: readFileSync(got),
    records: session.records(),
    stderr: session.stderr,
  };
}

const noise = [
  Buffer.from("Listening on 3025\r\n"),
  Buffer.from("\ufeff{}\n\n\r\n[]\n"),
  Buffer.from('{"id":1,"result":{"content":[]}\n'),
  Buffer.from("é—日本😀\n"),
  Buffer.from([0xff, 0xfe, 0x00, 0x0a, 0xc3]),
  Buffer.from('{"jsonrpc":"2.0","id":null,"error":{"code":-32700}}\n'),
];
const calls = Buffer.from(
  Array.from(
    { length: 20 },
    (_unused, id) => `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"create"}}\r\n`,
  ).join(""),
);
const answers = Buffer.from(
  Array.from(
    { length: 20 },
    (_unused, id) => `{"result":{"content":[],"structuredContent":{"id":${id}}},"jsonrpc":"2.0","id":${id}}\r\n`,
  ).join(""),
);

test("random bytes and odd lines in both directions, cut at random, in shadow with FAIL and in enforce with PASS and UNKNOWN", async () => {
  const part = fc.oneof(
    fc.uint8Array({ maxLength: 3000 }).map((bytes) => Buffer.from(bytes)),
    fc.constantFrom(...noise, calls, answers),
  );
  const side = fc.array(part, { maxLength: 12 }).map((parts) => Buffer.concat(parts));
  const ways = fc.constantFrom(
    { mode: "shadow" as const, verifier: FAILS },
    { mode: "enforce" as const, verifier: PASSES },
    { mode: "enforce" as const, verifier: ["sh", "-c", "exit 3"] },
    { mode: "enforce" as const, verifier: says({ status: "later" }) },
  );
  await fc.assert(
    fc.asyncProperty(
      ways,
      side,
      side,
      fc.integer({ min: 1, max: 5000 }),
      async (way, fromClient, fromServer, pieceBytes) => {
        const seen = await exchange({ ...way, fromClient, fromServer, pieceBytes });
        expect(seen.code).toBe(0);
        expect(hash(seen.toServer)).toBe(hash(fromClient));
        if (way.mode === "shadow") expect(hash(seen.toClient)).toBe(hash(fromServer));
        else {
          // Held answers may be passed by other lines; the lines themselves are the same, and an open last one stays last.
          const lines = (bytes: Buffer) => bytes.toString("latin1").split(/(?<=\n)/);
          expect(lines(seen.toClient).sort()).toEqual(lines(fromServer).sort());
        }
      },
    ),
    { numRuns: 25 },
  );
});

test("an enforced PASS leaves a plain session byte for byte and in order", async () => {
  const session = guard({ contract: contractFor(PASSES), flags: ["--mode", "enforce"] }).read();
  const line =
    '{"jsonrpc":"2.0","id":%,"result":{"content":[{"type":"text","text":"Created %"}],"structuredContent":{"id":%}}}';
  for (let id = 0; id < 5; id++) {
    session.call(id);
    expect(await session.next()).toBe(line.replaceAll("%", String(id)));
  }
  expect(await session.end()).toBe(0);
  expect(session.records().map((record) => record.status)).toEqual(Array(5).fill("pass"));
});

test("a line of 64 MiB each way", async () => {
  const text = randomBytes(32 * 1024 * 1024).toString("hex");
  const fromClient = Buffer.from(
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create","arguments":{"t":"${text}"}}}\n`,
  );
  const fromServer = Buffer.from(`{"result":{"content":[{"type":"text","text":"${text}"}]},"jsonrpc":"2.0","id":1}\n`);
  for (const mode of ["shadow", "enforce"] as const) {
    const seen = await exchange({ mode, verifier: FAILS, fromClient, fromServer, pieceBytes: 65536 });
    expect(hash(seen.toServer)).toBe(hash(fromClient));
    expect(hash(seen.toClient)).toBe(hash(fromServer));
    // Which side is faster decides whether the answer came after its call; either way there is one record, and no PASS or FAIL.
    expect(seen.records).toMatchObject([{ status: "unknown" }]);
  }
});

test("10,000 calls written before the client reads anything: no deadlock, every answer", async () => {
  const session = guard({ contract: contractFor(PASSES, {}, ["create"]), flags: ["--mode", "enforce"] });
  const tools = Array.from({ length: 10_000 }, (_unused, id) => (id % 20 === 0 ? "create" : "other"));
  for (const [id, tool] of tools.entries()) {
    if (!session.call(id, tool, { padding: "p".repeat(100) }))
      await new Promise((drained) => session.child.stdin.once("drain", drained));
  }
  session.child.stdin.end();
  const ids = new Set<number>();
  for (let i = 0; i < tools.length; i++) ids.add((await session.message()).id);
  expect(ids.size).toBe(10_000);
  expect(await session.exited).toBe(0);
  expect(session.records()).toHaveLength(500);
});

test("a client that reads slowly gets everything, and the server is made to wait instead of filling our memory", async () => {
  const session = guard({ contract: contractFor(PASSES) });
  for (let id = 0; id < 64; id++) session.call(id, "other", { size: 1 << 20 });
  session.child.stdin.end();
  let bytes = 0;
  for await (const chunk of session.child.stdout) {
    bytes += chunk.length;
    if (bytes < 1 << 20) await new Promise((later) => setTimeout(later, 5));
  }
  expect(bytes).toBeGreaterThan(64 << 20);
  expect(await session.exited).toBe(0);
});
