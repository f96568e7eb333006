// Verifiers as real processes that misbehave in one way each: what the check comes to, how soon, and that nothing stays.

import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { VerifierSpec } from "../../src/core/contract/types.ts";
import { decide } from "../../src/core/verdict/decide.ts";
import { createVerifierRunner, type VerifierRun, type VerifierRunner } from "../../src/io/verifier-runner.ts";
import { expectNothingLeft, processesWith } from "./processes.ts";

// A limit is met within 100 ms on a machine with time to spare; these machines have two cores and run other tests beside
// this one, so the assertions allow more. A wait for a child of the verifier would be 600 s.
const SLACK_MS = 500;

const allowed = new Set(["record_missing"]);
let marker: string;
let runner: VerifierRunner;
let checks = 0;

beforeEach(() => {
  marker = `fourgate-test-${randomBytes(8).toString("hex")}`;
  runner = createVerifierRunner({
    environment: { ...process.env, TEST_MARKER: marker, READBACK_TOKEN: "s3cret-t0ken-value" },
  });
});

afterEach(async () => {
  await runner.close();
  await expectNothingLeft(marker);
});

function fixture(name: string, ...args: string[]): VerifierSpec {
  const file = fileURLToPath(new URL(`../fixtures/verifiers/${name}`, import.meta.url));
  return { command: [file, ...args], cwd: undefined, timeoutMs: 2000, secretEnv: [], env: undefined, prewarm: 0 };
}

function run(spec: VerifierSpec, { input = "{}", budgetMs = 10_000 } = {}): Promise<VerifierRun> {
  return runner.run(++checks, spec, input, budgetMs);
}

async function outcomeOf(spec: VerifierSpec, options?: { input?: string; budgetMs?: number }): Promise<string> {
  const { reply } = await run(spec, options);
  const { status, reason } = decide(reply, allowed);
  return `${status}/${reason}`;
}

function textOf({ reply }: VerifierRun): string {
  return reply.ended === "exit" ? Buffer.from(reply.stdout).toString() : reply.ended;
}

describe("a verifier's answer", () => {
  const rows: [title: string, spec: VerifierSpec, outcome: string][] = [
    ["pass", fixture("passes.sh"), "pass/postcondition_satisfied"],
    ["fail with an allowed reason", fixture("fails.sh", "record_missing"), "fail/record_missing"],
    ["fail with a reason that is not allowed", fixture("fails.sh", "bad_luck"), "unknown/verifier_malformed"],
    ["a good answer and a non-zero exit", fixture("exits-3-after-pass.sh"), "unknown/verifier_error"],
    ["a good answer, then SIGKILL to itself", fixture("kills-itself.sh"), "unknown/verifier_error"],
    ["a BOM before the object", fixture("prints.sh", '\\357\\273\\277{"status":"pass"}'), "unknown/verifier_malformed"],
    ["two objects", fixture("prints.sh", '{"status":"pass"}{"status":"pass"}'), "unknown/verifier_malformed"],
    ["text before the object", fixture("prints.sh", 'checking\\n{"status":"pass"}'), "unknown/verifier_malformed"],
    ["nothing at all", fixture("prints.sh", ""), "unknown/verifier_malformed"],
    ["bytes that are not UTF-8", fixture("prints.sh", '{"status":"pass","x":"\\377"}'), "unknown/verifier_malformed"],
    ["a command that is not there", fixture("no-such-verifier"), "unknown/verifier_error"],
    ["a command that may not be run", fixture("../../../package.json"), "unknown/verifier_error"],
    ["a name that no system takes", { ...fixture("passes.sh"), command: ["a\0b"] }, "unknown/verifier_error"],
    ["a directory that is gone", { ...fixture("passes.sh"), cwd: "/no/such/directory" }, "unknown/verifier_error"],
  ];
  test.each(rows)("%s", async (_title, spec, outcome) => {
    expect(await outcomeOf(spec)).toBe(outcome);
  });

  test("reaches us whole up to the limit of 1 MiB", async () => {
    const input = "x".repeat(1024 * 1024);
    expect(textOf(await run(fixture("echoes-input.sh"), { input }))).toBe(input);
    expect(await outcomeOf(fixture("echoes-input.sh"), { input: `${input}x` })).toBe("unknown/verifier_malformed");
  });

  test("counts although 64 MiB of input were never read", async () => {
    const input = "x".repeat(64 * 1024 * 1024);
    expect(await outcomeOf(fixture("passes-unread.sh"), { input })).toBe("pass/postcondition_satisfied");
  });

  test("counts although 256 KiB went to stderr first, of which the end is kept", async () => {
    const result = await run(fixture("complains-then-passes.sh"));
    expect(decide(result.reply, allowed).status).toBe("pass");
    expect(result.stderrTail).toMatch(/x\nthe last line\n$/);
    expect(result.stderrTail.length).toBe(4096);
  });
});

