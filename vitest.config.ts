import { defineConfig } from "vitest/config";

/** Tests that hold what they see against a time or a size: they run last and one after the other, with the machine to themselves. */
const MEASURED = [
  "test/core/redact/spellings.test.ts",
  "test/e2e/faults*.test.ts",
  "test/e2e/holding.test.ts",
  "test/e2e/idle.test.ts",
  "test/e2e/large-traffic.test.ts",
  "test/e2e/last-moments.test.ts",
  "test/e2e/memory.test.ts",
  "test/e2e/reasons.test.ts",
  "test/e2e/scan-output.test.ts",
  "test/e2e/verifier-processes.test.ts",
  "test/e2e/verify.test.ts",
  "test/io/stderr.test.ts",
  "test/torture/*.test.ts",
];

/** Tests that leave nothing in their process: their files can share one, which saves half a second each. */
const SHARED = ["core", "docs", "report", "contracts", "run", "verifiers", "clients"].map(
  (name) => `test/${name}/**/*.test.ts`,
);

export default defineConfig({
  test: {
    globalSetup: ["test/global-setup.ts"],
    // End-to-end tests start real processes on few cores: a generous limit tells a hang from a busy machine.
    testTimeout: 180_000,
    hookTimeout: 60_000,
    pool: "forks",
    projects: [
      {
        extends: true,
        test: {
          name: "shared",
          include: SHARED,
          exclude: MEASURED,
          maxWorkers: 2,
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: "all",
          include: ["test/**/*.test.ts"],
          exclude: ["**/node_modules/**", ...SHARED, ...MEASURED],
          // A check has two seconds, and each test starts processes of its own: more at once would run into that on two cores.
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: { name: "measured", include: MEASURED, maxWorkers: 1, sequence: { groupOrder: 2 } },
      },
    ],
  },
});
