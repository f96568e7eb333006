// What counts as wrapped, and where the server's command begins.

import { expect, test } from "vitest";
import { guardOptions } from "../../../src/cli/guard.ts";
import { wrappedCommandAt } from "../../../src/core/config/wrapped.ts";

const MAIN = "/opt/fourgate/dist/main.cjs";

test.each([
  ["node and the main file", "node", [MAIN, "guard", "--contracts", "c.json", "--", "npx", "-y"], "npx"],
  ["the main file of earlier versions", "node", ["/f/dist/main.mjs", "guard", "--contracts", "c", "--", "npx"], "npx"],
  ["options of node before it", "node", ["--no-warnings", MAIN, "guard", "--contracts", "c", "--", "npx"], "npx"],
  ["without --", "node", [MAIN, "guard", "--contracts", "c.json", "--mode", "enforce", "npx", "-y"], "npx"],
  ["a value behind =", "fourgate", ["guard", "--contracts=c.json", "--verbose", "uvx"], "uvx"],
  ["by its name on Windows", "C:\\npm\\fourgate.cmd", ["guard", "--contracts", "c", "--", "npx"], "npx"],
  ["through npx", "npx", ["-y", "fourgate@0.3.0", "guard", "--contracts", "c", "--", "server"], "server"],
  [
    "a server whose arguments look like guard's",
    "node",
    [MAIN, "guard", "--contracts", "c", "--", "guard", "--", "x"],
    "guard",
  ],
])("%s", (_, command, args, server) => {
  expect(args[wrappedCommandAt(command, args) ?? -1]).toBe(server);
});

test.each([
  ["another program with that word", "npx", ["-y", "some-server", "guard", "--contracts", "c", "--", "x"]],
  ["another command of fourgate", "node", [MAIN, "verify", "readback.json"]],
  ["guard without a contract", "fourgate", ["guard", "--", "npx"]],
  ["no arguments", "fourgate", []],
])("not wrapped: %s", (_, command, args) => {
  expect(wrappedCommandAt(command, args)).toBeUndefined();
});

test("every flag of guard is known to take a value or none, as guard itself reads it", () => {
  for (const [flag, spec] of Object.entries(guardOptions)) {
    const own = spec.value === undefined ? [`--${flag}`] : [`--${flag}`, "value"];
    const args = ["guard", "--contracts", "c", ...own, "server"];
    expect([flag, wrappedCommandAt("fourgate", args)]).toEqual([flag, args.length - 1]);
  }
});
