// Faults that the system makes: no descriptor or process to be had, a verifier that may not be killed, a log that cannot grow. Each
// leaves the answer byte for byte, in time, with its one record, and the guard goes on.

import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { answerOf, BOUND_MS, besideSound, goesOn, onlyLeft, warm } from "./checked.ts";
import { contractFor, fixture, Guard, guard, MAIN, node, PASSES, scratch } from "./harness.ts";

const LINUX = process.platform === "linux";
const ROOT = LINUX && process.getuid?.() === 0;
const ENFORCE = ["--mode", "enforce"];

const NOBODY = 65_534;

/** Changes a limit of a running guard, as `ulimit` would have before it started; `as` is the user that it runs as. */
function limit(session: Guard, what: string, as: object = {}): void {
  const argv = ["--pid", String(session.child.pid), what];
  const { status, stderr } = spawnSync("prlimit", argv, { encoding: "utf8", ...as });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
}

/** Asks for `create` and expects the server's own bytes within the bound. */
async function unchanged(session: Guard, id: number): Promise<void> {
  const begin = performance.now();
  session.call(id);
  expect(await session.next()).toBe(answerOf(id));
  expect(performance.now() - begin).toBeLessThan(BOUND_MS);
}

/** Long enough for what a guard does about verifiers after their checks, which then meets the fault too. */
const SWEPT_MS = 500;

/** Checks are unknown while a limit is in force, and are made again afterwards. */
async function limited(session: Guard, below: string, again: string, as: object = {}): Promise<void> {
  await warm(session);
  const alone = session.left().length;
  // What the first check loads must be loaded, and the threads that write the log must run.
  await unchanged(session, 1);
  await onlyLeft(session, alone);
  limit(session, below, as);
  let id = 1;
  for (const end = performance.now() + SWEPT_MS; performance.now() < end; ) await unchanged(session, ++id);
  limit(session, again, as);
  await unchanged(session, id + 1);
  await onlyLeft(session, alone);
  await goesOn(session);
  expect(await session.end()).toBe(0);
  expect(session.left()).toEqual([]);
  expect(session.records().map((record) => record.reason_code)).toEqual([
    "postcondition_satisfied",
    ...Array(id - 1).fill("verifier_error"),
    "postcondition_satisfied",
    "record_missing",
  ]);
}

/** Says PASS and leaves a process behind that only its environment tells. */
const LEAVES = [resolve("test/fixtures/verifiers/passes-session-holds-nothing.sh")];

test.runIf(LINUX)("no descriptor to be had (EMFILE): checks are unknown while that lasts", async () => {
  const session = guard({ contract: besideSound(LEAVES), flags: ENFORCE });
  await limited(session, "--nofile=3:", "--nofile=4096:");
});

test.runIf(LINUX)(
  "no descriptor to be had for another reader (EMFILE): UNKNOWN, and read again afterwards",
  async () => {
    const readback = { type: "file", root: ".", path_template: "contract.json", interval_ms: 0 };
    const extract = { id: { source: "result", path: "result.structuredContent.id" } };
    const tools = { create: { extract, readback, allowed_failure_reasons: ["record_missing"] } };
    const session = guard({ contract: { contract_version: 1, tools }, flags: ENFORCE });
    await warm(session);
    await unchanged(session, 0);
    limit(session, "--nofile=3:");
    const reader = spawnSync("pgrep", ["-f", "-P", String(session.child.pid), "--", "--reader"], { encoding: "utf8" });
    process.kill(Number(reader.stdout), "SIGKILL");
    let id = 1;
    for (const end = performance.now() + SWEPT_MS; performance.now() < end; ) await unchanged(session, id++);
    limit(session, "--nofile=4096:");
    const last = () => session.records().at(-1)?.reason_code;
    do await unchanged(session, id++);
    while (last() !== "postcondition_satisfied" && id < 100_000);
    expect(await session.end()).toBe(0);
    const reasons = session.records().map((record) => record.reason_code);
    expect(new Set(reasons)).toEqual(new Set(["postcondition_satisfied", "readback_error"]));
    expect(session.stderr).not.toContain("internal fault");
  },
);

/** A guard that runs as nobody, so that limits and permissions bind it; all that it needs lies in a directory of its own. */
function unprivileged(
  command: (directory: string) => readonly string[],
  server = (directory: string): readonly string[] => [node, join(directory, "fast.mjs")],
): Guard {
  const directory = scratch();
  cpSync(dirname(MAIN), join(directory, "dist"), { recursive: true });
  copyFileSync(fixture("fast.mjs"), join(directory, "fast.mjs"));
  const contract = join(directory, "contract.json");
  writeFileSync(contract, JSON.stringify(besideSound(command(directory))));
  const log = join(directory, "outcomes.jsonl");
  writeFileSync(log, "");
  for (const path of [directory, log]) chownSync(path, NOBODY, NOBODY);
  const argv = ["guard", "--contracts", contract, ...ENFORCE, "--log", log, "--", ...server(directory)];
  const through = ["setpriv", "--reuid", String(NOBODY), "--regid", String(NOBODY), "--clear-groups"];
  return new Guard([join(directory, "dist", "main.cjs"), ...argv], log, { contract, cwd: directory, through });
}

/** Runs a program with root's rights and for good, as `sudo` does. */
function asRoot(directory: string): string[] {
  const program = join(directory, "become");
  copyFileSync("/usr/bin/setpriv", program);
  chmodSync(program, 0o4755);
  return [program, "--reuid", "0", "--clear-groups"];
}

