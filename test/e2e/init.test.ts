// `fourgate init` through the built program: what it writes works with the other commands, and a mistake writes nothing.

import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { fixture, MAIN, node, scratch } from "./harness.ts";
import { published } from "./published.ts";

const URL_OF = (origin: string) => `${origin}/issues/{record_id}`;
const GOOD: Record<string, readonly string[]> = {
  tool: ["create"],
  "test-account": ["qa"],
  "id-path": ["result.structuredContent.id"],
  "readback-url": [URL_OF("https://api.example.invalid")],
  arg: ["title=fourgate {run_id}"],
  expect: ["title=title"],
};

const flagsOf = (flags: Record<string, readonly string[]>) =>
  Object.entries(flags).flatMap(([name, values]) =>
    values.map((value) => (value === "" ? `--${name}` : `--${name}=${value}`)),
  );

function run(
  args: readonly string[],
  { cwd = scratch(), env = {} }: { cwd?: string; env?: Record<string, string> } = {},
) {
  const ran = spawnSync(node, [MAIN, ...args], { cwd, encoding: "utf8", env: { PATH: process.env.PATH, ...env } });
  return { code: ran.status, out: ran.stdout, err: ran.stderr, cwd };
}

const init = (
  more: Record<string, readonly string[]> = {},
  command: readonly string[] = ["some-server"],
  cwd = scratch(),
) => run(["init", ...flagsOf({ ...GOOD, ...more }), "--", ...command], { cwd });

test("what it writes: scan proves it, and guard, doctor and summary take it, as its own words say", async () => {
  const stored = scratch();
  const api = createServer((request, response) => {
    const file = join(stored, `${request.url?.split("/").pop()}.json`);
    response.statusCode = existsSync(file) ? 200 : 404;
    response.end(existsSync(file) ? readFileSync(file) : "{}");
  });
  await new Promise<void>((resolve) => api.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void api.close());
  const origin = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
  const more = {
    "readback-url": [URL_OF(origin)],
    "missing-status": ["404"],
    "token-env": ["READER"],
    server: ["tracker"],
  };
  const { code, out, err, cwd } = init(more, [node, fixture("scanned.mjs"), stored]);
  expect([code, err]).toEqual([0, ""]);
  expect(out).toMatch(/^[\n\x20-\x7e]*$/);
  expect(readdirSync(join(cwd, "fourgate-config")).sort()).toEqual(["contract.json", "scan.json"]);
  expect(out).toContain("READER is not set here");
  const said = out.split("\n").filter((line) => line.startsWith("  fourgate "));
  const [doctor, scan, guard, summary] = said.map((line) => line.slice("  fourgate ".length));
  /** A command as it was told, in a shell. */
  const tell = (command: string, input = "") =>
    new Promise<{ code: number | null; out: string }>((done) => {
      const child = spawn("sh", ["-c", `'${node}' '${MAIN}' ${command}`], {
        cwd,
        env: { PATH: process.env.PATH, READER: "reader-token" },
        stdio: ["pipe", "pipe", "ignore"],
      });
      let text = "";
      child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      child.on("close", (status) => done({ code: status, out: text }));
      child.stdin.end(input);
    });
  expect((await tell(doctor!)).out).toContain("Verdict: READY FOR SHADOW (0 warnings)");
  expect(await tell(scan!)).toMatchObject({ code: 0, out: expect.stringContaining("1 verified (1 PASS") });
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "create", arguments: { title: "x" } } };
  expect((await tell(guard!, `${JSON.stringify(call)}\n`)).out).toContain('"id":1');
  expect((await tell(summary!)).out).toContain("1 protected call  PASS 1");
});

