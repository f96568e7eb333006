// Sessions that are struck by a fault each at a random moment. A few of a fixed seed in every run of the tests; `npm run torture` for a thousand.

import { expect, test } from "vitest";
import { FAULTS } from "./faults.ts";
import { judge } from "./judge.ts";
import { playSession } from "./play.ts";

const { FOURGATE_TORTURE_SEED: SEED = "ci", FOURGATE_TORTURE_ONLY: ONLY, FOURGATE_TORTURE_SESSION: ONE } = process.env;
/** Those that no other test makes; the rest has tests of its own (docs/faults.md). */
const SLICE = [
  "guard-killed",
  "guard-told-to-stop",
  "server-killed",
  "reader-killed",
  "guard-suspended",
  "log-removed",
];
const { FOURGATE_TORTURE_SESSIONS: MANY } = process.env;
const played = (name: string) => (ONLY === undefined ? MANY !== undefined || SLICE.includes(name) : name === ONLY);
const faults = FAULTS.filter(({ name }) => played(name));
const SESSIONS = Number(MANY ?? faults.length);
const all = Array.from({ length: SESSIONS }, (_, number) => ({ number, fault: faults[number % faults.length]! }));
const sessions = all
  .filter(({ number }) => ONE === undefined || number === Number(ONE))
  .map(({ number, fault }) => ({ number, fault, name: fault.name }));

test("there is something to play", () => expect(sessions.length).toBeGreaterThan(0));

test.runIf(process.platform === "linux").each(sessions)("session $number: $name", async ({ number, fault }) => {
  const reason = fault.impossible?.();
  if (reason !== undefined) return console.log(`torture: ${fault.name} left out: ${reason}`);
  try {
    await judge(await playSession(SEED, number, fault));
  } catch (error) {
    const again = `--seed ${SEED} --only ${fault.name} --sessions ${number + 1} --session ${number}`;
    console.error(`the same session again: npm run torture -- ${again}`);
    throw error;
  }
});
