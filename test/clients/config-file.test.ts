// A configuration file is replaced whole or not at all, and what was there is kept.

import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type ConfigFile, readConfigFile, replaceConfigFile } from "../../src/clients/config-file.ts";

const NOW = new Date("2026-12-01T03:43:40.123Z");
const BACKUP = "mcp.json.fourgate-backup-20261201T034340Z";
const bytes = (text: string) => new TextEncoder().encode(text);

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fourgate-config-"));
  path = join(folder, "mcp.json");
  writeFileSync(path, "before", { mode: 0o640 });
  chmodSync(path, 0o640);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function opened(name = path): Promise<ConfigFile> {
  const read = await readConfigFile(name);
  if (read.type !== "file") throw new Error(JSON.stringify(read));
  return read.file;
}

test("the file keeps its mode, and its backup is its owner's alone", async () => {
  const result = await replaceConfigFile(await opened(), bytes("after"), NOW);
  expect(result).toEqual({ ok: true, backup: expect.stringMatching(`/${BACKUP}$`) });
  expect(readFileSync(path, "utf8")).toBe("after");
  expect(statSync(path).mode & 0o7777).toBe(0o640);
  expect(readFileSync(join(folder, BACKUP), "utf8")).toBe("before");
  expect(statSync(join(folder, BACKUP)).mode & 0o7777).toBe(0o600);
  expect(readdirSync(folder).sort()).toEqual(["mcp.json", BACKUP]);
});

test("a second backup within a second does not replace the first", async () => {
  await replaceConfigFile(await opened(), bytes("after"), NOW);
  await replaceConfigFile(await opened(), bytes("later"), NOW);
  expect(readFileSync(join(folder, BACKUP), "utf8")).toBe("before");
  expect(readFileSync(join(folder, `${BACKUP}-2`), "utf8")).toBe("after");
});

test("a link stays a link, and the file behind it is what changes", async () => {
  const link = join(folder, "link.json");
  symlinkSync("mcp.json", link);
  await replaceConfigFile(await opened(link), bytes("after"), NOW);
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(readFileSync(path, "utf8")).toBe("after");
});

test("a file that changed since it was read stays as it is, and nothing is left behind", async () => {
  const result = await replaceConfigFile(await opened(), bytes("after"), NOW, async () =>
    writeFileSync(path, "theirs"),
  );
  expect(result).toMatchObject({ ok: false, problem: expect.stringContaining("changed while it was edited") });
  expect(readFileSync(path, "utf8")).toBe("theirs");
  expect(readdirSync(folder)).toEqual(["mcp.json"]);
});

test("a file that is gone stays gone", async () => {
  const result = await replaceConfigFile(await opened(), bytes("after"), NOW, async () => rmSync(path));
  expect(result.ok).toBe(false);
  expect(readdirSync(folder)).toEqual([]);
});

test("a file with a second name is refused", async () => {
  linkSync(path, join(folder, "other"));
  expect(await replaceConfigFile(await opened(), bytes("after"), NOW)).toMatchObject({ ok: false });
  expect(readdirSync(folder).sort()).toEqual(["mcp.json", "other"]);
});

test("what is no file is told apart from what is not there", async () => {
  expect(await readConfigFile(join(folder, "none"))).toEqual({ type: "missing" });
  expect(await readConfigFile(join(path, "below"))).toEqual({ type: "missing" });
  expect(await readConfigFile(folder)).toMatchObject({ type: "problem" });
  symlinkSync("loop", join(folder, "loop"));
  expect(await readConfigFile(join(folder, "loop"))).toEqual({ type: "problem", problem: "ELOOP" });
});