test("each way to name the record, and each way to send a credential", () => {
  const contractOf = (more: Record<string, readonly string[]>, without: readonly string[] = []) => {
    const flags = Object.fromEntries(Object.entries({ ...GOOD, ...more }).filter(([name]) => !without.includes(name)));
    const { err, cwd } = run(["init", ...flagsOf(flags), "--", "server"]);
    expect(err).toBe("");
    return JSON.parse(readFileSync(join(cwd, "fourgate-config/contract.json"), "utf8")).tools.create;
  };
  const text = { source: "result", path: "result.content.0.text" };
  expect(contractOf({ "id-regex": ["issue #(\\d+)"] }, ["id-path"]).extract.record_id).toEqual({
    ...text,
    parse: "regex",
    pattern: "issue #(\\d+)",
  });
  expect(contractOf({ "id-json-field": ["issue.id"] }, ["id-path"]).extract.record_id).toEqual({
    ...text,
    parse: "embedded_json",
    field: "issue.id",
  });
  const header = contractOf({ "token-env": ["T"], auth: ["header"], "auth-header": ["x-key"] });
  expect(header.readback).toMatchObject({ token_env: "T", auth: { scheme: "header", header: "x-key" } });
  const basic = contractOf({ "token-env": ["T"], auth: ["basic"], "username-env": ["U"] });
  expect(basic.readback).toMatchObject({ token_env: "T", auth: { scheme: "basic", username_env: "U" } });
  const several = contractOf({
    "arg-json": ['labels=["bug"]', "number=1.50"],
    expect: ["title=title", "labels.0.name=labels.0"],
  });
  expect(several.extract.labels_0).toEqual({ source: "arguments", path: "labels.0" });
  expect(several.readback.expected_fields).toEqual({ title: "title", "labels.0.name": "labels_0" });
  expect(several.allowed_failure_reasons).toEqual(["field_mismatch"]);
});

test("only the scan, which runs in its folder, gets absolute paths", () => {
  const cwd = scratch();
  writeFileSync(join(cwd, "server.mjs"), "");
  const { out } = init({}, ["node", "./server.mjs", "--flag"], cwd);
  expect(out).toContain("stand in scan.json as absolute ones");
  expect(JSON.parse(readFileSync(join(cwd, "fourgate-config/scan.json"), "utf8")).server.command).toEqual([
    "node",
    join(cwd, "server.mjs"),
    "--flag",
  ]);
  expect(out).toMatch(/fourgate guard .* -- node \.\/server\.mjs --flag\n/);
});

