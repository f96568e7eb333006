// Asks real shells what they offer once a completion script is loaded.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll } from "vitest";
import { bashCompletion } from "../../../src/cli/completion/bash.ts";
import { fishCompletion } from "../../../src/cli/completion/fish.ts";
import { SHELLS, type Shell } from "../../../src/cli/completion/help.ts";
import { zshCompletion } from "../../../src/cli/completion/zsh.ts";
import { loadPages } from "../../../src/cli/pages.ts";
import { scratch } from "../../e2e/harness.ts";

export const pages = await loadPages();
export const scripts: Readonly<Record<Shell, string>> = {
  bash: bashCompletion(pages),
  zsh: zshCompletion(pages),
  fish: fishCompletion(pages),
};

/** Those that are on this machine; .ci/run installs all. */
export const shells = SHELLS.filter((shell) => spawnSync(shell, ["-c", "true"]).status === 0);

/** Where zsh keeps what it learned of its own functions, which takes it seconds. */
const kept = mkdtempSync(join(tmpdir(), "fourgate-test-"));
afterAll(() => rmSync(kept, { recursive: true }));

/** What a shell offers for the last word of a line, sorted; a flag or value that it completes behind a = without what stands before. */
export function offered(shell: Shell, line: string): string[] {
  const place = scratch();
  const folder = join(place, "here");
  mkdirSync(join(folder, "reports"), { recursive: true });
  for (const name of ["contract.jsonc", "scan.jsonc"]) writeFileSync(join(folder, name), "");
  const script = join(place, "script");
  writeFileSync(script, scripts[shell]);
  const asking = resolve(`test/fixtures/shells/complete.${shell}`);
  // bash makes words of its own of the = signs.
  const typed = shell === "bash" ? line.replaceAll("=", " = ").split(" ") : [line];
  const before = { bash: ["--norc", "--noprofile"], zsh: ["-f"], fish: ["--no-config"] }[shell];
  const env = { PATH: process.env.PATH, HOME: place, TERM: "dumb", DUMP: join(kept, "zcompdump") };
  const ran = spawnSync(shell, [...before, asking, script, ...typed], {
    cwd: folder,
    env,
    encoding: "utf8",
    timeout: 30_000,
    killSignal: "SIGKILL",
  });
  if (ran.status !== 0 || ran.stderr !== "") throw new Error(`${shell} ended with ${ran.status}: ${ran.stderr}`);
  const words = ran.stdout.split("\n").filter((word) => word !== "");
  return [...new Set(words.map((word) => word.replace(/=$|\/$/, "").replace(/^--[a-z-]+=/, "")))].sort();
}
