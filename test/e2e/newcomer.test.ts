// The README's first steps, run as they stand there, by somebody whose home is empty.

import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, test } from "vitest";
import { node, scratch } from "./harness.ts";

interface Block {
  readonly does: "run" | "shown";
  readonly text: string;
}

/** The blocks that are marked for this test, in order; a reader does not see the marks. */
const blocks = [
  ...readFileSync("README.md", "utf8").matchAll(/^<!-- newcomer: (run|shown) -->\n```\w*\n(.*?)^```$/gms),
].map(([, does, text]) => ({ does, text }) as Block);

/** What is in the folder after `npm ci`; it is not run again, and nothing comes from a network. */
const AFTER_INSTALLATION = ["dist", "contracts", "node_modules", "package.json"];

test("from an installed fourgate to a protected published server, its record and a summary", () => {
  const place = scratch();
  const [home, folder] = [join(place, "home"), join(place, "fourgate")];
  for (const directory of [home, folder]) mkdirSync(directory);
  for (const name of AFTER_INSTALLATION) symlinkSync(resolve(name), join(folder, name));
  const env = { HOME: home, PATH: `${dirname(node)}:${process.env.PATH}`, npm_config_offline: "true" };
  let output = "";
  for (const { does, text } of blocks) {
    if (does === "shown") {
      expect(output).toContain(text);
      continue;
    }
    const ran = spawnSync("sh", ["-e"], { input: text, cwd: folder, env, encoding: "utf8" });
    output = ran.stdout;
    expect([ran.status, ran.stderr]).toEqual([0, expect.not.stringContaining("error")]);
  }
  expect(blocks.map(({ does }) => does)).toEqual(["run", "run", "shown"]);
  const records = readFileSync(join(home, "outcomes.jsonl"), "utf8").trimEnd().split("\n");
  expect(records.map((record) => JSON.parse(record))).toMatchObject([
    { status: "pass", reason_code: "postcondition_satisfied", tool: "write_file", server: "files" },
  ]);
  expect(readFileSync(join(home, "notes/hello.txt"), "utf8")).toBe("Hello");
});

test("what the steps start from is what the README says to do first", () => {
  const readme = readFileSync("README.md", "utf8");
  const section = readme.slice(readme.indexOf("## In five minutes"));
  expect(section.indexOf("npm ci")).toBeGreaterThan(0);
  expect(section.indexOf("npm ci")).toBeLessThan(section.indexOf("<!-- newcomer: run -->"));
  // `npm ci` builds the program, and brings the server that npx finds.
  const manifest = JSON.parse(readFileSync("package.json", "utf8"));
  expect(manifest.scripts.prepare).toContain("build.mjs");
  expect(Object.keys(manifest.devDependencies)).toContain("@modelcontextprotocol/server-filesystem");
});
