// Many guards at once on one log file, some of them killed: every record whole, and none missing that was promised.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Guard, MAIN, type OutcomeLine, scratch } from "../e2e/harness.ts";
import { randomFrom } from "./random.ts";

const { FOURGATE_TORTURE_SEED: SEED = "ci", FOURGATE_TORTURE_GUARDS: GUARDS = "16" } = process.env;
const CALLS = 40;
/** One guard in so many is killed in the middle. */
const KILLED = 8;

/** A server of one megabyte: it answers each call with the call's own number. */
const answers = String.raw`s/.*"id":\([0-9]*\).*/{"jsonrpc":"2.0","id":\1,"result":{"content":[],"structuredContent":{"id":\1}}}/`;
const server = ["sed", "-u", answers];

const id = { source: "result", path: "result.structuredContent.id" };
const contract = {
  contract_version: 1,
  tools: {
    checked: {
      extract: { id },
      verifier: { command: ["/bin/sh", "-c", `echo '{"status":"pass"}'`], timeout_ms: 2000 },
      allowed_failure_reasons: ["record_missing"],
    },
    // Recorded without a process of its own, and so as fast as it can be.
    recorded: {
      extract: { id, missing: { source: "arguments", path: "missing" } },
      verifier: { command: ["/bin/sh"], timeout_ms: 2000 },
      allowed_failure_reasons: ["record_missing"],
    },
  },
};

test.runIf(process.platform === "linux")(`${GUARDS} guards at once on one log`, async () => {
  const random = randomFrom(`${SEED} load`);
  const folder = scratch();
  const [file, log] = [join(folder, "contract.json"), join(folder, "outcomes.jsonl")];
  writeFileSync(file, JSON.stringify(contract));
  // An earlier session was killed in its write: all of them find it when they start.
  writeFileSync(log, '{"torn');
  const argv = [MAIN, "guard", "--contracts", file, "--mode", "enforce", "--log", log, "--", ...server];
  const sessions = Array.from({ length: Number(GUARDS) }, () => new Guard(argv, log, { contract }));
  const delivered = await Promise.all(
    sessions.map(async (session, at) => {
      const dies = at % KILLED === 0 ? random.int(CALLS) : CALLS + 1;
      for (let call = 0; call < CALLS; call++) {
        session.call(call, call % 10 === 0 ? "checked" : "recorded");
        if (call === dies) session.child.kill("SIGKILL");
        // An answer that nothing is checked in passes at once, its record beside it: of a guard killed in that moment it may be lost.
        const sure = call > 0 && (call - 1) % 10 !== 0 ? call - 1 : call;
        if ((await session.next()) === undefined) return { killed: true, answers: sure };
      }
      await session.end();
      return { killed: session.child.signalCode !== null, answers: CALLS };
    }),
  );

  const lines = readFileSync(log, "utf8").split("\n");
  expect(lines.shift()).toBe('{"torn');
  const records = lines.filter((line) => line !== "").flatMap((line) => parsed(line) ?? []);
  // Only a guard that is killed in its very write leaves half a line, and nothing is joined to it.
  const torn = lines.filter((line) => line !== "").length - records.length;
  expect(torn).toBeLessThanOrEqual(delivered.filter(({ killed }) => killed).length);
  const bySession = new Map<unknown, number[]>();
  for (const { session, seq } of records) bySession.set(session, [...(bySession.get(session) ?? []), seq]);
  const kept = [...bySession.values()];
  // In order, none missing, none twice.
  for (const numbers of kept) expect(numbers).toEqual(numbers.map((_, i) => i + 1));
  const whole = delivered.filter(({ killed }) => !killed);
  expect(kept.filter(({ length }) => length === CALLS).length).toBeGreaterThanOrEqual(whole.length);
  // A guard that is killed may owe the records of answers that had waited 0.1 s for a log too busy to take them; see RECORD_WAIT_MS.
  const owed = delivered.reduce((sum, { answers }) => sum + answers, 0) - records.length;
  if (Number(GUARDS) <= 32) expect(owed).toBeLessThanOrEqual(0);
  else if (owed > 0)
    console.log(`load: ${owed} records of killed guards are not in the log: it was slower than an answer waits`);
  expect(sessions.flatMap((session) => session.stderrRecords())).toEqual([]);
  expect(sessions.some((session) => session.stderr.includes("its last line was torn"))).toBe(true);
});

function parsed(line: string): OutcomeLine | undefined {
  try {
    return JSON.parse(line) as OutcomeLine;
  } catch {
    return undefined;
  }
}
