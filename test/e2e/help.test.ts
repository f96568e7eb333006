// What the built program says of itself: help in its spellings, the version, names that are nearly right, completion.

import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { COMMANDS } from "../../src/cli/commands.ts";
import { SHELLS } from "../../src/cli/completion/help.ts";
import { loadPages } from "../../src/cli/pages.ts";
import { shells } from "../cli/completion/shells.ts";
import { MAIN, node, scratch } from "./harness.ts";

const pages = await loadPages();

function fourgate(...argv: string[]) {
  const { status, stdout, stderr } = spawnSync(node, [MAIN, ...argv], { encoding: "utf8", cwd: scratch(), input: "" });
  return { status, stdout, stderr };
}

test.each(pages)("fourgate $name: --help, -h and help say the same, with an example", ({ name, help }) => {
  const words = name.split(" ");
  const said = { status: 0, stdout: help, stderr: "" };
  expect(fourgate(...words, "--help")).toEqual(said);
  expect(fourgate(...words, "-h")).toEqual(said);
  expect(fourgate("help", ...words)).toEqual(said);
  expect(help.startsWith(`fourgate ${name}: `)).toBe(true);
  expect(help).toMatch(/^Usage: fourgate /m);
  expect(help).toMatch(new RegExp(`Examples?:\\s+(?:zcat .*\\n *)?fourgate ${words[0]}`));
});

test("the general help: every command, and examples of commands that are there", () => {
  const help = fourgate("--help");
  expect(help).toMatchObject({ status: 0, stderr: "" });
  for (const spelling of [["-h"], ["help"], ["help", "--help"]]) expect(fourgate(...spelling)).toEqual(help);
  for (const [name, summary] of Object.entries(COMMANDS))
    expect(help.stdout).toMatch(new RegExp(`^  ${name} +${summary.slice(0, 20)}`, "m"));
  const examples = [...help.stdout.matchAll(/^ {2}fourgate (\w+)/gm)].map((match) => match[1]);
  expect(examples.length).toBeGreaterThan(1);
  expect(Object.keys(COMMANDS)).toEqual(expect.arrayContaining(examples));
});

test("the version is that of the package", () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));
  for (const flag of ["--version", "-V"]) {
    expect(fourgate(flag)).toEqual({ status: 0, stdout: `${version}\n`, stderr: "" });
  }
});

describe("a command that is not there", () => {
  test.each([
    ["gaurd", "guard"],
    ["summry", "summary"],
    ["client", "clients"],
    ["--versoin", "--version"],
  ])("%s: %s is named", (typed, meant) => {
    for (const argv of [[typed], ["help", typed]].slice(0, typed.startsWith("-") ? 1 : 2)) {
      const { status, stdout, stderr } = fourgate(...argv);
      expect([status, stdout]).toEqual([2, ""]);
      expect(stderr).toMatch(
        new RegExp(`^fourgate: error: no such command; did you mean ${meant}\\? the commands are guard, `),
      );
    }
  });

  test("far from all: the commands alone", () => {
    expect(fourgate("frobnicate").stderr).toMatch(/^fourgate: error: no such command; the commands are guard, /);
  });
});

describe("completion", () => {
  test.each(SHELLS)("for %s: its script on stdout, which the shell can read if it is there", (shell) => {
    const { status, stdout, stderr } = fourgate("completion", shell);
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("approval-key");
    const script = join(scratch(), "script");
    writeFileSync(script, stdout);
    if (!shells.includes(shell)) return;
    expect(spawnSync(shell, ["-n", script], { encoding: "utf8" })).toMatchObject({ status: 0, stderr: "" });
  });

  test.each([[[]], [["tcsh"]], [["bash", "zsh"]], [["--all"]]])("%j: exit status 2 and one sentence", (argv) => {
    const { status, stdout, stderr } = fourgate("completion", ...argv);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^fourgate completion: error: .+\n$/);
  });
});

test("what every start reads stays small: no help, no completion, no table", () => {
  expect(statSync(MAIN).size).toBeLessThan(2600);
  const guard = readFileSync(join("dist", "guard.cjs"), "utf8");
  for (const text of ["#compdef", "complete -c fourgate", "compgen"]) {
    for (const program of [readFileSync(MAIN, "utf8"), guard]) expect(program).not.toContain(text);
    expect(readdirSync("dist").filter((file) => readFileSync(join("dist", file), "utf8").includes(text))).toHaveLength(
      1,
    );
  }
});
