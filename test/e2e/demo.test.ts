// `fourgate demo` as a user runs it: the built program, a directory of the user's choice, little environment.

import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { MAIN, node, processesMarked, scratch } from "./harness.ts";

function demo(args: readonly string[], cwd = scratch(), env: Record<string, string> = {}) {
  const run = spawnSync(node, [MAIN, "demo", ...args], {
    cwd,
    env: { PATH: process.env.PATH, ...env },
    encoding: "utf8",
  });
  return { code: run.status, out: run.stdout, err: run.stderr, cwd };
}

const recordsOf = (log: string) =>
  readFileSync(log, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))
    .map((record) => `${record.mode}/${record.status}/${record.reason_code}`);

const expectedRecords = [
  "enforce/fail/record_missing",
  "enforce/pass/postcondition_satisfied",
  "shadow/fail/record_missing",
  "enforce/unknown/verifier_error",
];

test("all five scenes go as told, with only PATH set and the directory left to the default", () => {
  const { code, out, err, cwd } = demo([]);
  expect(err).toBe("");
  expect(out).toContain("Self-check: all 5 scenes went as told");
  expect(code).toBe(0);
  expect(out).toMatch(/^[\n\x20-\x7e]*$/);
  const directory = join(cwd, "fourgate-demo");
  expect(readdirSync(directory).sort()).toEqual(["demo-outcomes.jsonl", "fourgate-demo-summary.html"]);
  expect(recordsOf(join(directory, "demo-outcomes.jsonl"))).toEqual(expectedRecords);
  expect(readFileSync(join(directory, "fourgate-demo-summary.html"), "utf8")).toContain("all 5 scenes went as told");
});

test("a second run begins a new log, and other files in the directory stay", () => {
  const cwd = scratch();
  mkdirSync(join(cwd, "out"));
  writeFileSync(join(cwd, "out", "mine.txt"), "mine");
  writeFileSync(join(cwd, "out", "demo-outcomes.jsonl"), "an older log\n");
  const { code, out } = demo(["--out", "out", "--json"], cwd);
  expect(code).toBe(0);
  const document = JSON.parse(out);
  expect(document).toMatchObject({ ok: true, mismatches: [] });
  expect(document.scenes.flatMap((scene: { records: string[] }) => scene.records)).toEqual(expectedRecords);
  expect(recordsOf(join(cwd, "out", "demo-outcomes.jsonl"))).toEqual(expectedRecords);
  expect(readdirSync(join(cwd, "out")).sort()).toEqual([
    "demo-outcomes.jsonl",
    "fourgate-demo-summary.html",
    "mine.txt",
  ]);
});

describe("wrong flags make nothing and say what is wrong in one line", () => {
  test.each([
    [["--pace", "11"]],
    [["--pace", "-1"]],
    [["--pace", "soon"]],
    [["--pace"]],
    [["--ou", "x"]],
    [["--out", ""]],
    [["--out", "/dev/null/x"]],
    [["extra"]],
    [["--json=yes"]],
  ])("%j", (args) => {
    const { code, out, err, cwd } = demo(args);
    expect(code).toBe(2);
    expect(out).toBe("");
    expect(err).toMatch(/^fourgate demo: error: .+\n$/);
    expect(readdirSync(cwd)).toEqual([]);
  });
});

test("a directory that cannot be made is named, with what to do", () => {
  const { code, err } = demo(["--out", "/proc/fourgate-demo"]);
  expect(code).toBe(2);
  expect(err).toBe(
    "fourgate demo: error: cannot write to /proc/fourgate-demo (ENOENT); give a writable directory with --out\n",
  );
});

test.each([
  ["in a pause", "10"],
  ["in the middle of a scene", "0"],
])("broken off by the user %s, it leaves no process and no temporary file behind", async (_, pace) => {
  const temporary = scratch();
  // Of the environment little more than PATH is handed on to every process of the demo, so the mark is put there.
  const mark = `mark-${process.pid}-${Date.now()}`;
  const child = spawn(node, [MAIN, "demo", "--pace", pace], {
    cwd: scratch(),
    env: { PATH: `${process.env.PATH}:/${mark}`, TMPDIR: temporary },
  });
  // The first scene has been told; a pause or the second scene begins.
  await new Promise((resolve) => child.stdout.once("data", resolve));
  expect(processesMarked(mark).length).toBeGreaterThan(0);
  child.kill("SIGINT");
  const code = await new Promise((resolve) => child.once("close", resolve));
  expect(code).toBe(130);
  expect(readdirSync(temporary)).toEqual([]);
  expect(processesMarked(mark)).toEqual([]);
});
