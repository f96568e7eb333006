// What a check costs the client: in shadow nothing but the relaying, in enforce the read itself and little more.

import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { Agent, get } from "node:http";
import { join, resolve } from "node:path";
import { connect, median, quantile } from "./peer.mjs";
import { waysFor } from "./ways.mjs";

const PASS = '{"status":"pass"}';
const CALLS = 60;

/** Takes a directory for its files and the number of rounds. Gives rows for the table. */
export async function checkFigures(directory, rounds) {
  const shell = join(directory, "verifier.sh");
  writeFileSync(shell, `read -r fields\necho '${PASS}'\n`);
  const script = join(directory, "verifier.mjs");
  writeFileSync(script, `process.stdin.resume().on("end", () => console.log('${PASS}'));\n`);
  const api = await startApi();
  const verifier = (...command) => ({ verifier: { command, timeout_ms: 2000 } });
  const node = verifier(process.execPath, script);
  const ways = waysFor(directory, {
    shell: verifier("/bin/sh", shell),
    cold: node,
    warm: { verifier: { ...node.verifier, prewarm: 1 } },
    http: {
      readback: { type: "http", url_template: `${api.origin}/records/{id}`, expected_fields: { id: "id" } },
    },
  });
  const seen = {};
  function note(figure, value) {
    seen[figure] ??= [];
    seen[figure].push(value);
  }
  for (let round = 0; round < rounds; round++) {
    note("bareSpawn", await p50(CALLS, () => answer("/bin/sh", [shell])));
    note("spawn32", await together(32, () => answer("/bin/sh", [shell])));
    note("read", await p50(CALLS, api.read));
    note("read32", await together(32, api.read));
    note("cold", await p50(10, () => answer(process.execPath, [script])));
    const direct = await connect(ways.direct);
    const shadow = await connect(ways.shadow);
    const enforce = await connect(ways.enforce);
    note("direct", await unhurried(direct, "shell", 30, 60));
    note("shadow", await unhurried(shadow, "shell", 30, 60));
    note("hurried", await trip(shadow, 200, "shell"));
    const alone = await trip(direct, 500, "shell");
    for (const tool of ["shell", "http"]) {
      note(tool, (await trip(enforce, CALLS, tool)) - alone);
      const bursts = [];
      for (let i = 0; i < 3; i++) bursts.push(await enforce.pipelined(32, 32, {}, tool));
      note(`${tool}32`, median(bursts));
    }
    note("warm", await unhurried(enforce, "warm", 8, 400));
    for (const peer of [direct, shadow, enforce]) await peer.close();
  }
  api.close();
  const of = (figure) => median(seen[figure]);
  const row = (figure, way, base, value, bound) => ({ figure, way, unit: "ms", base, value, bound });
  return [
    row("protected call, with pauses, p50", "shadow", of("direct"), of("shadow"), 1.8),
    row("protected calls without a pause, p50", "shadow", of("direct"), of("hurried")),
    row("http, added, against the read", "enforce", of("read"), of("http")),
    { figure: "http, added beyond the read", way: "enforce", unit: "ms", value: of("http") - of("read"), most: 3 },
    row("http, 32 at once, against one", "enforce", of("http"), of("http32"), 3),
    row("http, 32 at once, against 32 reads", "enforce", of("read32"), of("http32")),
    row("/bin/sh, added, against a bare spawn", "enforce", of("bareSpawn"), of("shell"), 1.3),
    row("/bin/sh, 32 at once, against one", "enforce", of("shell"), of("shell32"), 10),
    row("/bin/sh, 32 at once, against 32 spawns", "enforce", of("spawn32"), of("shell32")),
    row("node with prewarm, against its start", "enforce", of("cold"), of("warm"), 0.3),
  ];
}

async function p50(count, once) {
  const times = [];
  for (let i = 0; i < count; i++) {
    const begin = performance.now();
    await once();
    times.push(performance.now() - begin);
  }
  return quantile(times, 0.5);
}

async function trip(peer, count, tool) {
  await peer.roundTrips(Math.ceil(count / 10), {}, tool);
  return quantile(await peer.roundTrips(count, {}, tool), 0.5);
}

/** Milliseconds until all of `count` are done that begin at once; the median of three. */
async function together(count, once) {
  const times = [];
  for (let i = 0; i < 3; i++) {
    const begin = performance.now();
    await Promise.all(Array.from({ length: count }, once));
    times.push(performance.now() - begin);
  }
  return median(times);
}

/** Calls as an agent makes them, with time to think in between: what the last one left to do is done by then. */
async function unhurried(peer, tool, count, pauseMs) {
  const times = [];
  for (let i = 0; i < count; i++) {
    await new Promise((done) => setTimeout(done, pauseMs));
    times.push(...(await peer.roundTrips(1, {}, tool)));
  }
  return quantile(times, 0.5);
}

/** Starts a program as a verifier is started, gives it fields and waits for what it says. */
function answer(program, args) {
  return new Promise((done) => {
    const child = spawn(program, args, { detached: true, stdio: ["pipe", "pipe", "pipe"] });
    child.stdin.on("error", () => {});
    child.stdin.end('{"id":1}\n');
    child.stdout.resume();
    child.on("close", done);
  });
}

/** An HTTP server in a process of its own. */
async function startApi() {
  const child = spawn(process.execPath, [resolve("bench/api.mjs")], { stdio: ["pipe", "pipe", "inherit"] });
  const port = await new Promise((heard) => child.stdout.once("data", (bytes) => heard(Number(bytes))));
  const origin = `http://127.0.0.1:${port}`;
  const agent = new Agent({ keepAlive: true });
  return {
    origin,
    read: () => new Promise((done) => get(`${origin}/records/1`, { agent }, (reply) => reply.resume().on("end", done))),
    close() {
      agent.destroy();
      child.stdin.end();
    },
  };
}
