// The outcome log: what may be one, and that each record arrives once and whole, in the file or on stderr.

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  chmodSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { beforeEach, describe, expect, test } from "vitest";
import { openAppending, wasLeftTorn } from "../../src/io/log-descriptor.ts";
import { type OutcomeLog, openOutcomeLog, queuedLog } from "../../src/io/outcome-log.ts";
import type { StderrWriter } from "../../src/io/stderr.ts";
import { bundle } from "./bundle.ts";

let directory: string;
let path: string;
let said: string[];
const stderr: StderrWriter = {
  note: (line) => void said.push(line),
  record: async (line) => void said.push(line),
  close: async () => {},
};

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "fourgate-"));
  path = join(directory, "outcomes.jsonl");
  said = [];
});

async function opened(where: string | undefined): Promise<OutcomeLog> {
  const result = openOutcomeLog(where, stderr);
  if (!result.ok) throw new Error(result.problem.code);
  return result.log;
}

describe("a log file", () => {
  test("is made for its owner alone and gets the records in order", async () => {
    const log = await opened(path);
    await Promise.all(Array.from({ length: 500 }, (_, at) => log.append(`{"seq":${at}}`)));
    await log.close();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path, "utf8")).toBe(Array.from({ length: 500 }, (_, at) => `{"seq":${at}}\n`).join(""));
    expect(said).toEqual([]);
  });

  test("keeps what it held and the permissions that its owner gave it", async () => {
    writeFileSync(path, '{"seq":1}\n');
    chmodSync(path, 0o640);
    const log = await opened(path);
    await log.append('{"seq":2}');
    await log.close();
    expect(readFileSync(path, "utf8")).toBe('{"seq":1}\n{"seq":2}\n');
    expect(statSync(path).mode & 0o777).toBe(0o640);
  });

  test("that ends in the middle of a line gets that line closed when it is opened, and that is said", async () => {
    writeFileSync(path, '{"seq":1}\n{"se');
    const log = await opened(path);
    expect(readFileSync(path, "utf8")).toBe('{"seq":1}\n{"se\n');
    expect(said).toEqual([expect.stringMatching(/^fourgate: outcome log: its last line was torn .*; it is kept/)]);
    await log.append('{"seq":2}');
    await log.append('{"seq":3}');
    await log.close();
    expect(readFileSync(path, "utf8")).toBe('{"seq":1}\n{"se\n{"seq":2}\n{"seq":3}\n');
  });

  test("gets no newline into a line that another session is writing just now", () => {
    writeFileSync(path, '{"seq":1}\n{"se');
    const file = openAppending(path);
    expect(wasLeftTorn(file, () => appendFileSync(path, 'q":2}\n'))).toBe(false);
    appendFileSync(path, '{"seq');
    expect(wasLeftTorn(file)).toBe(true);
    closeSync(file);
  });

  test("in which another session is killed in the middle of its line keeps the records after it whole", async () => {
    const log = await opened(path);
    await log.append('{"seq":1}');
    appendFileSync(path, '{"killed');
    await log.append('{"seq":2}');
    appendFileSync(path, '{"other":1}\n');
    await log.append('{"seq":3}');
    await log.close();
    expect(readFileSync(path, "utf8")).toBe('{"seq":1}\n{"killed\n{"seq":2}\n{"other":1}\n{"seq":3}\n');
  });

  test("that is removed is begun anew, which is said; one that is moved away is kept", async () => {
    const log = await opened(path);
    await log.append('{"seq":1}');
    renameSync(path, `${path}.1`);
    await log.append('{"seq":2}');
    expect(readFileSync(`${path}.1`, "utf8")).toBe('{"seq":1}\n{"seq":2}\n');
    rmSync(`${path}.1`);
    await log.append('{"seq":3}');
    await log.append('{"seq":4}');
    await log.close();
    expect(readFileSync(path, "utf8")).toBe('{"seq":3}\n{"seq":4}\n');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(said).toEqual(["fourgate: outcome log: the file was removed; a new one is begun"]);
  });

  test("that is removed with its directory: records go to stderr", async () => {
    const below = join(directory, "below");
    mkdirSync(below);
    const log = await opened(join(below, "log"));
    rmSync(below, { recursive: true });
    await log.append('{"seq":1}');
    await log.close();
    expect(said).toEqual([
      "fourgate: outcome log: write failed (ENOENT); records go to stderr until it works again",
      '[FOURGATE_OUTCOME] {"seq":1}',
    ]);
  });

  test("may be a link to a file", async () => {
    symlinkSync(path, join(directory, "link"));
    const log = await opened(join(directory, "link"));
    await log.append("{}");
    await log.close();
    expect(readFileSync(path, "utf8")).toBe("{}\n");
  });

  test("may be shared by several sessions without a torn line", async () => {
    const logs = await Promise.all([opened(path), opened(path), opened(path)]);
    const long = "x".repeat(5000);
    await Promise.all(
      logs.flatMap((log, who) => Array.from({ length: 100 }, (_, at) => log.append(`${who}.${at} ${long}`))),
    );
    await Promise.all(logs.map((log) => log.close()));
    const lines = readFileSync(path, "utf8").split("\n");
    expect(lines.pop()).toBe("");
    expect(new Set(lines).size).toBe(300);
    expect(lines.every((line) => /^[0-2]\.\d+ x{5000}$/.test(line))).toBe(true);
  });

  test("may be /dev/null", async () => {
    const log = await opened("/dev/null");
    await log.append("{}");
    await log.close();
    expect(said).toEqual([]);
  });

  test("may be /dev/stderr, which gets the bare records", async () => {
    const log = await opened("/dev/stderr");
    await log.append("{}");
    expect(said).toEqual(["{}"]);
  });

  test("may be left out: stderr gets the records, marked", async () => {
    const log = await opened(undefined);
    await log.append("{}");
    expect(said).toEqual(["[FOURGATE_OUTCOME] {}"]);
  });
});

