// Our lines on stderr, from a process of its own: in order when read, harmless when not, and never changing what others share.

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, mkdtempSync, openSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { beforeAll, describe, expect, test } from "vitest";
import { bundle } from "./bundle.ts";

let program: string;
let directory: string;

beforeAll(async () => {
  program = await bundle("floods-stderr");
  directory = mkdtempSync(join(tmpdir(), "fourgate-"));
});

interface Told {
  readonly worst: number;
  readonly closeMs: number;
  readonly sameFlags: boolean;
}

async function exitOf(child: ChildProcess): Promise<{ code: number | null; told: Told }> {
  const [[code], said] = await Promise.all([once(child, "exit"), text(child.stdout!)]);
  return { code: code as number | null, told: JSON.parse(said.trim().split("\n").at(-1)!) };
}

/** A pipe with a name, opened at both ends; what is not read stays in it. */
function fifo(name: string): { read: number; write: number } {
  const path = join(directory, name);
  execFileSync("mkfifo", [path]);
  const read = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return { read, write: openSync(path, "w") };
}

describe("a client that never reads our stderr", () => {
  const check = async (child: ChildProcess): Promise<void> => {
    const begin = performance.now();
    const { code, told } = await exitOf(child);
    expect(code).toBe(3);
    // Closing waits one second for the reader; a process that hangs in its last write never ends at all.
    expect(performance.now() - begin).toBeLessThan(10_000);
    expect(told.closeMs).toBeGreaterThan(900);
    expect(told.closeMs).toBeLessThan(2000);
    // Writing 20 MB into a blocking pipe would stop the process for good; some hundred ms are the cost of making them.
    expect(told.worst).toBeLessThan(1000);
  };

  test("holds up neither the process nor its exit when stderr is a socket", async () => {
    const child = spawn(process.execPath, [program, "20000", "1000"], { stdio: ["ignore", "pipe", "pipe"] });
    await check(child);
    child.stderr?.destroy();
  });

  test("holds up neither the process nor its exit when stderr is a pipe", async () => {
    const { read, write } = fifo("unread");
    const child = spawn(process.execPath, [program, "20000", "1000"], { stdio: ["ignore", "pipe", write] });
    closeSync(write);
    await check(child);
    closeSync(read);
  });
});

describe("a client that reads late", () => {
  test("gets every record whole and in order, and is told how many notes were dropped", async () => {
    const child = spawn(process.execPath, [program, "3000", "3000", "wait"], { stdio: ["ignore", "pipe", "pipe"] });
    await once(child.stdout!, "readable");
    const [{ code }, said] = await Promise.all([exitOf(child), text(child.stderr!)]);
    expect(code).toBe(3);
    const lines = said.split("\n");
    expect(lines.filter((line) => line.startsWith("record "))).toEqual(
      Array.from({ length: 3000 }, (_, at) => `record ${at} ${"r".repeat(1000)}`),
    );
    const notes = lines.filter((line) => line.startsWith("note "));
    expect(notes).toEqual(notes.map((_, at) => `note ${at} ${"n".repeat(200)}`));
    expect(lines).toContain(
      `fourgate: stderr was not read fast enough: ${3000 - notes.length} notes dropped, 0 outcome records lost`,
    );
  });

  test("is told when more records waited than are kept", async () => {
    const child = spawn(process.execPath, [program, "34000", "0", "wait"], { stdio: ["ignore", "pipe", "pipe"] });
    await once(child.stdout!, "readable");
    const [, said] = await Promise.all([exitOf(child), text(child.stderr!)]);
    const records = said.split("\n").filter((line) => line.startsWith("record ")).length;
    expect(records).toBeGreaterThanOrEqual(32_000);
    expect(said).toContain(`0 notes dropped, ${34_000 - records} outcome records lost`);
  });
});

describe("the stderr that the wrapped server shares", () => {
  test.each(["socket", "pipe", "file"])("keeps its blocking mode when it is a %s", async (kind) => {
    const end = kind === "pipe" ? fifo("shared") : undefined;
    const file = kind === "file" ? openSync(join(directory, "modes"), "w") : undefined;
    const stdio = end?.write ?? file ?? "pipe";
    const child = spawn(process.execPath, [program, "5", "5"], { stdio: ["ignore", "pipe", stdio] });
    child.stderr?.resume();
    expect((await exitOf(child)).told.sameFlags).toBe(true);
    for (const fd of [end?.read, end?.write, file]) if (fd !== undefined) closeSync(fd);
  });

  test("is a file in which neither overwrites the other", async () => {
    const path = join(directory, "both");
    const file = openSync(path, "w");
    const child = spawn(process.execPath, [program, "2", "1"], { stdio: ["ignore", "pipe", file] });
    closeSync(file);
    expect((await exitOf(child)).code).toBe(3);
    const lines = readFileSync(path, "utf8").split("\n");
    expect(lines.map((line) => line.slice(0, 8))).toEqual(["from the", "note 0 n", "record 0", "record 1", ""]);
  });

  test("may have lost its reader without any harm", async () => {
    const { read, write } = fifo("gone");
    closeSync(read);
    const child = spawn(process.execPath, [program, "50", "50"], { stdio: ["ignore", "pipe", write] });
    closeSync(write);
    const { code, told } = await exitOf(child);
    expect(code).toBe(3);
    expect(told.closeMs).toBeLessThan(900);
  });
});
