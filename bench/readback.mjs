// What a read-back costs: `http` through the reader against the same read made directly, and `fourgate verify` against bare Node.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { Agent, createServer, get } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";

const MAIN = resolve("dist/main.cjs");
const ROUNDS = 300;
const STARTS = 15;
const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

const server = createServer((_, response) => response.end('{"title":"t"}'));
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const origin = `http://127.0.0.1:${server.address().port}`;

const agent = new Agent({ keepAlive: true });
const direct = () =>
  new Promise((done, failed) => {
    get(`${origin}/7`, { agent }, (response) => response.resume().on("end", done)).on("error", failed);
  });

const reader = spawn(process.execPath, [MAIN, "--reader"], { stdio: ["pipe", "pipe", "inherit"] });
const say = (message) => reader.stdin.write(`${JSON.stringify(message)}\n`);
const lines = createInterface({ input: reader.stdout })[Symbol.asyncIterator]();
const title = { written: "title", path: [{ type: "key", name: "title" }], expected: { field: "title" } };
const source = {
  type: "http",
  url: { origin, parts: ["/", "id", ""], loopback: true },
  headers: {},
  missingStatuses: [],
};
const limits = { attempts: 1, intervalMs: 0, timeoutMs: 1500, settleMs: 0, credentials: [], environment: [] };
const expected = [[{ ...title, compare: "exact", options: {} }]];
say({ type: "open", readbacks: [["t", { source, expect: "present", expected, ...limits }]] });
async function through(id) {
  say({ type: "check", id, readback: "t", fields: '{"id":7,"title":"t"}', budgetMs: 1500, ageMs: 0 });
  const { outcome } = JSON.parse((await lines.next()).value);
  if (outcome.type !== "pass") throw new Error(`the read-back ended with ${outcome.reason}`);
}

const times = { direct: [], through: [] };
for (let i = 0; i < ROUNDS; i++) {
  for (const [name, read] of [
    ["direct", direct],
    ["through", through],
  ]) {
    const begin = performance.now();
    await read(i);
    if (i >= 20) times[name].push(performance.now() - begin);
  }
}
const added = median(times.through) - median(times.direct);
reader.stdin.end();
agent.destroy();

const directory = mkdtempSync(join(tmpdir(), "fourgate-bench-"));
const file = join(directory, "readback.json");
writeFileSync(
  file,
  JSON.stringify({ type: "http", url_template: `${origin}/{id}`, expected_fields: { title: "title" } }),
);
const start = (args, input) =>
  new Promise((done) => {
    const begin = performance.now();
    const child = spawn(process.execPath, args, { stdio: ["pipe", "ignore", "inherit"] });
    child.stdin.on("error", () => {});
    child.stdin.end(input);
    child.on("exit", () => done(performance.now() - begin));
  });
const starts = { node: [], verify: [] };
for (let i = 0; i < STARTS; i++) {
  starts.node.push(await start(["-e", "0"], ""));
  starts.verify.push(await start([MAIN, "verify", file], '{"id":7,"title":"t"}'));
}
const ratio = median(starts.verify) / median(starts.node);
rmSync(directory, { recursive: true, force: true });
server.close();

const rows = [
  ["http through the reader, added (median)", `${added.toFixed(2)} ms`, "under 5 ms"],
  ["fourgate verify, in bare `node -e 0`", `${ratio.toFixed(2)} x`, "under 1.6 x"],
];
for (const [figure, value, goal] of rows) console.log(`${figure.padEnd(42)} ${value.padStart(9)}   ${goal}`);
