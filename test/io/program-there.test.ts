// Programs are looked up as the system would look them up when it starts them.

import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { programThere } from "../../src/io/program-there.ts";

const folder = mkdtempSync(join(tmpdir(), "fourgate-programs-"));
afterAll(() => rmSync(folder, { recursive: true }));
mkdirSync(join(folder, "bin"));
mkdirSync(join(folder, "bin", "folder"));
for (const [name, mode] of [
  ["runs", 0o755],
  ["text", 0o644],
] as const) {
  writeFileSync(join(folder, "bin", name), "#!/bin/sh\n");
  chmodSync(join(folder, "bin", name), mode);
}
const bin = join(folder, "bin");

describe.skipIf(process.platform === "win32")("a program", () => {
  test.each<[string, string, string | undefined, Record<string, string>, boolean]>([
    ["by its full path", join(bin, "runs"), undefined, {}, true],
    ["by a full path where nothing is", join(bin, "none"), undefined, {}, false],
    ["that may not be run", join(bin, "text"), undefined, {}, false],
    ["that is a folder", bin, undefined, {}, false],
    ["by a path from its working directory", "bin/runs", folder, {}, true],
    ["by a path from another directory", "bin/runs", tmpdir(), { PATH: folder }, false],
    ["by its name on PATH", "runs", undefined, { PATH: `/none:${bin}` }, true],
    ["by its name in a folder of PATH that is relative", "runs", folder, { PATH: "/none:bin" }, true],
    ["by its name elsewhere", "runs", bin, { PATH: "/none" }, false],
    ["by the name of a folder on PATH", "folder", undefined, { PATH: bin }, false],
    ["by a name that only the system's own list can find", "runs", undefined, {}, true],
  ])("%s", (_, program, cwd, env, there) => {
    expect(programThere(program, cwd, env)).toBe(there);
  });
});
