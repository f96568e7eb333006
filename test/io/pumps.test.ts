// The two ways to read a pipe hold the same: every byte, in order, whatever the pieces and whoever waits.

import { spawn } from "node:child_process";
import { createReadStream, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { bundle } from "./bundle.ts";

const server = (name: string) => fileURLToPath(new URL(`../fixtures/servers/${name}`, import.meta.url));

let program: string;
beforeAll(async () => {
  program = await bundle("relays");
});

interface Exchange {
  readonly pump: string;
  readonly waitMs?: number;
  readonly fromClient: Uint8Array;
  readonly fromServer: Uint8Array;
  readonly pieceBytes: number;
  /** Reads what the server says only when all has been sent to it. */
  readonly slowClient?: boolean;
}

async function exchange({ pump, waitMs = 0, fromClient, fromServer, pieceBytes, slowClient }: Exchange) {
  const directory = mkdtempSync(join(tmpdir(), "fourgate-"));
  const file = (name: string) => join(directory, name);
  writeFileSync(file("out"), fromServer);
  writeFileSync(file("input"), fromClient);
  const args = [program, pump, String(waitMs), process.execPath, server("raw.mjs")];
  const child = spawn(process.execPath, [...args, file("out"), file("into"), String(pieceBytes)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const got: Buffer[] = [];
  const exited = new Promise((resolve) => child.once("close", resolve));
  const sent = pipeline(createReadStream(file("input"), { highWaterMark: pieceBytes }), child.stdin);
  if (slowClient) await sent;
  child.stdout.on("data", (bytes) => got.push(bytes));
  await sent;
  expect(await exited).toBe(0);
  return { toClient: Buffer.concat(got), toServer: readFileSync(file("into")) };
}

describe.each(["slabs", "portable"])("%s", (pump) => {
  test("random bytes both ways, cut at random", async () => {
    const side = fc.uint8Array({ maxLength: 200_000, size: "max" });
    await fc.assert(
      fc.asyncProperty(side, side, fc.integer({ min: 1, max: 100_000 }), async (fromClient, fromServer, piece) => {
        // Few pieces a side, so that a run of single bytes does not take minutes.
        const pieceBytes = Math.max(piece, Math.ceil(Math.max(fromClient.length, fromServer.length) / 300));
        const seen = await exchange({ pump, fromClient, fromServer, pieceBytes });
        expect(Buffer.compare(seen.toServer, fromClient)).toBe(0);
        expect(Buffer.compare(seen.toClient, fromServer)).toBe(0);
      }),
      { numRuns: 6 },
    );
  });

  test("8 MiB to a client that reads late, and what was said before anybody listened", async () => {
    const numbers = Buffer.from(new Uint32Array(1 << 21).map((_unused, at) => at).buffer);
    const late = { pump, fromClient: numbers, fromServer: numbers, pieceBytes: 300_001 };
    for (const one of [
      { ...late, slowClient: true },
      { ...late, waitMs: 300 },
    ]) {
      const seen = await exchange(one);
      expect(Buffer.compare(seen.toServer, numbers)).toBe(0);
      expect(Buffer.compare(seen.toClient, numbers)).toBe(0);
    }
  });
});
