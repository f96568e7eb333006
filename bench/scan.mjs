// What `fourgate scan` costs: many cases against a fast server and a fast system of record, beside the same calls and reads alone.
// With the word `server` it is that server, with `alone` it makes those calls and reads: in a process of its own, as a scan does.

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent, createServer, get } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const MAIN = resolve("dist/main.cjs");
const SELF = fileURLToPath(import.meta.url);
const CASES = 1000;
const ROUNDS = 3;
/** What one call and one read take by themselves (milliseconds): as quick as anything that really stores. */
const WORK_MS = 2;
const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];
const MOST = 1.5;
/** What the process may grow from the 200th case to the last of 4000, reports included. */
const MOST_MORE_MIB = 32;

if (process.argv[2] === "server") {
  const results = {
    initialize: {
      protocolVersion: "2024-11-05",
      capabilities: { tools: {} },
      serverInfo: { name: "fast", version: "1" },
    },
    "tools/list": { tools: [{ name: "create", inputSchema: { type: "object" } }] },
    "tools/call": { content: [{ type: "text", text: "Created" }], structuredContent: { id: 7 } },
  };
  createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method } = JSON.parse(line);
    const answer = () => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result: results[method] })}\n`);
    if (id !== undefined) setTimeout(answer, WORK_MS);
  });
} else if (process.argv[2] === "alone") await alone(process.argv[3], Number(process.argv[4]));
else await bench();

async function bench() {
  const desk = createServer((_, response) => {
    response.setHeader("content-type", "application/json");
    setTimeout(() => response.end('{"title":"t"}'), WORK_MS);
  });
  await new Promise((done) => desk.listen(0, "127.0.0.1", done));
  const origin = `http://127.0.0.1:${desk.address().port}`;
  const folder = mkdtempSync(join(tmpdir(), "fourgate-bench-"));
  const times = { alone: [], scan: [] };
  for (let round = 0; round < ROUNDS; round++) {
    times.alone.push(await program([SELF, "alone", origin, String(CASES)]));
    times.scan.push((await scan(folder, origin, CASES)).ms);
  }
  const { early, late } = await scan(folder, origin, 4 * CASES);
  const ratio = median(times.scan) / median(times.alone);
  console.log(
    `scan, ${CASES} cases: ${median(times.scan).toFixed(0)} ms; the calls and reads alone: ${median(times.alone).toFixed(0)} ms`,
  );
  console.log(`ratio ${ratio.toFixed(2)} (at most ${MOST})`);
  console.log(`memory: ${early.toFixed(0)} MiB after 200 cases, ${late.toFixed(0)} MiB after ${4 * CASES}`);
  rmSync(folder, { recursive: true, force: true });
  desk.close();
  desk.closeAllConnections();
  if (ratio > MOST || late - early > MOST_MORE_MIB) process.exitCode = 1;
}

/** How long a program takes. */
async function program(argv) {
  const begin = performance.now();
  const child = spawn(process.execPath, argv, { stdio: ["ignore", "ignore", "inherit"] });
  await new Promise((done) => child.on("close", done));
  return performance.now() - begin;
}

/** Starts the server and makes each call and each read, one after the other; nothing is compared. */
async function alone(origin, count) {
  const server = spawn(process.execPath, [SELF, "server"], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
  const agent = new Agent({ keepAlive: true });
  const ask = async (id, method, params) => {
    server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    return JSON.parse((await lines.next()).value);
  };
  await ask(0, "initialize", {});
  await ask(1, "tools/list", {});
  for (let i = 2; i < count + 2; i++) {
    const { result } = await ask(i, "tools/call", { name: "create", arguments: { title: "t" } });
    await new Promise((done, failed) => {
      get(`${origin}/${result.structuredContent.id}`, { agent }, (response) => {
        let body = "";
        response.setEncoding("utf8").on("data", (text) => (body += text));
        response.on("end", () => done(JSON.parse(body)));
      }).on("error", failed);
    });
  }
  agent.destroy();
  server.stdin.end();
  await new Promise((done) => server.on("exit", done));
}

/** Runs a scan; gives its time, and its memory after 200 cases and at the end. */
async function scan(folder, origin, count) {
  const file = join(folder, "scan.json");
  const one = {
    tool: "create",
    arguments: { title: "t" },
    outcome_contract: {
      extract: {
        id: { source: "result", path: "result.structuredContent.id" },
        title: { source: "arguments", path: "title" },
      },
      record_id_field: "id",
    },
    readback: { type: "http", url_template: `${origin}/{id}`, expected_fields: { title: "title" } },
  };
  const server = { command: ["{node}", SELF, "server"], test_account: "bench" };
  writeFileSync(
    file,
    JSON.stringify({ scan_version: 1, server, write_tools: ["create"], cases: Array(count).fill(one) }),
  );
  const begin = performance.now();
  const argv = [MAIN, "scan", file, "--confirm-test-account", "bench", "--reporter", "json=/dev/null"];
  const child = spawn(process.execPath, argv, { stdio: ["ignore", "pipe", "inherit"] });
  let done = 0;
  let early = 0;
  let late = 0;
  let last = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    last = (last + text).slice(-400);
    done += text.split("\n").length - 1;
    if (done % 50 !== 0) return;
    late = memoryOf(child.pid) || late;
    if (done >= 200) early ||= late;
  });
  const code = await new Promise((done) => child.on("close", done));
  if (code !== 0 || !last.includes(`${count} verified`)) throw new Error(`the scan ended with ${code}: ${last}`);
  return { ms: performance.now() - begin, early, late };
}

function memoryOf(pid) {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
