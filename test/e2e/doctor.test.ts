// `fourgate doctor` through the built program: what it says, and that server, network and disk see nothing of it.

import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { fixture, MAIN, node, scratch } from "./harness.ts";

const SECRET = "s3cret-of-the-reader";
const SCANNED = fixture("scanned.mjs");

const readback = (origin: string, more: object = {}) => ({
  type: "http",
  url_template: `${origin}/records/{id}`,
  token_env: "READER_TOKEN",
  missing_statuses: [404],
  expected_fields: { title: "title" },
  timeout_ms: 1500,
  ...more,
});

const contractOf = (check: object, name = "create") => ({
  contract_version: 1,
  tools: {
    [name]: {
      extract: {
        id: { source: "result", path: "result.structuredContent.id" },
        title: { source: "arguments", path: "title" },
      },
      record_id_field: "id",
      allowed_failure_reasons: ["record_missing", "field_mismatch"],
      ...check,
    },
  },
});

interface Run {
  readonly contract?: object | string;
  readonly server?: readonly string[] | undefined;
  readonly flags?: readonly string[];
  readonly env?: Record<string, string>;
}

function doctor({
  contract = contractOf({ readback: readback("https://api.example.invalid") }),
  server,
  flags,
  env,
}: Run) {
  const folder = scratch();
  writeFileSync(join(folder, "contract.json"), typeof contract === "string" ? contract : JSON.stringify(contract));
  const given = flags ?? ["--log", join(folder, "outcomes.jsonl")];
  const args = [MAIN, "doctor", "--contracts", "contract.json", ...given, ...(server ? ["--", ...server] : [])];
  const ran = spawnSync(node, args, {
    cwd: folder,
    encoding: "utf8",
    env: { PATH: process.env.PATH, READER_TOKEN: SECRET, ...env },
  });
  return { code: ran.status, out: ran.stdout, err: ran.stderr, folder };
}

/** Every file below a folder with all that a change of it would change. */
const snapshot = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .concat(folder)
    .map((path) => {
      const { mtimeMs, ctimeMs, ino, size, mode } = statSync(path);
      return { path, mtimeMs, ctimeMs, ino, size, mode };
    });

test("a good setup: no warning; no call, no request, no file, and the server is gone", async () => {
  const asked: string[] = [];
  const api = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.end("{}");
  });
  api.on("connection", () => asked.push("connection"));
  await new Promise<void>((resolve) => api.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void api.close());
  const [folder, home] = [scratch(), scratch()];
  const origin = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
  writeFileSync(join(folder, "contract.json"), JSON.stringify(contractOf({ readback: readback(origin) })));
  writeFileSync(join(folder, "outcomes.jsonl"), '{"torn');
  const before = snapshot(folder);
  const log = join(folder, "outcomes.jsonl");
  const args = [
    "doctor",
    "--contracts",
    join(folder, "contract.json"),
    "--log",
    log,
    "--",
    node,
    SCANNED,
    home,
    "pages",
  ];
  const child = spawn(node, [MAIN, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, READER_TOKEN: SECRET, OTHER: "seen" },
  });
  const told = { out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    told.out += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    told.err += text;
  });
  const code = await new Promise((done) => child.on("close", done));
  expect(told.err).toBe("");
  expect(told.out).toMatch(/\nVerdict: READY FOR SHADOW \(0 warnings\)\n$/);
  expect(code).toBe(0);
  expect(asked).toEqual([]);
  expect(snapshot(folder)).toEqual(before);
  const received = readFileSync(join(home, "received.jsonl"), "utf8").trim().split("\n");
  expect(received.map((line) => JSON.parse(line).method)).toEqual([
    "initialize",
    "notifications/initialized",
    "tools/list",
    "tools/list",
    "tools/list",
  ]);
  const environment = JSON.parse(readFileSync(join(home, "environment.json"), "utf8"));
  expect(environment).toMatchObject({ OTHER: "seen" });
  expect(environment).not.toHaveProperty("READER_TOKEN");
  expect(spawnSync("pgrep", ["-f", home], { encoding: "utf8" }).stdout).toBe("");
});

test("a verifier of one's own is not run", () => {
  const folder = scratch();
  const script = join(folder, "check.mjs");
  writeFileSync(
    script,
    `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(join(folder, "ran"))}, "");`,
  );
  const { code, out } = doctor({
    contract: contractOf({ verifier: { command: ["{node}", script], timeout_ms: 1000 } }),
  });
  expect(code).toBe(0);
  expect(out).toContain("READY FOR SHADOW (1 warning)");
  expect(readdirSync(folder)).toEqual(["check.mjs"]);
});

