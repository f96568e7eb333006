// man/fourgate.1 is what the tables make of it, and roff sets it without a complaint.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { manualPage } from "../../../src/cli/manual/page.ts";
import { helpParts } from "../../../src/cli/manual/parts.ts";
import { loadPages } from "../../../src/cli/pages.ts";

const pages = await loadPages();
const manifest = JSON.parse(readFileSync("package.json", "utf8"));
const source = readFileSync("man/fourgate.1", "utf8");

/** The page as plain text, in one line wherever it was broken. */
function set(): { readonly text: string; readonly complaints: string } {
  const ran = spawnSync("groff", ["-man", "-Tascii", "-ww", "-P-c", "-P-b", "-P-u", "-P-o", "man/fourgate.1"], {
    encoding: "utf8",
  });
  expect(ran.status).toBe(0);
  return { text: ran.stdout.replace(/\s+/g, " "), complaints: ran.stderr };
}

test("man/fourgate.1 is current (else run node scripts/generate.mjs), and comes with the package", () => {
  expect(source).toBe(manualPage(pages, manifest.version));
  expect(source).toMatch(/^[\n -~]*$/);
  expect(manifest.man).toBe("man/fourgate.1");
  expect(manifest.files).toContain("man");
});

test("groff warns of nothing, and sets every command, flag and example letter for letter", () => {
  const { text, complaints } = set();
  expect(complaints).toBe("");
  const plain = (words: string) => words.replace(/\s+/g, " ").trim();
  for (const { name, help, options } of pages) {
    const { usage, notes, exit, examples } = helpParts(help);
    for (const line of [`fourgate ${name}`, ...usage, ...notes, exit, ...examples]) expect(text).toContain(plain(line));
    for (const [flag, spec] of Object.entries(options)) {
      expect(text).toContain(plain(`--${flag} ${spec.value ?? ""} ${spec.help}`));
    }
  }
});

test("nothing of a help is lost when it is taken apart", () => {
  for (const { name, help, options } of pages) {
    const { usage, notes, exit, examples } = helpParts(help);
    expect(usage[0]).toMatch(new RegExp(`^fourgate ${name}\\b`));
    expect(examples.join("\n")).toContain("fourgate ");
    // What clients says is the list of its actions, and each of them has a help of its own.
    if (name === "clients") continue;
    expect(exit).not.toBe("");
    const kept = [...usage, ...notes, exit, ...examples, ...Object.values(options).map((option) => option.help)].join(
      " ",
    );
    const words = help.slice(help.indexOf("\n")).match(/[A-Za-z]{5,}/g) ?? [];
    const lost = words.filter((word) => !kept.includes(word) && !JSON.stringify(options).includes(word));
    expect(lost.filter((word) => !/^(Usage|Examples?|status)$/.test(word))).toEqual([]);
  }
});
