// Trees of real processes: found whole, ended whole, and never mistaken for a newer process with an old number.

import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { processPlatform } from "../../src/io/platform.ts";
import { linuxPlatform } from "../../src/io/platform-linux.ts";
import { groupIsEmpty, killTree, snapshotDescendants } from "../../src/io/process-tree.ts";
import { expectNothingLeft, processesWith } from "./processes.ts";

let marker: string;

beforeEach(() => {
  marker = `fourgate-test-${randomBytes(8).toString("hex")}`;
});

afterEach(async () => {
  for (const pid of await processesWith(marker)) process.kill(pid, "SIGKILL");
});

function start(script: string): number {
  const env = { ...process.env, TEST_MARKER: marker };
  return spawn("bash", ["-c", script], { detached: true, stdio: "ignore", env }).pid!;
}

describe("a tree with a child, a grandchild in its own session and a grandchild without environment", () => {
  const script = `sleep 600 & bash -c 'setsid sleep 600 & env -i setsid sleep 600 & wait' & wait`;

  test("is found and ended whole, and its group is empty then", async () => {
    const pid = start(script);
    let found = await snapshotDescendants(pid);
    await vi.waitFor(async () => {
      found = await snapshotDescendants(pid);
      expect(found).toHaveLength(4);
    }, 10_000);
    expect(await groupIsEmpty(pid)).toBe(false);
    await killTree(pid, "SIGKILL", found);
    await vi.waitFor(async () => expect(await groupIsEmpty(pid)).toBe(true), 10_000);
    const { runs } = processPlatform();
    await vi.waitFor(
      async () => expect(await Promise.all(found.map(runs))).toEqual([false, false, false, false]),
      10_000,
    );
    await expectNothingLeft(marker);
  });
});

test("a snapshot names a process by its start too, so a new process with the same number is spared", async () => {
  const bystander = spawn("sleep", ["600"], { env: { ...process.env, TEST_MARKER: marker } });
  const pid = start("sleep 600");
  const [real] = await snapshotDescendants(process.pid).then((all) => all.filter((ref) => ref.pid === bystander.pid));
  await killTree(pid, "SIGKILL", [{ pid: bystander.pid!, started: "1" }]);
  expect(await processPlatform().runs(real!)).toBe(true);
  await killTree(pid, "SIGKILL", [real!]);
  expect(await once(bystander, "exit")).toEqual([null, "SIGKILL"]);
});

test("a tree that is gone already is no error", async () => {
  const child = spawn("true", { detached: true, stdio: "ignore" });
  await once(child, "exit");
  expect(await snapshotDescendants(child.pid!)).toEqual([]);
  expect(await groupIsEmpty(child.pid!)).toBe(true);
  await killTree(child.pid!, "SIGTERM");
});

describe("a Linux without lists of children", () => {
  test("is read by each process's parent, whatever a program is called", async () => {
    const proc = mkdtempSync(join(tmpdir(), "fourgate-"));
    const add = (pid: number, parent: number, name: string): void => {
      mkdirSync(join(proc, String(pid), "task", String(pid)), { recursive: true });
      const rest = Array.from({ length: 16 }, () => "0").join(" ");
      writeFileSync(join(proc, String(pid), "stat"), `${pid} (${name}) S ${parent} ${parent} ${rest} ${pid}77 0\n`);
    };
    add(100, 1, "top");
    add(300, 100, "child) S 1 (");
    add(200, 300, "older number");
    add(400, 1, "not ours");
    const found = await linuxPlatform(proc).descendants(100);
    expect(found.map((ref) => ref.pid).sort()).toEqual([200, 300]);
    expect(found.find((ref) => ref.pid === 200)).toEqual({ pid: 200, started: "20077" });
  });
});
