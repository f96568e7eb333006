// The completion scripts in the shells that they are for.

import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { SHELLS } from "../../../src/cli/completion/help.ts";
import { offered, pages, scripts, shells } from "./shells.ts";

const commands = pages.filter(({ name }) => !name.includes(" ")).map(({ name }) => name);

test("names and values need no quoting in any shell", () => {
  for (const { name, options, operands } of pages) {
    const words = Object.values(options).flatMap((option) => option.words ?? []);
    for (const word of [...name.split(" "), ...Object.keys(options), ...words, ...[operands].flat()]) {
      expect(word).toMatch(/^[a-z][a-z0-9-]*$/);
    }
  }
});

test("every command and every flag of every table is in each script", () => {
  for (const shell of SHELLS) {
    for (const { name, options } of pages) {
      for (const word of name.split(" ")) expect(scripts[shell]).toContain(word);
      for (const flag of Object.keys(options)) {
        expect(scripts[shell]).toMatch(new RegExp(shell === "fish" ? ` -l ${flag} ` : `--${flag}\\b`));
      }
    }
  }
});

test("bash, in which this suite runs its own scripts, is there", () => {
  expect(shells).toContain("bash");
});

describe.each(shells)("%s offers", (shell) => {
  test.each([
    ["fourgate re", ["review"]],
    ["fourgate help do", ["doctor"]],
    ["fourgate completion f", ["fish"]],
    ["fourgate demo --p", ["--pace"]],
    ["fourgate guard --mode ", ["enforce", "shadow"]],
    ["fourgate guard --log x --mode=e", ["enforce"]],
    ["fourgate guard --contracts c", ["contract.jsonc"]],
    ["fourgate clients ", ["list", "unwrap", "wrap"]],
    ["fourgate clients wrap files --client cu", ["cursor"]],
    ["fourgate scan s", ["scan.jsonc"]],
    ["fourgate scan scan.jsonc --reporter ju", ["junit"]],
    ["fourgate scan scan.jsonc --report-dir ", ["reports"]],
    ["fourgate summary one.jsonl two.jsonl --fail-on ", ["fail", "unknown"]],
    ["fourgate guard --verbose -- cat r", ["reports"]],
    ["fourgate guard --verbose cat r", ["reports"]],
  ])("for `%s`: %j", (line, words) => {
    expect(offered(shell, line)).toEqual(words);
  });

  test("the commands", () => {
    const wanted = [...commands, "help"].sort();
    expect(offered(shell, "fourgate ").filter((word) => !word.startsWith("-"))).toEqual(wanted);
  });

  test("no flag of the guard behind the server's command", () => {
    expect(offered(shell, "fourgate guard --contracts contract.jsonc -- no-such-server --ver")).toEqual([]);
  });

  test.each(pages)("every flag of $name", ({ name, options }) => {
    const flags = Object.keys(options).map((flag) => `--${flag}`);
    expect(offered(shell, `fourgate ${name} --`).filter((word) => word !== "-h")).toEqual(flags.sort());
  });
});

test("shellcheck finds nothing in the bash script", () => {
  const ran = spawnSync("shellcheck", ["-s", "bash", "-"], { input: scripts.bash, encoding: "utf8" });
  expect([ran.status, ran.stdout]).toEqual([0, ""]);
});