describe("a mistake is one line, and nothing is written", () => {
  const without = (name: string) => Object.fromEntries(Object.entries(GOOD).filter(([key]) => key !== name));
  test.each<[string, Record<string, readonly string[]>, RegExp]>([
    ["no tool", without("tool"), /--tool is missing/],
    ["no id", without("id-path"), /exactly one of --id-path/],
    ["two ids", { ...GOOD, "id-regex": ["(x)"] }, /exactly one of --id-path/],
    ["a pattern that is none", { ...without("id-path"), "id-regex": ["("] }, /pattern/],
    ["a pattern without a group", { ...without("id-path"), "id-regex": ["x"] }, /group/],
    ["an id out of nowhere", { ...GOOD, "id-path": ["structuredContent.id"] }, /--id-path does not begin with result/],
    ["an address without the id", { ...GOOD, "readback-url": ["https://api.example.invalid/"] }, /no \{record_id\}/],
    [
      "plain HTTP to others",
      { ...GOOD, "readback-url": ["http://api.example.invalid/{record_id}"] },
      /url_template.*https/i,
    ],
    ["a host out of a field", { ...GOOD, "readback-url": ["https://{record_id}.example.invalid/"] }, /url_template/],
    [
      "an unknown placeholder",
      { ...GOOD, "readback-url": ["https://api.example.invalid/{record_id}/{x}"] },
      /url_template/,
    ],
    ["an argument that is not given", { ...GOOD, expect: ["title=titel"] }, /--expect names an argument/],
    ["a path into an argument that is not there", { ...GOOD, expect: ["title=title.0"] }, /--expect names an argument/],
    [
      "two names that become one",
      { ...GOOD, arg: ["a-b=1", "a_b=2"], expect: ["x=a-b", "y=a_b"] },
      /become the same field name/,
    ],
    ["the reserved name", { ...GOOD, arg: ["record_id=1"], expect: ["x=record_id"] }, /record_id/],
    ["one path twice", { ...GOOD, arg: ["a=1", "b=2"], expect: ["x=a", "x=b"] }, /one path of the record twice/],
    ["an argument twice", { ...GOOD, "arg-json": ["title=1"] }, /an argument is given twice/],
    ["no JSON", { ...GOOD, "arg-json": ["n={"] }, /is no JSON/],
    ["no name", { ...GOOD, arg: ["=x"] }, /NAME=VALUE/],
    ["a status of rights", { ...GOOD, "missing-status": ["403"] }, /neither 401 nor 403/],
    ["a status that is none", { ...GOOD, "missing-status": ["gone"] }, /three digits/],
    ["a header without a scheme", { ...GOOD, "token-env": ["T"], "auth-header": ["x"] }, /goes with --auth header/],
    ["a scheme without its header", { ...GOOD, "token-env": ["T"], auth: ["header"] }, /needs --auth-header/],
    ["a scheme without a credential", { ...GOOD, auth: ["bearer"] }, /--auth needs --token-env/],
    ["a blank account", { ...GOOD, "test-account": [" "] }, /--test-account is blank/],
    ["a flag cut short", { ...GOOD, "test-acc": ["x"] }, /unknown flag --test-acc/],
    ["a flag of the other way", { ...GOOD, "from-server": [""] }, /leaves to the draft/],
  ])("%s", (_, flags, expected) => {
    const { code, out, err, cwd } = run(["init", ...flagsOf(flags), "--", "server"]);
    expect(err).toMatch(/^fourgate init: error: [^\n]+\n$/);
    expect(err).toMatch(expected);
    expect([code, out, readdirSync(cwd)]).toEqual([2, "", []]);
  });

  test.each<[string, readonly string[], RegExp]>([
    ["no --", [], /put it after --/],
    ["no command", ["--"], /the server command after -- is empty/],
    ["an empty command", ["--", ""], /is empty/],
  ])("%s", (_, rest, expected) => {
    const { code, err, cwd } = run(["init", ...flagsOf(GOOD), ...rest]);
    expect(err).toMatch(expected);
    expect([code, readdirSync(cwd)]).toEqual([2, []]);
  });

  test("a file that is there stays, but for --force, which replaces these files alone", () => {
    const { cwd } = init();
    const file = join(cwd, "fourgate-config/contract.json");
    writeFileSync(file, "mine");
    writeFileSync(join(cwd, "fourgate-config/other"), "other");
    const again = init({}, ["some-server"], cwd);
    expect([again.code, again.out, readFileSync(file, "utf8")]).toEqual([2, "", "mine"]);
    expect(again.err).toContain("--force replaces it");
    expect(init({ force: [""] }, ["some-server"], cwd).code).toBe(0);
    expect(JSON.parse(readFileSync(file, "utf8")).contract_version).toBe(1);
    expect(readFileSync(join(cwd, "fourgate-config/other"), "utf8")).toBe("other");
    expect(readdirSync(join(cwd, "fourgate-config")).sort()).toEqual(["contract.json", "other", "scan.json"]);
  });

  test("a folder that cannot be written", () => {
    const cwd = scratch();
    writeFileSync(join(cwd, "file"), "");
    mkdirSync(join(cwd, "taken/scan.json"), { recursive: true });
    expect(init({ dir: ["file/x"] }, ["s"], cwd).err).toMatch(/file\/x cannot be written: ENOTDIR/);
    expect(init({ dir: ["taken"], force: [""] }, ["s"], cwd).err).toMatch(/scan\.json is a directory/);
    expect(statSync(join(cwd, "taken/scan.json")).isDirectory()).toBe(true);
    expect(readdirSync(join(cwd, "taken"))).toEqual(["scan.json"]);
  });
});