describe("a log that is refused before the server starts", () => {
  async function code(where: string): Promise<string> {
    const result = openOutcomeLog(where, stderr);
    if (result.ok) return "opened";
    expect(result.problem.place).toBe(where);
    expect(result.problem.remedy).toMatch(/; (name|create|change)/);
    return result.problem.code;
  }

  test("is a directory", async () => {
    expect(await code(directory)).toBe("is_directory");
  });

  test("is a named pipe, whether or not anybody reads it", async () => {
    execFileSync("mkfifo", [path]);
    expect(await code(path)).toBe("not_a_file");
  });

  test("is a socket", async () => {
    const server = createServer().listen(path);
    await once(server, "listening");
    expect(await code(path)).toBe("not_a_file");
    server.close();
  });

  test("is in a directory that is not there, or in a file", async () => {
    expect(await code(join(directory, "none", "log"))).toBe("no_parent");
    writeFileSync(path, "");
    expect(await code(join(path, "log"))).toBe("no_parent");
  });

  test("may not be written", async () => {
    mkdirSync(join(directory, "sealed"), { mode: 0o500 });
    // The superuser may write anywhere but here.
    const sealed = process.getuid?.() === 0 ? "/proc/sys/kernel/version" : join(directory, "sealed", "log");
    expect(await code(sealed)).toBe("not_permitted");
  });

  test.each(["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])(
    "is %s, which belongs to the MCP traffic",
    async (stdout) => {
      expect(await code(stdout)).toBe("is_stdout");
    },
  );
});

describe("a disk that fails", () => {
  test("when it is full: each record goes to stderr, and that is said once", async () => {
    const log = await opened("/dev/full");
    await log.append('{"seq":1}');
    await log.append('{"seq":2}');
    await log.close();
    expect(said).toEqual([
      "fourgate: outcome log: write failed (ENOSPC); records go to stderr until it works again",
      '[FOURGATE_OUTCOME] {"seq":1}',
      '[FOURGATE_OUTCOME] {"seq":2}',
    ]);
  });

  test("when a file may not grow: the torn line is closed once there is room, and no record is lost or joined", async () => {
    const program = await bundle("appends-lines");
    // Blocks of 512 bytes in sh, of 1024 in bash: the file ends within the sixth or the eleventh record.
    const command = `ulimit -f 1; exec "$0" "$@"`;
    const child = spawn("sh", ["-c", command, process.execPath, program, path], { stdio: "pipe" });
    const stderrText = text(child.stderr);
    const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    await answers.next();
    const record = (at: number): string => JSON.stringify({ seq: at, padding: "x".repeat(80) });
    const append = async (at: number): Promise<void> => {
      child.stdin.write(`${record(at)}\n`);
      expect((await answers.next()).value).toBe("done");
    };
    for (let at = 0; at < 15; at++) await append(at);
    const full = readFileSync(path, "utf8");
    const whole = full.split("\n").slice(0, -1);
    const torn = full.split("\n").at(-1)!;
    expect(torn).not.toBe("");
    // Somebody makes room: the first records are taken away, the torn line stays as it is.
    truncateSync(path, 0);
    writeFileSync(path, torn);
    await append(15);
    await append(16);
    child.stdin.end();
    await once(child, "exit");
    expect(readFileSync(path, "utf8")).toBe(`${torn}\n${record(15)}\n${record(16)}\n`);
    const onStderr = (await stderrText).split("\n").filter((line) => line.startsWith("[FOURGATE_OUTCOME] "));
    expect([...whole, ...onStderr.map((line) => line.slice("[FOURGATE_OUTCOME] ".length))]).toEqual(
      Array.from({ length: 15 }, (_, at) => record(at)),
    );
  });

  test("when it hangs: what is not written by the end of the session goes to stderr, after a second", async () => {
    const log = queuedLog({ append: () => new Promise(() => {}) }, stderr, async () => {});
    const settled = [log.append('{"seq":1}'), log.append('{"seq":2}')];
    const begin = performance.now();
    await log.close();
    await Promise.all(settled);
    expect(performance.now() - begin).toBeGreaterThan(900);
    expect(said).toEqual(['[FOURGATE_OUTCOME] {"seq":1}', '[FOURGATE_OUTCOME] {"seq":2}']);
    await log.append('{"seq":3}');
    expect(said.at(-1)).toBe('[FOURGATE_OUTCOME] {"seq":3}');
  });

  test("when it recovers: the file is used again, and that is said", async () => {
    const errors = ["EIO", undefined, undefined];
    const log = queuedLog(
      {
        append: async () => {
          const error = errors.shift();
          return error === undefined ? { written: 1 } : { written: 0, error };
        },
      },
      stderr,
      async () => {},
    );
    await log.append("1");
    await log.append("2");
    await log.append("3");
    expect(said).toEqual([
      "fourgate: outcome log: write failed (EIO); records go to stderr until it works again",
      "[FOURGATE_OUTCOME] 1",
      "fourgate: outcome log: writing to the file again",
    ]);
  });
});
