// A guard that is stopped and continued (SIGSTOP, SIGCONT; a laptop that sleeps comes to the same) judges what happened meanwhile.

import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { answerOf, besideSound, goesOn, warm } from "./checked.ts";
import { type Guard, guard, scratch } from "./harness.ts";

/** Suspends the guard once the check has begun, and continues it when the check's outer bound is long over. */
async function suspended(verifier: string): Promise<Guard> {
  const folder = scratch();
  const script = `read -r input; : >"$0/begun"; until [ -e "$0/stopped" ]; do sleep 0.02; done; ${verifier}`;
  const contract = besideSound(["sh", "-c", script, folder], { verifier: { timeout_ms: 600 } });
  const session = guard({ contract, flags: ["--mode", "enforce"] });
  await warm(session);
  session.call(1);
  await session.until(() => existsSync(join(folder, "begun")));
  session.child.kill("SIGSTOP");
  writeFileSync(join(folder, "stopped"), "");
  await session.until(() => existsSync(join(folder, "over")));
  session.child.kill("SIGCONT");
  expect(await session.next()).toBe(answerOf(1));
  await goesOn(session);
  expect(await session.end()).toBe(0);
  expect(session.left()).toEqual([]);
  return session;
}

describe.runIf(process.platform !== "win32")("a guard that is suspended for longer than a check may take", () => {
  test("while the verifier overruns its limit: verifier_timeout", async () => {
    const session = await suspended('sleep 1; : >"$0/over"; sleep 600');
    expect(session.records()[0]).toMatchObject({ status: "unknown", reason_code: "verifier_timeout" });
  });

  test("while the verifier answers in time: its answer counts", async () => {
    const session = await suspended(`(sleep 1; : >"$0/over") >/dev/null 2>&1 & echo '{"status":"pass"}'`);
    expect(session.records()[0]).toMatchObject({ status: "pass" });
  });
});
