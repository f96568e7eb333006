// What standing in the path costs: the same server run directly and behind the guard, interleaved in one run, as ratios.
// Usage: node bench/guard.mjs [--rounds N] [--json]. Exit status 1 when a figure is over its bound.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { connect, median, quantile, runTime } from "./peer.mjs";

const { values } = parseArgs({ options: { rounds: { type: "string", default: "5" }, json: { type: "boolean" } } });
const rounds = Number(values.rounds);
const directory = mkdtempSync(join(tmpdir(), "fourgate-bench-"));
const contract = join(directory, "contract.json");
writeFileSync(
  contract,
  JSON.stringify({
    contract_version: 1,
    tools: {
      create: {
        extract: { id: { source: "result", path: "result.structuredContent.id" } },
        record_id_field: "id",
        verifier: { command: ["true"], timeout_ms: 1000 },
        allowed_failure_reasons: ["record_missing"],
      },
    },
  }),
);
const node = process.execPath;
const server = [node, resolve("bench/echo-server.mjs")];
const guarded = (mode) => [
  node,
  resolve("dist/main.cjs"),
  "guard",
  "--contracts",
  contract,
  "--mode",
  mode,
  "--",
  ...server,
];
const ways = { direct: server, shadow: guarded("shadow"), enforce: guarded("enforce") };

const seen = Object.fromEntries(
  Object.keys(ways).map((way) => [way, { start: [], p50: [], p99: [], pipelined: [], bulk: [] }]),
);
const bare = [];
for (let round = 0; round < rounds; round++) {
  bare.push(await runTime([node, "-e", "0"]));
  for (const [way, command] of Object.entries(ways)) {
    const peer = await connect(command);
    seen[way].start.push(peer.startMs);
    await peer.roundTrips(200);
    const times = await peer.roundTrips(2000);
    seen[way].p50.push(quantile(times, 0.5));
    seen[way].p99.push(quantile(times, 0.99));
    seen[way].pipelined.push(await peer.pipelined(20_000, 64));
    seen[way].bulk.push(await peer.pipelined(200, 4, { size: 1 << 20 }));
    await peer.close();
  }
}
rmSync(directory, { recursive: true });

const of = (way, figure) => median(seen[way][figure]);
const bounds = { start: 1.5, p50: 4, p99: undefined, pipelined: 2.5, bulk: 3 };
const rows = [];
for (const way of ["shadow", "enforce"]) {
  const added = (of(way, "start") - of("direct", "start")) / median(bare);
  rows.push({
    figure: "start-up added, in bare `node -e 0`",
    way,
    direct: of("direct", "start"),
    guarded: of(way, "start"),
    ratio: added,
    bound: bounds.start,
  });
  for (const [figure, name] of [
    ["p50", "round trip p50"],
    ["p99", "round trip p99"],
    ["pipelined", "20,000 calls, 64 outstanding"],
    ["bulk", "200 answers of 1 MiB"],
  ]) {
    rows.push({
      figure: name,
      way,
      direct: of("direct", figure),
      guarded: of(way, figure),
      ratio: of(way, figure) / of("direct", figure),
      bound: bounds[figure],
    });
  }
}
const machine = {
  node: process.version,
  cpu: cpus()[0]?.model,
  cores: cpus().length,
  rounds,
  bareNodeMs: median(bare),
};
if (values.json) console.log(JSON.stringify({ v: 1, machine, rows }, null, 2));
else {
  console.log(
    `${machine.cpu}, ${machine.cores} cores, Node ${machine.node}; medians of ${rounds} rounds; bare node ${machine.bareNodeMs.toFixed(0)} ms`,
  );
  for (const { figure, way, direct, guarded, ratio, bound } of rows) {
    const limit = bound === undefined ? "" : `  (bound ${bound}x)`;
    console.log(
      `${way.padEnd(8)} ${figure.padEnd(36)} ${direct.toFixed(3).padStart(9)} ms ${guarded.toFixed(3).padStart(9)} ms ${ratio.toFixed(2).padStart(6)}x${limit}`,
    );
  }
}
if (rows.some(({ ratio, bound }) => bound !== undefined && ratio > bound)) process.exitCode = 1;