describe("a verifier that does not end", () => {
  const rows: [title: string, name: string][] = [
    ["with children that hold its pipes", "hangs-with-children.sh"],
    ["with 120 processes in sessions of their own", "breeds.sh"],
  ];
  test.each(rows)("%s is answered at its limit", async (_title, name) => {
    const { reply, ms } = await run(fixture(name), { budgetMs: 400 });
    expect(reply.ended).toBe("timeout");
    expect(ms).toBeGreaterThanOrEqual(395);
    expect(ms).toBeLessThan(400 + SLACK_MS);
    await expectNothingLeft(marker);
  });

  test("takes its children along although they left its group and its environment", async () => {
    const seconds = `600.${randomBytes(4).readUInt32LE()}`;
    const hanging = run(fixture("hangs-session-without-mark.sh", seconds), { budgetMs: 10_000 });
    await vi.waitFor(async () => expect(await processesWith(`sleep\0${seconds}`)).toHaveLength(1), 10_000);
    runner.cancel(checks);
    expect((await hanging).reply.ended).toBe("cancelled");
    await expectNothingLeft(seconds);
  });

  test("is ended when its check is cancelled", async () => {
    const hanging = run(fixture("hangs-with-children.sh"));
    await vi.waitFor(async () => expect(await processesWith(marker)).not.toEqual([]), 10_000);
    runner.cancel(checks);
    expect((await hanging).reply.ended).toBe("cancelled");
    await expectNothingLeft(marker);
  });

  test("is ended when the session closes, and no later check starts one", async () => {
    const hanging = run(fixture("hangs-with-children.sh"));
    await vi.waitFor(async () => expect(await processesWith(marker)).not.toEqual([]), 10_000);
    await runner.close();
    expect(await processesWith(marker)).toEqual([]);
    expect((await hanging).reply.ended).toBe("cancelled");
    expect((await run(fixture("passes.sh"))).reply.ended).toBe("cancelled");
  });

  test("is not even started without time left", async () => {
    expect((await run(fixture("hangs-with-children.sh"), { budgetMs: 0 })).reply.ended).toBe("timeout");
    expect(await processesWith(marker)).toEqual([]);
  });
});

describe("a verifier that has answered and exited", () => {
  const rows: [title: string, name: string][] = [
    ["a child that holds stdout", "passes-child-holds-stdout.sh"],
    ["a process in its own session that holds stdout", "passes-session-holds-stdout.sh"],
    ["a process in its own session that holds no pipe", "passes-session-holds-nothing.sh"],
    ["a process that goes on starting others", "keeps-breeding.sh"],
  ];
  test.each(rows)("is settled at once and loses %s", async (_title, name) => {
    const { reply, ms } = await run(fixture(name));
    expect(decide(reply, allowed)).toEqual({ status: "pass", reason: "postcondition_satisfied" });
    expect(ms).toBeLessThan(100 + SLACK_MS);
    await expectNothingLeft(marker);
  });

  test("leaves the others that run at the same time alone", async () => {
    const file = join(mkdtempSync(join(tmpdir(), "fourgate-")), "go");
    const slow = run(fixture("waits-for-file.sh", file), { budgetMs: 30_000 });
    await vi.waitFor(async () => expect(await processesWith(`${file}\x00`)).toHaveLength(1), 10_000);
    const seconds = `600.${randomBytes(4).readUInt32LE()}`;
    const others = Array.from({ length: 12 }, () => outcomeOf(fixture("passes-session-holds-nothing.sh", seconds)));
    expect(new Set(await Promise.all(others))).toEqual(new Set(["pass/postcondition_satisfied"]));
    await expectNothingLeft(seconds);
    writeFileSync(file, "");
    expect(decide((await slow).reply, allowed).status).toBe("pass");
  });
});

describe("memory stays flat", () => {
  test.each([
    ["stdout, which ends it at once", "prints-800-megabytes.sh", "unknown/verifier_malformed"],
    ["stderr, which is only drained", "complains-800-megabytes.sh", "pass/postcondition_satisfied"],
  ])("while a verifier prints 800 MB to %s", async (_title, name, outcome) => {
    const before = process.memoryUsage.rss();
    let peak = before;
    const sampling = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage.rss());
    }, 5);
    expect(await outcomeOf(fixture(name), { budgetMs: 30_000 })).toBe(outcome);
    clearInterval(sampling);
    expect(Math.max(peak, process.memoryUsage.rss()) - before).toBeLessThan(100 * 1024 * 1024);
  });
});

