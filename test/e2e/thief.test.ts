// What a hostile server of the same user finds of the credential that reads, on Linux, and what each measure keeps from it.

import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { api, json } from "../readback/api.ts";
import { contractFor, fixture, guard, node, PASSES, scratch } from "./harness.ts";

const SECRET = "s-SENTINEL-of-the-reader";

type Way = "readback" | "verifier";

/** Has a server look around after one checked call, and gives the attempts that found the secret. */
async function stolen(
  way: Way,
  env: NodeJS.ProcessEnv,
  more: object,
  flags: readonly string[] = [],
): Promise<string[]> {
  const system = await api(json({ id: 1 }));
  const directory = scratch();
  const id = { source: "result", path: "result.structuredContent.id" };
  const readback = {
    type: "http",
    url_template: `${system.origin}/{id}`,
    token_env: "READ_KEY",
    expected_fields: { id: "id" },
  };
  const tools =
    way === "verifier"
      ? contractFor(["/bin/sh", "-c", `[ -n "$READ_KEY" ] && echo '{"status":"pass"}'`], {
          verifier: { secret_env: ["READ_KEY"] },
        })
      : {
          contract_version: 1,
          tools: {
            create: { extract: { id }, record_id_field: "id", readback, allowed_failure_reasons: ["field_mismatch"] },
          },
        };
  const contract = join(directory, "contract.json");
  writeFileSync(contract, JSON.stringify({ ...tools, ...more }));
  const found = join(directory, "found.json");
  mkdirSync(join(directory, "work"));
  const session = guard({
    contract,
    env,
    cwd: join(directory, "work"),
    flags: ["--mode", "enforce", ...flags],
    server: [node, fixture("thief.mjs"), btoa(SECRET), found, contract, join(directory, "outcomes.jsonl")],
  });
  session.call(1);
  await session.message();
  session.call(2, "steal");
  await session.message();
  expect(await session.end()).toBe(0);
  expect(session.records().map(({ status }) => status)).toEqual(["pass"]);
  expect(session.stderr).not.toContain(SECRET);
  const seen: Record<string, boolean> = JSON.parse(readFileSync(found, "utf8"));
  return Object.keys(seen).filter((attempt) => seen[attempt]);
}

const linux = test.runIf(process.platform === "linux");

const ENVIRON = "/proc/PARENT/environ";
/** Nothing where the system lets a process read the memory of its children only (kernel.yama.ptrace_scope). */
const opens = "require('fs').openSync('/proc/' + process.ppid + '/mem')";
const MEMORY = spawnSync(node, ["-e", opens]).status === 0 ? ["memory of the session's processes"] : [];
const FILES = "files that the contract names";
const PROGRAMS = "programs that the contract names";

/** A file with the secret that its owner alone may read. */
function secretFile(): string {
  const file = join(scratch(), "key");
  writeFileSync(file, `${SECRET}\n`, { mode: 0o600 });
  return file;
}

/** Whether bubblewrap may make namespaces here. */
const sandboxes = spawnSync("bwrap", ["--unshare-pid", "--dev-bind", "/", "/", "--proc", "/proc", "true"]).status === 0;
const inSandbox = ["--sandbox"];

// docs/security.md shows this table.
describe.each<Way>(["readback", "verifier"])("a credential of a %s", (way) => {
  linux("in the environment", async () => {
    expect(await stolen(way, { READ_KEY: SECRET }, {})).toEqual([ENVIRON, ...MEMORY]);
  });

  linux("in a file, or printed by a program: no process was started with it", async () => {
    expect(await stolen(way, {}, { secret_files: { READ_KEY: secretFile() } })).toEqual([...MEMORY, FILES]);
    const printed = { secret_command: { READ_KEY: ["cat", secretFile()] } };
    expect(await stolen(way, {}, printed)).toEqual([...MEMORY, PROGRAMS]);
  });

  test.runIf(sandboxes)("with --sandbox: nothing but what a program prints to the server too", async () => {
    expect(await stolen(way, { READ_KEY: SECRET }, {}, inSandbox)).toEqual([]);
    expect(await stolen(way, {}, { secret_files: { READ_KEY: secretFile() } }, inSandbox)).toEqual([]);
    const printed = { secret_command: { READ_KEY: ["cat", secretFile()] } };
    expect(await stolen(way, {}, printed, inSandbox)).toEqual([PROGRAMS]);
  });
});

describe.runIf(sandboxes)("a server in a sandbox", () => {
  const contract = contractFor(PASSES);

  test("keeps its exit status, and its signal's", async () => {
    for (const [script, code] of [
      ["exit 7", 7],
      ["kill -TERM $$", 143],
    ] as const) {
      const session = guard({ contract, flags: inSandbox, server: ["sh", "-c", script] });
      expect(await session.end()).toBe(code);
    }
  });

  test("ends with the guard, however that ends, with all that it started", async () => {
    const server = ["sh", "-c", "sleep 1000 & setsid sleep 1000 & echo '{}'; wait"];
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      const session = guard({ contract, flags: inSandbox, server });
      await session.next();
      session.child.kill(signal);
      await session.exited;
      await vi.waitFor(() => expect(session.left()).toEqual([]), { timeout: 10_000 });
    }
  });

  test("that is not there is said as ever", async () => {
    const session = guard({ contract, flags: inSandbox, server: ["no-such-server"] });
    expect(await session.end()).toBe(1);
    expect(session.stderr).toContain("no-such-server is not found");
  });
});

linux("a sandbox that cannot be had keeps the guard from starting", async () => {
  const session = guard({
    contract: contractFor(PASSES),
    flags: inSandbox,
    server: ["touch", "started"],
    cwd: scratch(),
    env: { PATH: "/nowhere" },
  });
  expect(await session.end()).toBe(2);
  expect(session.stderr).toContain("--sandbox needs bubblewrap");
});
