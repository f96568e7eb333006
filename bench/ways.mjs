// The commands that are compared: a server as it is, behind a plain copy in each direction, and behind the guard.

import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const node = process.execPath;
const SERVER = [node, resolve("bench/echo-server.mjs")];

/** A contract for each tool, all alike but for what reads back. */
function contract(tools) {
  const common = {
    extract: { id: { source: "result", path: "result.structuredContent.id" } },
    record_id_field: "id",
    allowed_failure_reasons: ["record_missing"],
  };
  return {
    contract_version: 1,
    tools: Object.fromEntries(Object.entries(tools).map(([name, how]) => [name, { ...common, ...how }])),
  };
}

/**
 * Writes a contract of `count` tools into `directory`, of which those in `tools` are called. Gives the command of each way.
 * `tools` are members of a tool's contract, by the tool's name.
 */
export function waysFor(directory, tools, count = 50) {
  const others = Array.from({ length: count - Object.keys(tools).length }, (_, at) => [
    `other_${at}`,
    { verifier: { command: ["/bin/true"], timeout_ms: 1000 } },
  ]);
  const file = join(directory, `contract-${count}.json`);
  writeFileSync(file, JSON.stringify(contract({ ...tools, ...Object.fromEntries(others) })));
  const guarded = (mode) => {
    const log = join(directory, `${mode}.jsonl`);
    return [
      node,
      resolve("dist/main.cjs"),
      "guard",
      "--contracts",
      file,
      "--mode",
      mode,
      "--log",
      log,
      "--",
      ...SERVER,
    ];
  };
  return {
    direct: SERVER,
    copied: ["sh", "-c", 'cat | "$@" | cat', "sh", ...SERVER],
    shadow: guarded("shadow"),
    enforce: guarded("enforce"),
  };
}
