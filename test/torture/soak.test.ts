// A day's calls in one session, as fast as they go: what the guard and its reader have in memory, descriptors, processes and timers does not grow.

import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { contractFor, type Guard, guard, memoryOf, PASSES, scratch } from "../e2e/harness.ts";

/** A protected call every ten seconds of a day is 8640. */
const CALLS = Number(process.env.FOURGATE_TORTURE_CALLS ?? 240);
const OUTSTANDING = 8;
/** A guard has the memory that it stays with after some thousand calls; before that only a gross leak shows (bytes). */
const MAX_GROWTH = (CALLS < 8000 ? 24 : 8) * 1024 * 1024;

interface Size {
  readonly memory: number;
  readonly descriptors: number;
  readonly processes: number;
  readonly timers: number;
  readonly others: number;
}

/** The guard's reader, which carries no mark. */
function readersOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1").split(" ").filter(Boolean).map(Number);
  return children.filter((child) => {
    try {
      return readFileSync(`/proc/${child}/cmdline`, "latin1").includes("--reader");
    } catch {
      return false;
    }
  });
}

/** What the guard and its reader have once it is quiet again. */
async function sizeOf(session: Guard, counts: string): Promise<Size> {
  const pid = session.child.pid!;
  const look = async () => {
    rmSync(counts, { force: true });
    await session.until(() => existsSync(counts) && readFileSync(counts, "utf8").endsWith("}"));
    const { timers, others } = JSON.parse(readFileSync(counts, "utf8"));
    const pids = [pid, ...readersOf(pid)];
    const descriptors = pids.reduce((sum, one) => sum + readdirSync(`/proc/${one}/fd`).length, 0);
    const memory = pids.reduce((sum, one) => sum + memoryOf(one).now, 0);
    return { memory, descriptors, processes: session.left().length, timers, others };
  };
  // Verifiers that have answered are swept up a moment later, which uses all of these.
  let least = await look();
  for (let looks = 0; looks < 25; looks++) {
    const now = await look();
    const smaller = (key: keyof Size) => Math.min(least[key], now[key]);
    least = {
      memory: smaller("memory"),
      descriptors: smaller("descriptors"),
      processes: smaller("processes"),
      timers: smaller("timers"),
      others: smaller("others"),
    };
  }
  return least;
}

async function calls(session: Guard, from: number, to: number): Promise<void> {
  let sent = from;
  for (let answered = from; answered < to; answered++) {
    while (sent < to && sent - answered < OUTSTANDING) {
      const never = sent % 11 === 5;
      session.call(sent, sent % 4 === 0 ? "create" : "read", never ? { never } : { id: `r${sent}` });
      // Given up, as clients do: nothing of it may stay either.
      if (never) session.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: sent } });
      if (never) answered++;
      sent++;
    }
    if (answered < to) await session.next();
  }
}

test.runIf(process.platform === "linux")(`${CALLS} protected calls in one session`, async () => {
  const folder = scratch();
  const counts = join(folder, "counts");
  const { tools } = contractFor(PASSES) as { tools: object };
  const readback = { type: "file", root: ".", path_template: "contract.json", interval_ms: 0, attempts: 1 };
  const read = {
    extract: { id: { source: "arguments", path: "id" } },
    readback,
    allowed_failure_reasons: ["record_missing"],
  };
  const preload = pathToFileURL(resolve("test/fixtures/torture/counts-itself.mjs"));
  const session = guard({
    contract: { contract_version: 1, tools: { ...tools, read } },
    flags: ["--mode", "enforce"],
    env: { NODE_OPTIONS: `--import ${preload}`, FOURGATE_TORTURE_COUNTS: counts },
  });
  const warmUp = Math.ceil(CALLS / 2);
  await calls(session, 0, warmUp);
  const before = await sizeOf(session, counts);
  await calls(session, warmUp, CALLS);
  const after = await sizeOf(session, counts);
  if (CALLS >= 8000) console.log(`soak: ${CALLS} calls; ${JSON.stringify(before)}; ${JSON.stringify(after)}`);
  expect({ ...after, memory: 0 }).toEqual({ ...before, memory: 0 });
  expect(after.memory - before.memory).toBeLessThan(MAX_GROWTH);
  expect(await session.end()).toBe(0);
  expect(session.records()).toHaveLength(CALLS);
  expect(session.left()).toEqual([]);
});