describe("a verifier's environment", () => {
  test("is all of ours, or only what the contract names", async () => {
    const spec = fixture("prints-environment.sh");
    expect(textOf(await run(spec))).toContain(`TEST_MARKER=${marker}\n`);
    const narrow = textOf(await run({ ...spec, env: ["TZ"], secretEnv: ["READBACK_TOKEN"] }));
    expect(narrow).toContain("READBACK_TOKEN=s3cret-t0ken-value\n");
    expect(narrow).toContain("PATH=");
    expect(narrow).not.toContain("TEST_MARKER");
  });

  test("is looked for in its stderr only once somebody reads that", async () => {
    let looks = 0;
    const environment = {
      ...process.env,
      get READBACK_TOKEN() {
        looks++;
        return "s3cret-t0ken-value";
      },
    };
    const own = createVerifierRunner({ environment });
    const result = await own.run(1, { ...fixture("tells-its-secret.sh"), secretEnv: ["READBACK_TOKEN"] }, "{}", 10_000);
    const before = looks;
    expect(result.reply.ended).toBe("exit");
    expect(result.stderrTail).toContain("[redacted]");
    expect([before, looks]).toEqual([1, 2]);
    await own.close();
  });

  test("does not come back through its stderr: secrets are taken out, in base64 too", async () => {
    const { stderrTail } = await run({ ...fixture("tells-its-secret.sh"), secretEnv: ["READBACK_TOKEN"] });
    expect(stderrTail).toMatch(/^token \[redacted\]\n/);
    const encoded = /\n([A-Za-z0-9+/]*)\[redacted\]([A-Za-z0-9+/=]*)\n$/.exec(stderrTail);
    // Of base64 of "user:SECRET" only the characters of the name, and at most one of the secret's edge, are left.
    expect(encoded?.[1]?.length).toBeLessThanOrEqual(8);
    expect(encoded?.[2]?.length).toBeLessThanOrEqual(4);
  });
});

describe("verifiers started ahead", () => {
  const pidOf = (result: VerifierRun): number => JSON.parse(textOf(result)).evidence.pid as number;

  test("answer from processes that were waiting, each used once", async () => {
    const spec = { ...fixture("tells-its-number.sh"), prewarm: 2 };
    runner.prewarm(spec);
    await vi.waitFor(async () => expect(await processesWith(marker)).toHaveLength(2), 10_000);
    const ahead = await processesWith(marker);
    const used = [pidOf(await run(spec)), pidOf(await run(spec)), pidOf(await run(spec)), pidOf(await run(spec))];
    expect(ahead).toContain(used[0]);
    expect(new Set(used).size).toBe(4);
  });

  test("are replaced when they die while they wait", async () => {
    const spec = { ...fixture("tells-its-number.sh"), prewarm: 1 };
    runner.prewarm(spec);
    await vi.waitFor(async () => expect(await processesWith(marker)).toHaveLength(1), 10_000);
    const [first] = await processesWith(marker);
    process.kill(first!, "SIGKILL");
    await vi.waitFor(async () => expect(await processesWith(marker)).toEqual([expect.not.toBeOneOf([first])]), 10_000);
    const [second] = await processesWith(marker);
    expect(pidOf(await run(spec))).toBe(second);
  });

  test("that die at once are not started again and again", async () => {
    const file = join(mkdtempSync(join(tmpdir(), "fourgate-")), "starts");
    runner.prewarm({ ...fixture("dies-waiting.sh", file), prewarm: 1 });
    const begin = performance.now();
    const starts = (): number => readFileSync(file, "utf8").split("\n").length - 1;
    await vi.waitFor(() => expect(starts()).toBeGreaterThanOrEqual(3), 20_000);
    // Without a growing pause some hundred would fit in here.
    expect(performance.now() - begin).toBeGreaterThan(700);
  });

  test("that died before the question reached them do not spoil the check", async () => {
    const file = join(mkdtempSync(join(tmpdir(), "fourgate-")), "died");
    const spec = { ...fixture("dies-waiting-once.sh", file), prewarm: 1 };
    // In the same breath, so that its death cannot have been seen.
    runner.prewarm(spec);
    expect(await outcomeOf(spec)).toBe("pass/postcondition_satisfied");
  });

  test("are all gone when the session has closed", async () => {
    runner.prewarm({ ...fixture("passes.sh"), prewarm: 4 });
    await vi.waitFor(async () => expect(await processesWith(marker)).toHaveLength(4), 10_000);
    await runner.close();
    expect(await processesWith(marker)).toEqual([]);
  });
});
