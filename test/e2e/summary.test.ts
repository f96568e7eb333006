// `fourgate summary` through the built program: hostile logs, exit statuses, following, and memory that does not grow with the log.

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import {
  appendFileSync,
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { contractFor, FAILS, guard, MAIN, node, scratch } from "./harness.ts";

const record = (more: object = {}) =>
  `${JSON.stringify({ status: "pass", timestamp: 1_780_000_000, server: "s", tool: "t", mode: "enforce", reason_code: "r", gate_ms: 5, ...more })}\n`;
const FAIL = { status: "fail", reason_code: "record_missing" };

function summary(args: readonly string[], { cwd = scratch(), input = "", stdout = "pipe" as "pipe" | number } = {}) {
  const ran = spawnSync(node, [MAIN, "summary", ...args], {
    cwd,
    input,
    encoding: "utf8",
    stdio: ["pipe", stdout, "pipe"],
  });
  return { code: ran.status, out: ran.stdout ?? "", err: ran.stderr, cwd };
}

test("the records of a real session: text, page and JSON agree", async () => {
  const session = guard({ contract: contractFor(FAILS), flags: ["--mode", "enforce", "--server", "tracker"] }).read();
  session.call(1);
  await session.message();
  expect(await session.end()).toBe(0);
  const log = join(scratch(), "outcomes.jsonl");
  writeFileSync(
    log,
    session
      .records()
      .map((one) => `${JSON.stringify(one)}\n`)
      .join(""),
  );
  const { code, out, err, cwd } = summary([log]);
  expect([code, err]).toEqual([0, "fourgate summary: page: fourgate-summary.html\n"]);
  expect(out).toMatch(/^1 protected call {2}PASS 0 {2}FAIL 1 {2}UNKNOWN 0\n/);
  const page = join(cwd, "fourgate-summary.html");
  expect(statSync(page).mode & 0o777).toBe(0o600);
  expect(readFileSync(page, "utf8")).toContain("tracker/create");
  const json = JSON.parse(summary([log, "--json", "--no-page"]).out);
  expect(json).toMatchObject({
    summary_version: 1,
    calls: 1,
    totals: { fail: 1 },
    by_tool: { "tracker/create": { fail: 1 } },
  });
});

test("hostile lines are counted and left out, from several files and stdin alike", () => {
  const bad = [
    "[".repeat(5000),
    "x".repeat(70_000),
    record({ timestamp: 1e18 }).trim(),
    record().slice(0, 40),
    "9".repeat(5000),
  ];
  const bytes = Buffer.concat([
    Buffer.from(`\ufeff${record()}${bad.join("\n")}\n\n \r\n`),
    Buffer.from([0xff, 0xfe, 0x22, 0x0a]),
    Buffer.from(`${record({ tool: "\u001b[2J\u202e" }).trim()}\r\n[FOURGATE_OUTCOME] ${record(FAIL).trim()}`),
  ]);
  const log = join(scratch(), "log");
  writeFileSync(log, bytes);
  const { code, out } = summary([log, "-", "--no-page"], { input: record({ ...FAIL, tool: "from stdin" }) });
  expect(code).toBe(0);
  expect(out).toContain("4 protected calls  PASS 2  FAIL 2  UNKNOWN 0\n");
  expect(out).toContain("skipped: 6 lines that are no record\n");
  expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
});

describe("exit status", () => {
  const log = (...lines: string[]) => {
    const file = join(scratch(), "log");
    writeFileSync(file, lines.join(""));
    return file;
  };
  test.each<[string, readonly string[], readonly string[], number]>([
    ["a FAIL is told, and no error", [record(FAIL)], [], 0],
    ["--fail-on fail, with one", [record(FAIL)], ["--fail-on", "fail"], 1],
    ["--fail-on fail, with doubt", [record({ status: "unknown" })], ["--fail-on", "fail"], 0],
    ["--fail-on unknown, with doubt", [record({ status: "unknown" })], ["--fail-on", "unknown"], 1],
    ["--fail-on unknown, with a FAIL", [record(FAIL)], ["--fail-on", "unknown"], 1],
    ["--fail-on unknown, all good", [record()], ["--fail-on", "unknown"], 0],
    [
      "a FAIL outside the period",
      [record(FAIL), record({ timestamp: 1_790_000_000 })],
      ["--fail-on", "fail", "--since", "2026-08-01"],
      0,
    ],
    ["no record", ["nothing\n"], [], 2],
    ["an empty log", [""], [], 2],
    ["no record in the period", [record()], ["--since", "2026-08-01"], 2],
    ["a period that ends before it begins", [record()], ["--since", "1h", "--until", "2h"], 2],
    ["no date", [record()], ["--since", "someday"], 2],
    ["--compare without --since", [record()], ["--compare"], 2],
    ["--compare of what has no end", [record()], ["--compare", "--since", "1h", "--follow"], 2],
    ["an unknown status to fail on", [record()], ["--fail-on", "pass"], 2],
  ])("%s", (_, lines, flags, expected) => {
    const { code, err, out } = summary([log(...lines), "--no-page", ...flags]);
    expect(code).toBe(expected);
    if (expected === 2) expect([out, err.split("\n").length]).toEqual(["", 2]);
  });

  test("what cannot be read is said of every log, and there is no page", () => {
    const folder = scratch();
    const { code, out, err, cwd } = summary([log(record()), "missing.jsonl", folder]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toBe(
      `fourgate summary: error: missing.jsonl cannot be read: ENOENT\nfourgate summary: error: ${folder} cannot be read: EISDIR\n`,
    );
    expect(existsSync(join(cwd, "fourgate-summary.html"))).toBe(false);
  });

  test("a page that would replace the log is refused, and the log stays", () => {
    const file = log(record());
    expect(summary([file, "--out", file]).code).toBe(2);
    expect(readFileSync(file, "utf8")).toBe(record());
  });

  test("a page takes the place of a page, and of nothing else", () => {
    const [file, other] = [log(record()), log(record())];
    const { code, err } = summary(["--out", other, file]);
    expect([code, err]).toEqual([
      2,
      `fourgate summary: error: --out names ${other}, which is there and is no page; it would be replaced\n`,
    ]);
    expect(readFileSync(other, "utf8")).toBe(record());
    const cwd = scratch();
    expect([summary([file], { cwd }).code, summary([file], { cwd }).code]).toEqual([0, 0]);
  });

  test("a log that is named twice is not counted twice", () => {
    const file = log(record());
    const { code, out, err } = summary([file, "--no-page", `${file}/../log`.replace("log/../log", "./log")]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain("are the same log, which would be counted twice");
  });

  test("a full disk is an error", () => {
    const full = openSync("/dev/full", "w");
    const { code, err } = summary([log(record()), "--no-page"], { stdout: full });
    closeSync(full);
    expect([code, err]).toEqual([2, "fourgate summary: error: stdout cannot be written: ENOSPC\n"]);
  });
});

test("--compare puts the period before beside it", () => {
  const log = join(scratch(), "log");
  writeFileSync(
    log,
    [0, 0, 0, 1, 1]
      .map((day) => record({ ...(day === 1 ? FAIL : {}), timestamp: 1_780_000_000 + day * 86_400 }))
      .join(""),
  );
  const flags = ["--since", "2026-05-29", "--until", "2026-05-29", "--compare", "--no-page"];
  const { changes, outside_period, calls } = JSON.parse(summary([log, ...flags, "--json"]).out);
  expect([calls, outside_period]).toEqual([2, 0]);
  expect(changes.totals).toEqual({ before: { pass: 3, fail: 0, unknown: 0 }, now: { pass: 0, fail: 2, unknown: 0 } });
  expect(summary([log, ...flags]).out).toMatch(/FAIL or UNKNOWN of s\/t +0 +2\n/);
});

test("told to stop, it does not wait for a stdin that is silent", async () => {
  const child = spawn(node, [MAIN, "summary", "-", "--no-page"], { stdio: ["pipe", "pipe", "pipe"] });
  // Waits until stdin is read: what is written goes on only then.
  await new Promise((done) => child.stdin.write(record().repeat(20_000), done));
  const exited = new Promise((done) => child.on("close", (...how) => done(how)));
  child.kill("SIGTERM");
  expect(await exited).toEqual([143, null]);
});

describe("--follow", () => {
  function follow(...args: string[]) {
    const child: ChildProcess = spawn(node, [MAIN, "summary", ...args, "--follow"], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    let out = "";
    let err = "";
    let look = (): void => {};
    child.stdout!.setEncoding("utf8").on("data", (text: string) => {
      out += text;
      look();
    });
    child.stderr!.setEncoding("utf8").on("data", (text: string) => {
      err += text;
      look();
    });
    const exited = new Promise<number | null>((done) => {
      child.on("close", (code) => done(code));
    });
    const until = (holds: () => boolean) =>
      new Promise<void>((done) => {
        look = () => holds() && done();
        look();
      });
    return { child, exited, until, out: () => out, err: () => err };
  }
  const tools = (text: string) => [...text.matchAll(/ s\/(\S+) /g)].map(([, tool]) => tool);

  test("a log that comes later, grows by half lines, is cut and is moved away", async () => {
    const log = join(scratch(), "log");
    const { child, exited, until, out, err } = follow(log);
    await until(() => err().includes("waiting for"));
    writeFileSync(log, record({ tool: "one" }));
    await until(() => out().includes("one"));
    const two = record({ tool: "two" });
    appendFileSync(log, two.slice(0, 20));
    appendFileSync(log, two.slice(20));
    await until(() => out().includes("two"));
    truncateSync(log);
    appendFileSync(log, record({ tool: "three" }));
    await until(() => out().includes("three"));
    renameSync(log, `${log}.1`);
    writeFileSync(log, record({ tool: "four" }));
    await until(() => out().includes("four"));
    child.kill("SIGTERM");
    expect(await exited).toBe(143);
    expect(tools(out())).toEqual(["one", "two", "three", "four"]);
  });

  test("told to stop, it does not read a long log to its end", async () => {
    const log = join(scratch(), "log");
    writeFileSync(log, Buffer.concat(Array.from({ length: 16 }, () => Buffer.from(record().repeat(40_000)))));
    const { child, exited, until, out } = follow(log);
    await until(() => out() !== "");
    child.kill("SIGINT");
    expect(await exited).toBe(130);
    expect(out().split("\n").length).toBeLessThan(500_000);
    expect(out().endsWith("\n")).toBe(true);
  });

  test("on a terminal a view drawn in place, and at the end the figures on the screen that was there before", async () => {
    const log = join(scratch(), "log");
    writeFileSync(log, record());
    const command = [node, MAIN, "summary", log, "--follow"];
    const linux = process.platform === "linux";
    const words = linux
      ? ["-qec", command.map((word) => `'${word}'`).join(" "), "/dev/null"]
      : ["-q", "/dev/null", ...command];
    const child = spawn("script", words, { env: { ...process.env, TERM: "xterm", NO_COLOR: "1" } });
    let out = "";
    let look = (): void => {};
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      out += text;
      look();
    });
    const exited = new Promise((done) => child.on("close", done));
    const until = (text: string) =>
      new Promise<void>((done) => {
        look = () => out.includes(text) && done();
        look();
      });
    await until("1 protected call ");
    expect(out.startsWith("\u001b[?1049h\u001b[?25l\u001b[H")).toBe(true);
    appendFileSync(log, record(FAIL));
    await until("2 protected calls  PASS 1  FAIL 1");
    child.stdin.write("\u0003");
    expect(await exited).toBe(130);
    const [, after] = out.split("\u001b[?25h\u001b[?1049l");
    expect(after).toMatch(/^2 protected calls {2}PASS 1 {2}FAIL 1 {2}UNKNOWN 0\r\n/);
  });

  test("a line of JSON a record, and the end when nobody reads any more", async () => {
    const log = join(scratch(), "log");
    writeFileSync(log, record());
    const { child, exited, until, out } = follow(log, "--json");
    await until(() => out().endsWith("\n"));
    expect(JSON.parse(out())).toMatchObject({
      status: "pass",
      server: "s",
      tool: "t",
      time: "2026-05-28T20:26:40.000Z",
    });
    child.stdout!.destroy();
    const busy = setInterval(() => appendFileSync(log, record()), 50);
    expect(await exited).toBe(0);
    clearInterval(busy);
  });
});

test("a log ten times as long takes no more memory", () => {
  const folder = scratch();
  const write = (name: string, mebibytes: number) => {
    const block = Buffer.from(
      Array.from({ length: 4096 }, (_, i) => record({ timestamp: 1_780_000_000 + i })).join(""),
    );
    const file = openSync(join(folder, name), "w");
    for (let bytes = 0; bytes < mebibytes << 20; bytes += block.length) writeSync(file, block);
    closeSync(file);
    return join(folder, name);
  };
  const peak = (log: string) => {
    const script = `process.on("exit", () => require("fs").writeSync(2, String(process.resourceUsage().maxRSS)))`;
    const hook = join(folder, "hook.cjs");
    writeFileSync(hook, script);
    const ran = spawnSync(node, ["--require", hook, MAIN, "summary", log, "--no-page"], { encoding: "utf8" });
    expect(ran.status).toBe(0);
    return Number(ran.stderr) / 1024;
  };
  const small = peak(write("small", 20));
  const large = peak(write("large", 200));
  expect(large - small).toBeLessThan(40);
});