// Root is bound by no limit of processes and may kill whomever it likes, so both need a guard that is not root, made by root.
describe.runIf(ROOT)("a guard without privileges", () => {
  test("no process to be had (EAGAIN): checks are unknown while that lasts", async () => {
    const session = unprivileged((directory) => {
      copyFileSync(LEAVES[0]!, join(directory, "verifier"));
      return [join(directory, "verifier")];
    });
    await limited(session, "--nproc=1:", "--nproc=4096:", { uid: NOBODY, gid: NOBODY });
  });

  test("a verifier that became root may not be killed: it is answered at its limit and keeps nobody waiting", async () => {
    const session = unprivileged((directory) => [...asRoot(directory), "sleep", "600"]);
    await warm(session);
    const alone = session.left().length;
    await unchanged(session, 1);
    await goesOn(session);
    // A test that found it gone would have made no fault.
    expect(session.left().filter((each) => each.endsWith(" sleep"))).toHaveLength(1);
    expect(session.left()).toHaveLength(alone + 1);
    const begin = performance.now();
    expect(await session.end()).toBe(0);
    expect(performance.now() - begin).toBeLessThan(2000);
    expect(session.records().map((record) => record.reason_code)).toEqual(["verifier_timeout", "record_missing"]);
  });
});

test.runIf(ROOT)("a server that became root and does not end by itself: said, and left", async () => {
  const session = unprivileged(
    () => LEAVES,
    (directory) => [...asRoot(directory), "sleep", "600"],
  );
  session.child.stdin.end();
  // It is silent, so the wait for it is the grace for a server with nothing to answer and the two for killing it.
  expect(await session.exited).toBe(1);
  expect(session.stderr).toContain("the server does not end and may not be killed");
  expect(session.left().filter((each) => each.endsWith(" sleep"))).toHaveLength(1);
});

describe("a log that cannot grow: each record is in the file or on stderr, and nothing waits for it", () => {
  /** Calls until the test has seen enough, each answered as if nothing were. */
  async function calls(session: Guard, from: number, to: number): Promise<void> {
    for (let id = from; id < to; id++) await unchanged(session, id);
  }

  const numbers = (records: readonly { seq: number }[]) => records.map((record) => record.seq).sort((a, b) => a - b);
  const upTo = (last: number) => Array.from({ length: last }, (_, i) => i + 1);

  /** The whole records in a log; a torn one at its end does not count. */
  function inFile(text: string): { seq: number }[] {
    return text.split("\n").flatMap((line) => {
      try {
        return [JSON.parse(line)];
      } catch {
        return [];
      }
    });
  }

  test("a file that may not grow past a limit (EFBIG)", async () => {
    const through = ["sh", "-c", 'ulimit -f 2; exec "$@"', "sh"];
    const session = guard({ contract: contractFor(PASSES), flags: ENFORCE, through });
    await warm(session);
    await calls(session, 0, 12);
    expect(await session.end()).toBe(0);
    const file = inFile(readFileSync(session.logFile, "utf8"));
    expect(file.length).toBeGreaterThan(0);
    expect(session.stderrRecords().length).toBeGreaterThan(0);
    expect(numbers([...file, ...session.stderrRecords()])).toEqual(upTo(12));
    expect(session.stderr.match(/outcome log: write failed \(EFBIG\)/g)).toHaveLength(1);
  });

  test.runIf(LINUX)("a device that is full from the start (ENOSPC)", async () => {
    const session = guard({ contract: contractFor(PASSES), flags: [...ENFORCE, "--log", "/dev/full"], log: false });
    await warm(session);
    await calls(session, 0, 5);
    expect(await session.end()).toBe(0);
    expect(numbers(session.stderrRecords())).toEqual(upTo(5));
    expect(session.stderr.match(/outcome log: write failed \(ENOSPC\)/g)).toHaveLength(1);
  });

  test.runIf(ROOT)("a disk that fills up and has room again (ENOSPC)", async () => {
    const disk = join(scratch(), "disk");
    mkdirSync(disk);
    // A file system of its own in a mount namespace of its own, which goes when the guard does.
    const through = ["unshare", "-m", "sh", "-c", `mount -t tmpfs -o size=16k none ${disk} && exec "$@"`, "sh"];
    const log = join(disk, "log");
    const session = guard({ contract: contractFor(PASSES), flags: [...ENFORCE, "--log", log], log: false, through });
    await warm(session);
    const inside = (name: string) => `/proc/${session.child.pid}/root${join(disk, name)}`;
    await calls(session, 0, 3);
    expect(() => writeFileSync(inside("filler"), Buffer.alloc(64 * 1024))).toThrow("ENOSPC");
    let id = 3;
    while (session.stderrRecords().length < 3 && id < 60) await unchanged(session, id++);
    expect(session.stderrRecords().length).toBeGreaterThanOrEqual(3);
    rmSync(inside("filler"));
    await calls(session, id, id + 3);
    const file = inFile(readFileSync(inside("log"), "utf8"));
    expect(await session.end()).toBe(0);
    expect(numbers([...file, ...session.stderrRecords()])).toEqual(upTo(id + 3));
    expect(numbers(file).slice(-3)).toEqual([id + 1, id + 2, id + 3]);
    expect(session.stderr.match(/outcome log: write failed \(ENOSPC\)/g)).toHaveLength(1);
    expect(session.stderr.match(/outcome log: writing to the file again/g)).toHaveLength(1);
  });
});
