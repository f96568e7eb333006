// Verifiers that misbehave as processes, through the built program: what the record says, how soon the answer is there, that nothing
// of them is left, that the guard's memory stays flat, and that its next check works.

import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { expectNothingLeft, processesWith } from "../io/processes.ts";
import { type Asked, answerOf, BOUND_MS, besideSound, enforced, enforcedEach } from "./checked.ts";
import { type Guard, memoryOf, node } from "./harness.ts";

const MIB = 1024 * 1024;
const verifier = (name: string, ...args: string[]) => [resolve("test/fixtures/verifiers", name), ...args];

/** Settled long before its limit: 100 ms are the promise, the rest is what two cores shared with other tests take. */
const AT_ONCE_MS = 600;

describe("a verifier that has answered and exited", () => {
  test.each([
    ["a grandchild that holds stdout", "passes-child-holds-stdout.sh"],
    ["a process in a session of its own that holds stdout", "passes-session-holds-stdout.sh"],
    ["a process in a session of its own that holds nothing", "passes-session-holds-nothing.sh"],
    ["a process that goes on starting others in sessions of their own", "keeps-breeding.sh"],
  ])("is settled at once although it leaves %s", async (_what, name) => {
    const { ms, record } = await enforced(besideSound(verifier(name)));
    expect(record).toMatchObject({ status: "pass", reason_code: "postcondition_satisfied" });
    expect(ms).toBeLessThan(AT_ONCE_MS);
  });
});

describe("a verifier that does not end is answered at its limit", () => {
  test.each([
    ["with a grandchild that holds its pipes", "hangs-with-children.sh", 300],
    ["a fork bomb of 121 processes, each in a session of its own", "breeds.sh", 600],
  ])("%s", async (_what, name, limit) => {
    const { ms, record } = await enforced(besideSound(verifier(name), { verifier: { timeout_ms: limit } }));
    expect(record).toMatchObject({ status: "unknown", reason_code: "verifier_timeout" });
    expect(ms).toBeGreaterThanOrEqual(limit - 5);
    expect(ms).toBeLessThan(limit + AT_ONCE_MS);
  });

  test("with a process that left its session and its environment", async () => {
    const seconds = `600.${randomBytes(4).readUInt32LE()}`;
    const command = verifier("hangs-session-without-mark.sh", seconds);
    const contract = besideSound(command, { verifier: { timeout_ms: 1000 } });
    let seen = 0;
    const { record } = await enforced(contract, {
      // It carries no mark of ours, so it is looked for by its command line, while its check still runs.
      ask: (session) => {
        session.call(1);
        void vi.waitFor(async () => {
          seen = (await processesWith(`sleep\0${seconds}`)).length;
          expect(seen).toBe(1);
        }, 950);
      },
    });
    expect(record).toMatchObject({ status: "unknown", reason_code: "verifier_timeout" });
    expect(seen).toBe(1);
    await expectNothingLeft(`sleep\0${seconds}`);
  });
});

describe("a verifier that is killed", () => {
  test("by its own hand after a good answer", async () => {
    const { record } = await enforced(besideSound(verifier("kills-itself.sh")));
    expect(record).toMatchObject({ status: "unknown", reason_code: "verifier_error" });
  });

  test("by somebody else in the middle of its check", async () => {
    const seconds = `600.${randomBytes(4).readUInt32LE()}`;
    const { ms, record } = await enforced(besideSound(["sleep", seconds]), {
      ask: (session) => {
        session.call(1);
        void vi.waitFor(async () => {
          const [pid] = await processesWith(`sleep\0${seconds}`);
          expect(process.kill(pid!, "SIGKILL")).toBe(true);
        }, 1500);
      },
    });
    expect(record).toMatchObject({ status: "unknown", reason_code: "verifier_error" });
    expect(ms).toBeLessThan(2000);
  });
});

