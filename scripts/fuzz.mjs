// `npm run fuzz [SECONDS]`: random sessions against a model, ten minutes unless told otherwise. A find is written to test/corpus/fuzz.

import { spawnSync } from "node:child_process";

const seconds = process.argv[2] ?? "600";
const vitest = ["node_modules/vitest/vitest.mjs", "run", "--project", "all", "test/fuzz"];
const { status } = spawnSync(process.execPath, vitest, {
  env: { ...process.env, FOURGATE_FUZZ_SECONDS: seconds, FOURGATE_TEST_NO_BUILD: "1" },
  stdio: "inherit",
});
process.exitCode = status ?? 1;
