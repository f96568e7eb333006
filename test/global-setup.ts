// Builds the program once before any test, so that end-to-end tests run the same bundle that users get.

import { execFileSync } from "node:child_process";

export default function setup(): void {
  if (process.env.FOURGATE_TEST_NO_BUILD === "1") return;
  execFileSync(process.execPath, ["scripts/build.mjs"], { stdio: "inherit" });
}
