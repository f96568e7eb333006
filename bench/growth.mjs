// How the cost of standing in the path grows: with the size of messages, with calls in flight, with contracts, with the log.
// Usage: node bench/growth.mjs [--rounds N] [--json]

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { connect, median } from "./peer.mjs";
import { waysFor } from "./ways.mjs";

const { values } = parseArgs({ options: { rounds: { type: "string", default: "5" }, json: { type: "boolean" } } });
const rounds = Number(values.rounds);
const directory = mkdtempSync(join(tmpdir(), "fourgate-bench-"));

function waysIn(name, contracts, logBytes = 0) {
  const folder = join(directory, name);
  mkdirSync(folder);
  const { direct, shadow } = waysFor(folder, {}, contracts);
  const record = `${JSON.stringify({ outcome_version: 1, status: "pass" })}\n`;
  writeFileSync(join(folder, "shadow.jsonl"), record.repeat(Math.ceil(logBytes / record.length)));
  return { direct, shadow };
}

const plain = waysIn("plain", 1);
const calls = (count, outstanding, size) => (peer) => peer.pipelined(count, outstanding, { size });
const rows = [
  ...[100, 1000, 10_000, 100_000, 1_000_000].map((size) => ({
    of: "size of a result (bytes), 64 in flight",
    at: size,
    ways: plain,
    work: calls(Math.max(200, Math.min(10_000, 1e8 / size)), 64, size),
  })),
  ...[1, 8, 64, 512].map((outstanding) => ({
    of: "calls in flight",
    at: outstanding,
    ways: plain,
    work: calls(outstanding === 1 ? 3000 : 10_000, outstanding, 0),
  })),
  ...[1, 50, 500].map((contracts) => ({
    of: "contracts, 64 in flight",
    at: contracts,
    ways: waysIn(`contracts-${contracts}`, contracts),
    work: calls(10_000, 64, 0),
  })),
  ...[0, 100_000_000].map((bytes) => ({
    of: "log (bytes), start",
    at: bytes,
    ways: waysIn(`log-${bytes}`, 1, bytes),
    work: undefined,
  })),
];

const seen = rows.map(() => ({ direct: [], shadow: [] }));
for (let round = 0; round < rounds; round++) {
  for (const [at, { ways, work }] of rows.entries()) {
    for (const way of ["direct", "shadow"]) {
      const peer = await connect(ways[way]);
      if (work !== undefined) await work(peer);
      seen[at][way].push(work === undefined ? peer.startMs : await work(peer));
      await peer.close();
    }
  }
}
rmSync(directory, { recursive: true });

const results = rows.map(({ of, at }, row) => {
  const [direct, shadow] = [median(seen[row].direct), median(seen[row].shadow)];
  return { of, at, directMs: direct, shadowMs: shadow, ratio: shadow / direct };
});
if (values.json) console.log(JSON.stringify({ v: 1, rounds, rows: results }, null, 2));
else {
  for (const { of, at, directMs, shadowMs, ratio } of results) {
    const numbers = [directMs, shadowMs].map((ms) => `${ms.toFixed(1)} ms`.padStart(11));
    console.log(of.padEnd(40), String(at).padStart(10), ...numbers, `${ratio.toFixed(2)}x`.padStart(7));
  }
}
