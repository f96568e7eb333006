// A session that cannot go on as usual ends once or waits, and burns no processor time meanwhile.

import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { answerOf } from "./checked.ts";
import { contractFor, fixture, type Guard, guard, node, PASSES, scratch } from "./harness.ts";

/** Of the time that passes, what a guard with nothing to do may use; one that spins uses all of one processor. */
const IDLE_SHARE = 0.2;

interface Clock {
  /** Processor time of the guard alone, its threads included (milliseconds). */
  readonly cpu: number;
  readonly wall: number;
}

/** The guard's clocks now; undefined once it is gone. The kernel counts in hundredths of a second. */
function clock(session: Guard): Clock | undefined {
  try {
    const stat = readFileSync(`/proc/${session.child.pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { cpu: (Number(fields[11]) + Number(fields[12])) * 10, wall: performance.now() };
  } catch {
    return undefined;
  }
}

/** Reads the clocks again and again until the guard is gone; gives the last reading. */
async function lastClock(session: Guard): Promise<Clock> {
  let last = clock(session)!;
  const looking = setInterval(() => {
    last = clock(session) ?? last;
  }, 10);
  await session.exited;
  clearInterval(looking);
  return last;
}

/** Between the two readings, which lie far enough apart to tell, the guard was idle. */
function expectIdle(from: Clock, to: Clock): void {
  const wall = to.wall - from.wall;
  expect(wall).toBeGreaterThan(1000);
  expect((to.cpu - from.cpu) / wall).toBeLessThan(IDLE_SHARE);
}

const slowly = ["sh", "-c", `read -r input; sleep 1.5; echo '{"status":"pass"}'`];

describe.runIf(process.platform === "linux")("without a busy loop", () => {
  test.each(["a socket", "a pipe"])("the client closes its end of stdout, %s: the session ends, once", async (kind) => {
    const fifo = join(scratch(), "stdout");
    expect(spawnSync("mkfifo", [fifo]).status).toBe(0);
    // Node gives its children sockets; other clients give them pipes. `head` passes one line on and goes.
    const through = ["sh", "-c", 'head -n 1 <"$0" & exec "$@" >"$0"', fifo];
    const server = [node, fixture("ignores-eof.mjs")];
    const started = { contract: contractFor(PASSES), server };
    const session = guard(kind === "a pipe" ? { ...started, through } : started).read();
    session.call(1);
    await session.message();
    await session.until(() => session.records().length === 1);
    if (kind === "a socket") session.child.stdout.destroy();
    else await session.until(() => !session.left().some((each) => each.endsWith(" head")));
    session.call(2, "create", { never: true });
    for (let id = 3; id < 50; id++) session.call(id, "other", { size: 10_000 });
    const from = clock(session)!;
    const to = await lastClock(session);
    expectIdle(from, to);
    // The server does not care for the end of its stdin: SIGTERM.
    expect(await session.exited).toBe(143);
    expect(session.records().map((record) => record.reason_code)).toEqual(["postcondition_satisfied", "no_response"]);
    expect(session.stderr).not.toContain("fault");
    expect(session.left()).toEqual([]);
  });

  test("the client closes its end of stdin and reads nothing", async () => {
    const session = guard({ contract: contractFor(slowly) });
    session.call(1);
    session.call(2, "other", { size: 8 << 20 });
    session.child.stdin.end();
    // The first bytes are there and nobody takes the rest.
    await once(session.child.stdout, "readable");
    const from = clock(session)!;
    await session.until(() => session.records().length === 1);
    expectIdle(from, clock(session)!);
    session.read();
    expect(await session.exited).toBe(0);
    await session.closed;
    expect(session.lines.map((line) => JSON.parse(line).id)).toEqual([1, 2]);
    expect(session.records()).toMatchObject([{ status: "pass" }]);
    expect(session.left()).toEqual([]);
  });

  test("the server closes its stdin and lives, and the client goes on writing", async () => {
    const deaf = ["sh", "-c", 'read -r call; exec 0<&-; echo "$0"; exec sleep 600', answerOf(1)];
    const session = guard({ contract: contractFor(slowly), server: deaf }).read();
    session.call(1);
    expect(await session.next()).toBe(answerOf(1));
    // Nobody will read these: the guard drops them, and the client is not made to wait.
    const notification = { jsonrpc: "2.0", method: "notifications/progress", params: { text: "x".repeat(100_000) } };
    for (let i = 0; i < 20; i++) {
      if (!session.send(notification)) await once(session.child.stdin, "drain");
    }
    session.call(2);
    const from = clock(session)!;
    await session.until(() => session.records().length === 1);
    expectIdle(from, clock(session)!);
    session.child.kill("SIGTERM");
    expect(await session.exited).toBe(143);
    expect(session.records().map((record) => record.reason_code)).toEqual(["postcondition_satisfied", "no_response"]);
    expect(session.left()).toEqual([]);
  });
});
