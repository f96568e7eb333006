// What standing in the path costs: the same server run directly, behind plain copies and behind the guard, interleaved in one
// run, as ratios. Usage: node bench/guard.mjs [--rounds N] [--json]. Exit status 1 when a figure is over its bound.

import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { checkFigures } from "./checks.mjs";
import { relayFigures } from "./relay.mjs";

const { values } = parseArgs({ options: { rounds: { type: "string", default: "5" }, json: { type: "boolean" } } });
const rounds = Number(values.rounds);
const directory = mkdtempSync(join(tmpdir(), "fourgate-bench-"));
const { rows: relayed, bare } = await relayFigures(directory, rounds);
const rows = [...relayed, ...(await checkFigures(directory, rounds))].map((row) => {
  const ratio = row.base === undefined ? undefined : row.value / row.base;
  const over = (row.bound && ratio > row.bound) || (row.most !== undefined && row.value > row.most);
  return { ...row, bound: row.bound || undefined, ratio, over: Boolean(over) };
});
rmSync(directory, { recursive: true });

const machine = { node: process.version, cpu: cpus()[0]?.model, cores: cpus().length, rounds, bareNodeMs: bare };
if (values.json) console.log(JSON.stringify({ v: 2, machine, rows }, null, 2));
else {
  const { cpu, cores, node } = machine;
  console.log(`${cpu}, ${cores} cores, Node ${node}; medians of ${rounds} rounds; a bare node ${bare.toFixed(0)} ms`);
  for (const { figure, way, unit, base, value, ratio, bound, most, over } of rows) {
    const numbers = [base === undefined ? "" : `${base.toFixed(3)} ${unit}`, `${value.toFixed(3)} ${unit}`];
    const limit = bound ? `at most ${bound}x` : most ? `at most ${most} ${unit}` : "";
    console.log(
      [
        way.padEnd(8),
        figure.padEnd(37),
        ...numbers.map((text) => text.padStart(13)),
        (ratio === undefined ? "" : `${ratio.toFixed(2)}x`).padStart(8),
        ` ${limit}${over ? ", OVER" : ""}`,
      ].join(" "),
    );
  }
}
if (rows.some(({ over }) => over)) process.exitCode = 1;
