// `npm run torture -- [--seed TEXT] [--sessions N] [--only FAULT] [--session I] [--guards N]`: sessions struck by faults, then load and a soak.
// What goes wrong prints the command that plays it again. Needs Linux; some faults need root, and say so.

import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: randomBytes(4).toString("hex") },
    sessions: { type: "string", default: "1000" },
    only: { type: "string" },
    session: { type: "string" },
    guards: { type: "string", default: "200" },
  },
});
console.log(`torture: seed ${values.seed}, ${values.sessions} sessions; the same again with --seed ${values.seed}`);
const env = {
  ...process.env,
  FOURGATE_TEST_NO_BUILD: "1",
  FOURGATE_TORTURE_SEED: values.seed,
  FOURGATE_TORTURE_SESSIONS: values.sessions,
  FOURGATE_TORTURE_GUARDS: values.guards,
  // A protected call every ten seconds of a day.
  FOURGATE_TORTURE_CALLS: "8640",
  ...(values.only && { FOURGATE_TORTURE_ONLY: values.only }),
  ...(values.session && { FOURGATE_TORTURE_SESSION: values.session }),
};
const files = values.only || values.session ? ["test/torture/torture.test.ts"] : ["test/torture"];
const vitest = ["node_modules/vitest/vitest.mjs", "run", "--project", "measured", "--reporter", "dot", ...files];
const { status } = spawnSync(process.execPath, vitest, { env, stdio: "inherit" });
process.exitCode = status ?? 1;
