// Who sees which variable: the server everything but the credentials, the verifier what its contract allows.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { contractFor, fixture, guard, node, scratch } from "./harness.ts";

function prints(file: string): string[] {
  return ["sh", "-c", `read -r input; env -0 > ${file}; echo '{"status":"pass"}'`];
}

const environmentIn = (file: string) =>
  Object.fromEntries(
    readFileSync(file, "utf8")
      .split("\0")
      .filter(Boolean)
      .map((entry) => [entry.split("=")[0], entry.slice(entry.indexOf("=") + 1)]),
  );

test("the server sees exactly fourgate's environment less every secret_env name; the verifier sees them", async () => {
  const file = join(scratch(), "env");
  const contract = {
    contract_version: 1,
    tools: {
      ...(contractFor(prints(file), { verifier: { secret_env: ["READBACK_TOKEN"] } }) as { tools: object }).tools,
      other: {
        extract: { x: { source: "arguments", path: "x" } },
        verifier: { command: ["true"], timeout_ms: 100, secret_env: ["OTHER_TOKEN"] },
        allowed_failure_reasons: ["x"],
      },
    },
  };
  const env = {
    READBACK_TOKEN: "r-SENTINEL",
    OTHER_TOKEN: "o-SENTINEL",
    SERVER_TOKEN: "s-1",
    LONG: "x".repeat(5000),
    "odd name": "1",
  };
  const session = guard({
    contract,
    env,
    flags: ["--mode", "enforce"],
    server: [node, fixture("prints-environment.mjs")],
  }).read();
  session.call(1);
  const seen = (await session.message()).result.structuredContent.env;
  const expected: NodeJS.ProcessEnv = { ...process.env, ...env, FOURGATE_TEST_MARK: session.mark };
  delete expected.READBACK_TOKEN;
  delete expected.OTHER_TOKEN;
  expect(seen).toEqual(expected);
  expect(await session.end()).toBe(0);
  const verifier = environmentIn(file);
  expect(verifier).toMatchObject({ READBACK_TOKEN: "r-SENTINEL", OTHER_TOKEN: "o-SENTINEL", SERVER_TOKEN: "s-1" });
  const said = session.stderr + readFileSync(session.logFile, "utf8");
  expect(said).not.toContain("SENTINEL");
  expect(session.stderr).toContain("READBACK_TOKEN (set)");
});

test("a contract with `env` gives its verifier only that, a minimal base and secret_env", async () => {
  const file = join(scratch(), "env");
  const contract = contractFor(prints(file), { verifier: { secret_env: ["READBACK_TOKEN"], env: ["REGION"] } });
  const session = guard({ contract, env: { READBACK_TOKEN: "t", REGION: "eu", SERVER_TOKEN: "s" } }).read();
  session.call(1);
  await session.message();
  expect(await session.end()).toBe(0);
  const seen = environmentIn(file);
  expect(seen).toMatchObject({ READBACK_TOKEN: "t", REGION: "eu", PATH: process.env.PATH });
  expect(seen.SERVER_TOKEN).toBeUndefined();
  expect(seen.FOURGATE_TEST_MARK).toBeUndefined();
});

test("a credential that is not set is pointed out, and the session runs all the same", async () => {
  const contract = contractFor(["false"], { verifier: { secret_env: ["READBACK_TOKEN"] } });
  const session = guard({ contract, env: { READBACK_TOKEN: "" } }).read();
  session.call(1);
  await session.message();
  expect(await session.end()).toBe(0);
  expect(session.stderr).toContain("WARNING: READBACK_TOKEN is not set");
  expect(session.records()).toMatchObject([{ status: "unknown", reason_code: "verifier_error" }]);
});