describe("--from-server", () => {
  const server = [node, published("server-memory")];

  test("a draft of a published server's writes, refused until it is decided", () => {
    const { code, out, cwd } = run(["init", "--from-server", "--dir", ".", "--", ...server]);
    expect(code).toBe(0);
    expect(out).toContain("contract.draft.jsonc: 6 tools");
    const guard = run(["guard", "--contracts", "contract.draft.jsonc", "--", "cat"], { cwd });
    expect(guard.code).toBe(2);
    expect(guard.err).toMatch(/contract\.draft\.jsonc:\d+:\d+: draft: this contract is a draft/);
    const text = readFileSync(join(cwd, "contract.draft.jsonc"), "utf8");
    writeFileSync(join(cwd, "decided.jsonc"), text.replace('  "draft": true,\n', ""));
    const doctor = run(["doctor", "--contracts", "decided.jsonc"], { cwd, env: { DECIDE_READ_TOKEN: "x" } });
    expect(doctor.out).toContain("decided.jsonc: 6 protected tools");
  });

  test("the server is sent nothing but what its list needs", () => {
    const home = scratch();
    expect(run(["init", "--from-server", "--tool", "create", "--", node, fixture("scanned.mjs"), home]).code).toBe(0);
    const methods = readFileSync(join(home, "received.jsonl"), "utf8").trim().split("\n");
    expect(methods.map((line) => JSON.parse(line).method)).toEqual([
      "initialize",
      "notifications/initialized",
      "tools/list",
    ]);
  });

  test.each<[string, readonly string[], RegExp]>([
    ["a tool that is not listed", ["--tool", "nothing", "--", ...server], /the server's list has no nothing/],
    ["no such program", ["--", "no-such-program-at-all"], /could not be started: ENOENT/],
    ["no session", ["--", node, "-e", "0"], /no session with the server: server_closed/],
  ])("%s", (_, rest, expected) => {
    const { code, out, err, cwd } = run(["init", "--from-server", ...rest]);
    expect(err).toMatch(expected);
    expect([code, out, readdirSync(cwd)]).toEqual([2, "", []]);
  });
});

test("on a terminal what is missing is asked for, again where an answer does not fit", async () => {
  const cwd = scratch();
  const command = `'${node}' '${MAIN}' init --tool create -- some-server`;
  const child = spawn("script", ["-qec", command, "/dev/null"], { cwd, stdio: ["pipe", "pipe", "inherit"] });
  const answers: [RegExp, string][] = [
    [/test account[^\n]*: $/, "qa"],
    [/names the record[^\n]*: $/, "structuredContent.id"],
    [/\(it begins with result\.\): $/, "result.structuredContent.id"],
    [/address[^\n]*: $/, "https://api.example.invalid/{record_id}"],
    [/argument for the test call[^\n]*: $/, "title=fourgate {run_id}"],
    [/argument for the test call[^\n]*: $/, ""],
    [/must stand in the record[^\n]*: $/, "title=title"],
    [/must stand in the record[^\n]*: $/, ""],
    [/credential[^\n]*: $/, ""],
    [/no such record[^\n]*: $/, "404"],
  ];
  let text = "";
  let from = 0;
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
    const next = answers[0];
    if (next === undefined || !next[0].test(text.slice(from))) return;
    answers.shift();
    from = text.length;
    child.stdin.write(`${next[1]}\n`);
  });
  expect(await new Promise((done) => child.on("close", done))).toBe(0);
  expect(text).toContain("Written:");
  const { readback } = JSON.parse(readFileSync(join(cwd, "fourgate-config/contract.json"), "utf8")).tools.create;
  expect(readback).toMatchObject({ missing_statuses: [404], expected_fields: { title: "title" } });
});