describe.runIf(process.platform === "linux")("the guard's memory stays under 100 MB", () => {
  /** From here on the kernel's peak counts anew. */
  const forgetPeak = (session: Guard) => writeFileSync(`/proc/${session.child.pid}/clear_refs`, "5");

  /** What to do before a call and after it, and the most that the guard ever had in between. */
  function peaking(): Asked & { peak: number } {
    const seen = {
      peak: 0,
      before: forgetPeak,
      after: (session: Guard) => {
        seen.peak = Math.max(seen.peak, memoryOf(session.child.pid!).peak);
      },
    };
    return seen;
  }

  test("while a verifier prints 800 MB to stdout, which ends it at once", async () => {
    const seen = peaking();
    const { record } = await enforced(besideSound(verifier("prints-800-megabytes.sh")), seen);
    expect(record).toMatchObject({ status: "unknown", reason_code: "verifier_malformed" });
    expect(seen.peak).toBeLessThan(100_000_000);
    expect(seen.peak).toBeGreaterThan(10 * MIB);
  });

  // In parts, since on a busy machine all of it would not get through in the 2 s of a check.
  test("while verifiers print 800 MB to stderr, which is only drained", async () => {
    const seen = peaking();
    const complains = ["sh", "-c", `head -c 50000000 /dev/zero >&2; echo '{"status":"pass"}'`];
    const parts = Object.fromEntries(Array.from({ length: 16 }, (_, i) => [`part ${i}`, complains]));
    const outcomes = Object.values(await enforcedEach(parts, seen));
    expect(outcomes).toEqual(Array(16).fill("pass/postcondition_satisfied"));
    expect(seen.peak).toBeLessThan(100_000_000);
    expect(seen.peak).toBeGreaterThan(10 * MIB);
  });
});

describe("fields of many MiB on stdin, which arise only where --max-inspect is raised", () => {
  const extract = {
    id: { source: "result", path: "result.structuredContent.id" },
    title: { source: "arguments", path: "title" },
  };
  // Does not parse what it is sent, which would take most of the time; the answers are those of fast.mjs.
  const answers = JSON.stringify(["warm", 1, "sound"].map((id) => answerOf(id)));
  const script = `const answers = ${answers};
    process.stdin.on("data", (chunk) => chunk.includes(10) && console.log(answers.shift()))`;
  const asked = (mebibytes: number, flags = ["--max-inspect", String(128 * MIB)]): Asked => ({
    server: [node, "-e", script],
    ask: (session) => session.call(1, "create", { title: "x".repeat(mebibytes * MIB) }),
    flags,
    // Sending the call takes its time; what the client waited for us is in the record.
    withinMs: 60_000,
  });

  test("a verifier that exits before it reads any of 64 MiB counts", async () => {
    const { record } = await enforced(besideSound(verifier("passes-unread.sh"), { extract }), asked(64));
    expect(record).toMatchObject({ status: "pass", reason_code: "postcondition_satisfied" });
    expect(record.gate_ms).toBeLessThan(BOUND_MS);
  });

  test("a verifier that reads all of 15 MiB gets all, with the default of --max-inspect too", async () => {
    const whole = 15 * MIB + '{"id":1,"title":""}'.length;
    const counts = ["sh", "-c", `test "$(wc -c)" = ${whole} && echo '{"status":"pass"}'`];
    const { record } = await enforced(besideSound(counts, { extract }), asked(15, []));
    expect(record).toMatchObject({ status: "pass", reason_code: "postcondition_satisfied" });
  });

  test("more than --max-inspect is not kept, and nothing is checked", async () => {
    const { record } = await enforced(besideSound(verifier("passes.sh"), { extract }), asked(17, []));
    expect(record).toMatchObject({ status: "unknown", reason_code: "required_field_missing" });
  });
});

test("output that is not exactly one object is no answer", async () => {
  const fail = '{"status":"fail","reason_code":"record_missing"}';
  const printed = {
    "a BOM before it": `\\357\\273\\277${fail}`,
    "two objects": `${fail}${fail}`,
    "two objects, a line each": `${fail}\\n${fail}\\n`,
    "a list of one": `[${fail}]`,
    "a status that is not known": '{"status":"ok"}',
    "a status given twice": `{"status":"pass",${fail.slice(1)}`,
    "bytes that are not UTF-8": '{"status":"fail","reason_code":"record_missing","x":"\\377"}',
    "a NUL behind it": `${fail}\\000`,
    "60,000 brackets": `{"status":"pass","evidence":${"[".repeat(60_000)}`,
    "60,000 closed brackets in a list": "[".repeat(60_000) + "]".repeat(60_000),
    nothing: "",
  };
  const commands = Object.entries(printed).map(([what, text]) => [what, verifier("prints.sh", text)]);
  const malformed = Object.keys(printed).map((what) => [what, "unknown/verifier_malformed"]);
  expect(await enforcedEach(Object.fromEntries(commands))).toEqual(Object.fromEntries(malformed));
});