describe("not ready", () => {
  // Outlives a single test: the rows are made before any of them runs.
  const folder = join(tmpdir(), `fourgate-doctor-${process.pid}`);
  beforeAll(() => void mkdirSync(folder, { recursive: true }));
  afterAll(() => rmSync(folder, { recursive: true }));
  test.each<[string, Run, RegExp]>([
    [
      "no contract",
      { contract: '{"contract_version": 2}', server: [node, SCANNED, folder] },
      /\[FAIL\] .*contract\.json:1:/,
    ],
    ["no such program", { server: ["no-such-program-at-all"] }, /\[FAIL\] the server could not be started: ENOENT/],
    [
      "a server that ends at once",
      { server: [node, "-e", "0"] },
      /\[FAIL\] there was no session with the server: server_closed/,
    ],
    [
      "a server that refuses",
      { server: [node, SCANNED, folder, "refuses"] },
      /\[FAIL\] there was no session with the server: handshake_refused/,
    ],
    [
      "another tool",
      {
        contract: contractOf({ readback: readback("https://api.example.invalid") }, "craete"),
        server: [node, SCANNED, folder],
      },
      /\[FAIL\] craete is not among the server's tools; did you mean create\?/,
    ],
    ["no credential", { env: { READER_TOKEN: "" } }, /\[FAIL\] READER_TOKEN is not set or empty/],
    ["a log that is a directory", { flags: ["--log", "/"] }, /\[FAIL\] \/: it is a directory/],
    [
      "a log nowhere",
      { flags: ["--log", "/nowhere/at/all"] },
      /\[FAIL\] \/nowhere\/at\/all: its directory does not exist/,
    ],
    ["a log on stdout", { flags: ["--log", "/dev/stdout"] }, /\[FAIL\] \/dev\/stdout: stdout carries/],
    [
      "no verifier",
      { contract: contractOf({ verifier: { command: ["./no-such-check"], timeout_ms: 1000 } }) },
      /\[FAIL\] tools\["create"\]\.verifier\.command: \.\/no-such-check is not found/,
    ],
  ])("%s", (_, run, expected) => {
    const { code, out, err } = doctor(run);
    expect(out).toMatch(expected);
    expect(out).toMatch(/\nVerdict: NOT READY: 1 problem\n$/);
    expect([code, err]).toEqual([1, ""]);
  });
});

test("a contract that cannot be read: the server is not started", () => {
  const home = scratch();
  const { out } = doctor({ contract: "{", server: [node, SCANNED, home] });
  expect(out.match(/\[SKIP\]/g)).toHaveLength(4);
  expect(readdirSync(home)).toEqual([]);
});

test("warnings: values seen elsewhere, noise on stdout, enforce, no log, paths that never matched", () => {
  const folder = scratch();
  const log = join(folder, "log");
  const record = {
    status: "unknown",
    timestamp: 1.78e9,
    server: "tracker",
    tool: "create",
    reason_code: "required_field_missing",
  };
  const records = [record, record, record, { ...record, server: "another", reason_code: "postcondition_satisfied" }];
  writeFileSync(log, records.map((one) => `${JSON.stringify(one)}\n`).join(""));
  const { out } = doctor({
    server: ["sh", "-c", `echo starting; echo '{"level":30}'; exec "$@"`, "sh", node, SCANNED, folder],
    flags: ["--log", log, "--mode", "enforce", "--server", "tracker"],
    env: { COPY: `Bearer ${SECRET}` },
  });
  expect(out).toContain("[WARN] the value of READER_TOKEN is also in COPY, which the server sees");
  expect(out).toContain("[WARN] the server printed 2 lines to stdout that are no message");
  expect(out).toContain("[WARN] mode enforce");
  expect(out).toContain("[WARN] create: of 3 recorded calls, a path or pattern of extract matched in none of them");
  expect(out).not.toContain(SECRET);
  expect(doctor({ flags: [] }).out).toContain("[WARN] no --log");
});

test("a client's configuration that starts the server without a guard", () => {
  const [home, folder] = [scratch(), scratch()];
  const entry = { command: node, args: [SCANNED, folder] };
  const guarded = { command: "fourgate", args: ["guard", "--contracts", "c.json", "--", node, SCANNED, folder] };
  writeFileSync(
    join(home, ".claude.json"),
    JSON.stringify({ mcpServers: { plain: entry, safe: guarded, other: { command: "x" } } }),
  );
  const { out } = doctor({ server: [node, SCANNED, folder], env: { HOME: home } });
  expect(out.match(/\[WARN\] .*/g)).toEqual([
    expect.stringMatching(/^\[WARN\] plain in .*\.claude\.json.* starts this server without a guard/),
  ]);
});

test("names that would move a cursor are shown as escapes", () => {
  const contract = contractOf({ readback: readback("https://api.example.invalid") }, "a\u001b[2J\u202e\u00e9");
  const { out } = doctor({ contract });
  expect(out).toMatch(/^[\n\x20-\x7e]*$/);
  expect(out).toContain("a\\u001b[2J\\u202e\\u00e9");
});

test("--json", () => {
  const { code, out } = doctor({ flags: ["--json"] });
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    doctor_version: 1,
    verdict: "ready_for_shadow",
    warnings: 1,
    problems: 0,
    server_started: false,
  });
});

test.each([
  [["--contracts"]],
  [["--mode", "shadow"]],
  [["--contracts", "x", "--nonsense"]],
  [["--contracts", "x", "--"]],
  [["--contracts", "x", "--mode", "strict"]],
])("usage: %j", (args) => {
  const { status, stdout, stderr } = spawnSync(node, [MAIN, "doctor", ...args], { encoding: "utf8" });
  expect([status, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(/^fourgate doctor: error: [^\n]+\n$/);
});
