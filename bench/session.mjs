// A session of a million calls, one in ten of them checked by a read-back in enforce mode: is its last tenth as fast as its first, and as small?
// Usage: node bench/session.mjs [--calls N] [--json]. Exit status 1 when a figure is over its bound. Memory and descriptors need Linux.

import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { connect } from "./peer.mjs";

const { values } = parseArgs({ options: { calls: { type: "string", default: "1000000" }, json: { type: "boolean" } } });
const PARTS = 10;
const OUTSTANDING = 64;
const calls = Number(values.calls);
const directory = mkdtempSync(join(tmpdir(), "fourgate-bench-"));
writeFileSync(join(directory, "record"), "");
const contract = join(directory, "contract.json");
const log = join(directory, "outcomes.jsonl");
writeFileSync(
  contract,
  JSON.stringify({
    contract_version: 1,
    tools: {
      create: {
        extract: { id: { source: "result", path: "result.structuredContent.id" } },
        readback: { type: "file", root: ".", path_template: "record" },
        allowed_failure_reasons: ["record_missing"],
      },
    },
  }),
);

/** What a process has of memory (MiB) and descriptors; nothing where it cannot be told. */
function sizeOf(pid) {
  try {
    const memory = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "latin1"));
    return { memory: Number(memory[1]) / 1024, descriptors: readdirSync(`/proc/${pid}/fd`).length };
  } catch {
    return {};
  }
}

const node = process.execPath;
const guard = [node, resolve("dist/main.cjs"), "guard", "--contracts", contract, "--mode", "enforce", "--log", log];
const peer = await connect([...guard, "--", node, resolve("bench/echo-server.mjs")]);
const oneInTen = (id) => (id % 10 === 0 ? "create" : "echo");
// Programs get faster while they are young; that is not what is asked.
await peer.pipelined(calls / PARTS, OUTSTANDING, {}, oneInTen);
const rows = [];
for (let part = 1; part <= PARTS; part++) {
  const ms = await peer.pipelined(calls / PARTS, OUTSTANDING, {}, oneInTen);
  rows.push({ part, ms, ...sizeOf(peer.child.pid) });
}
await peer.close();
const statuses = {};
for (const [, status] of readFileSync(log, "latin1").matchAll(/"status":"(\w+)"/g)) {
  statuses[status] = (statuses[status] ?? 0) + 1;
}
const recorded = Object.values(statuses).reduce((sum, count) => sum + count, 0);
const logMiB = statSync(log).size / 1024 / 1024;
rmSync(directory, { recursive: true });

const [first, last] = [rows[0], rows.at(-1)];
const figures = [
  { figure: "last tenth's time to the first's", value: last.ms / first.ms, bound: 1.1 },
  // Pages that the collector has freed and the system has not taken back yet come and go.
  { figure: "memory grown from the first tenth to the last (MiB)", value: last.memory - first.memory, bound: 8 },
  { figure: "descriptors grown", value: last.descriptors - first.descriptors, bound: 0 },
  { figure: "records missing", value: (calls + calls / PARTS) / 10 - recorded, bound: 0 },
];
const machine = { node: process.version, cpu: cpus()[0]?.model, cores: cpus().length, calls };
if (values.json) console.log(JSON.stringify({ v: 1, machine, rows, statuses, logMiB, figures }, null, 2));
else {
  console.log(
    `${machine.cpu}, ${machine.cores} cores, Node ${machine.node}; ${calls} calls, ${OUTSTANDING} outstanding`,
  );
  for (const { part, ms, memory, descriptors } of rows) {
    const size =
      memory === undefined ? "" : `${memory.toFixed(1).padStart(7)} MiB ${String(descriptors).padStart(3)} descriptors`;
    console.log(`tenth ${String(part).padStart(2)} ${ms.toFixed(0).padStart(7)} ms ${size}`);
  }
  console.log(`records: ${JSON.stringify(statuses)}, log ${logMiB.toFixed(0)} MiB`);
  for (const { figure, value, bound } of figures) console.log(`${figure}: ${value.toFixed(2)}  (bound ${bound})`);
}
if (figures.some(({ value, bound }) => value > bound)) process.exitCode = 1;
