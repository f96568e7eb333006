// What passes unchecked: start, round trips, bulk, memory.

import { readFileSync } from "node:fs";
import { connect, median, quantile, runTime } from "./peer.mjs";
import { waysFor } from "./ways.mjs";

const MIB = 1 << 20;
const FIGURES = [
  ["p50", "round trip p50", 1.6],
  ["p99", "round trip p99", 2.5],
  ["pipelined", "20,000 calls, 64 outstanding", 1.5],
  ["bulk", "200 results of 1 MiB", 1.4],
  ["line", "one result of 64 MiB", 1.3],
];

/** Takes a directory for its files and the number of rounds. Gives rows for the table, and what a bare `node -e 0` takes (milliseconds). */
export async function relayFigures(directory, rounds) {
  const tools = { create: { verifier: { command: ["/bin/true"], timeout_ms: 1000 } } };
  const [ways, one] = [waysFor(directory, tools), waysFor(directory, tools, 1)];
  const seen = { bare: {}, ...Object.fromEntries(Object.keys(ways).map((way) => [way, {}])) };
  function note(way, figure, value) {
    seen[way][figure] ??= [];
    seen[way][figure].push(value);
  }
  for (let round = 0; round < rounds; round++) {
    note("bare", "start", await runTime([process.execPath, "-e", "0"]));
    for (const [way, command] of Object.entries(ways)) {
      note(way, "start", await startTime(one[way]));
      await measure(command, (figure, value) => note(way, figure, value));
    }
  }
  const of = (way, figure) => median(seen[way][figure]);
  const bare = of("bare", "start");
  const rows = [];
  for (const way of ["copied", "shadow", "enforce"]) {
    const bounded = way !== "copied";
    const started = (figure, name, bound) =>
      rows.push({ figure: name, way, unit: "ms", base: bare, value: of(way, figure) - of("direct", figure), bound });
    started("start", "start added, against a bare node", bounded && 1.25);
    if (bounded) started("start50", "the same with 50 contracts");
    for (const [figure, name, bound] of FIGURES) {
      rows.push({
        figure: name,
        way,
        unit: "ms",
        base: of("direct", figure),
        value: of(way, figure),
        bound: bounded && bound,
      });
    }
    const { idle, grown } = seen[way];
    if (bounded && idle) {
      rows.push({ figure: "resident, idle, 50 contracts", way, unit: "MB", value: median(idle), most: 60 });
      rows.push({ figure: "grown by the result of 64 MiB", way, unit: "MB", value: median(grown), most: 20 });
    }
  }
  return { rows, bare };
}

async function startTime(command) {
  const peer = await connect(command);
  await peer.close();
  return peer.startMs;
}

async function measure(command, note) {
  const peer = await connect(command);
  note("start50", peer.startMs);
  await new Promise((done) => setTimeout(done, 300));
  const idle = memory(peer.child.pid);
  if (idle) note("idle", idle.resident);
  await peer.roundTrips(200);
  const times = await peer.roundTrips(2000);
  note("p50", quantile(times, 0.5));
  note("p99", quantile(times, 0.99));
  note("pipelined", await peer.pipelined(20_000, 64));
  note("bulk", await peer.pipelined(200, 4, { size: MIB }));
  const before = memory(peer.child.pid);
  // The first makes the text; the server keeps it.
  await peer.pipelined(1, 1, { size: 64 * MIB });
  note("line", await peer.pipelined(1, 1, { size: 64 * MIB }));
  const after = memory(peer.child.pid);
  if (before) note("grown", Math.max(0, after.peak - before.peak));
  await peer.close();
}

/** Megabytes that a process has and had at most; undefined where there is no /proc. */
function memory(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const of = (name) => (Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)[1]) * 1024) / 1e6;
    return { resident: of("VmRSS"), peak: of("VmHWM") };
  } catch {
    return undefined;
  }
}
