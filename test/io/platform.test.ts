// The branches for systems that these tests do not run on, fed with what those systems would say.

import { describe, expect, test } from "vitest";
import { psPlatform } from "../../src/io/platform-ps.ts";
import { windowsPlatform } from "../../src/io/platform-windows.ts";
import { createVerifierRunner } from "../../src/io/verifier-runner.ts";

describe("macOS", () => {
  const table = [
    "  100     1   100 Ss   Sun Nov 29 10:00:00 2026    ",
    "  201   100   100 S+   Sun Nov 29 10:00:01 2026    ",
    "  300   201   300 S    Sun Nov 29 10:00:02 2026    ",
    "  400   100   400 Z    Sun Nov 29 10:00:03 2026    ",
    "  500     1   500 S    Sun Nov  9 10:00:03 2026    ",
    "a line that is no row",
  ].join("\n");
  const asked: (readonly string[])[] = [];
  const platform = psPlatform(async (program, args) => {
    asked.push([program, ...args]);
    return table;
  });

  test("descendants are found through ps, in whatever group they are", async () => {
    expect((await platform.descendants(100)).map((ref) => ref.pid)).toEqual([201, 300, 400]);
    expect(asked[0]).toEqual(["ps", "-A", "-o", "pid=,ppid=,pgid=,stat=,lstart="]);
  });

  test("a process is the same when its start is, and a zombie does not run", async () => {
    const [child, , zombie] = await platform.descendants(100);
    expect(await platform.runs(child!)).toBe(true);
    expect(await platform.runs({ ...child!, started: "Sun Nov 29 11:00:01 2026" })).toBe(false);
    expect(await platform.runs(zombie!)).toBe(false);
    expect(await platform.runs({ pid: 500, started: "Sun Nov 9 10:00:03 2026" })).toBe(true);
  });

  test("without ps nothing is found, and nothing fails", async () => {
    const blind = psPlatform(async () => undefined);
    expect(await blind.descendants(100)).toEqual([]);
    expect(await blind.list()).toBeUndefined();
  });

  test("verifiers run although environments cannot be seen", async () => {
    const runner = createVerifierRunner({ environment: process.env, platform: psPlatform() });
    const spec = { command: ["true"], cwd: undefined, timeoutMs: 2000, secretEnv: [], env: undefined, prewarm: 0 };
    expect((await runner.run(1, spec, "{}", 10_000)).reply).toMatchObject({ ended: "exit", code: 0 });
    await runner.close();
  });
});

describe("Windows", () => {
  function recording(): { started: string[]; platform: ReturnType<typeof windowsPlatform> } {
    const started: string[] = [];
    return { started, platform: windowsPlatform((program, args) => started.push([program, ...args].join(" "))) };
  }

  test("a tree is ended by taskkill, and a stop is not taken for an end", () => {
    const { started, platform } = recording();
    expect(platform.signalGroup(process.pid, "SIGSTOP")).toBe(false);
    expect(platform.signalGroup(process.pid, 0)).toBe(true);
    expect(started).toEqual([]);
    expect(platform.signalGroup(process.pid, "SIGKILL")).toBe(true);
    expect(started).toEqual([`taskkill /T /F /PID ${process.pid}`]);
  });

  test("a process that has ended is left alone, since its number may be another's soon", async () => {
    const { started, platform } = recording();
    const runner = createVerifierRunner({ environment: process.env, platform });
    const spec = { command: ["true"], cwd: undefined, timeoutMs: 2000, secretEnv: [], env: undefined, prewarm: 0 };
    expect((await runner.run(1, spec, "{}", 10_000)).reply).toMatchObject({ ended: "exit", code: 0 });
    await runner.close();
    expect(started).toEqual([]);
  });

  test("a verifier past its limit is ended with its tree", async () => {
    const started: string[] = [];
    const platform = windowsPlatform((program, args) => {
      started.push([program, ...args.slice(0, -1)].join(" "));
      process.kill(Number(args.at(-1)), "SIGKILL");
    });
    const runner = createVerifierRunner({ environment: process.env, platform });
    const spec = {
      command: ["sleep", "600"],
      cwd: undefined,
      timeoutMs: 100,
      secretEnv: [],
      env: undefined,
      prewarm: 0,
    };
    expect((await runner.run(1, spec, "{}", 100)).reply).toEqual({ ended: "timeout" });
    await runner.close();
    expect(started).toEqual(["taskkill /T /F /PID"]);
  });
});
