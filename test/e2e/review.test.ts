// `fourgate review` through the built program: the ready contracts' pages as they were read by people, and approvals that guard asks for.

import { spawnSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { MAIN, node, scratch } from "./harness.ts";

function run(args: readonly string[], cwd: string, input = "") {
  const ran = spawnSync(node, [MAIN, ...args], { cwd, encoding: "utf8", input });
  return { code: ran.status, out: ran.stdout, err: ran.stderr };
}

const ready = readdirSync("contracts").filter((name) => existsSync(join("contracts", name, "contract.jsonc")));

test("there are ready contracts", () => {
  expect(ready.length).toBeGreaterThan(10);
});

test.each(ready)("the pages of contracts/%s", async (name) => {
  const { code, out, err } = run(["review", `contracts/${name}/contract.jsonc`], resolve("."));
  expect([code, err]).toEqual([0, ""]);
  expect(out).toMatch(/^[\n\x20-\x7e]*$/);
  expect(Math.max(...out.split("\n").map((line) => line.length))).toBeLessThan(160);
  await expect(out).toMatchFileSnapshot(`../corpus/review/${name}.txt`);
});

/** A copy of the filesystem contract, its scripts with it. */
function copied() {
  const cwd = scratch();
  cpSync("contracts/filesystem", cwd, { recursive: true });
  return cwd;
}

const approveAs = (cwd: string, ...flags: string[]) =>
  run(["review", "contract.jsonc", "--approve", "--by", "Ada L.", ...flags], cwd);
const guard = (cwd: string, ...flags: string[]) =>
  run(["guard", "--contracts", "contract.jsonc", "--log", "log", ...flags, "--", "cat"], cwd);

test("--diff tells what is decided otherwise, and not what is only written otherwise", () => {
  const cwd = copied();
  const text = readFileSync(join(cwd, "contract.jsonc"), "utf8");
  writeFileSync(
    join(cwd, "old.jsonc"),
    `// another comment\n${text.replaceAll('"timeout_ms": 2000', '"timeout_ms":   2000')}`,
  );
  expect(run(["review", "contract.jsonc", "--diff", "old.jsonc"], cwd).out).toContain("Both mean the same");
  writeFileSync(join(cwd, "old.jsonc"), text.replace('"timeout_ms": 2000', '"timeout_ms": 1500'));
  const { code, out } = run(["review", "contract.jsonc", "--diff", "old.jsonc"], cwd);
  expect(code).toBe(0);
  expect(out).toMatch(
    /^write_file: changed\n {2}What it may cost\n {4}- In enforce mode the answer waits for the check, at most 1500 ms/,
  );
  expect(out).toContain("    + In enforce mode the answer waits for the check, at most 2000 ms");
});

describe("approval", () => {
  test("covers the contract and the scripts that decide with it; each change of them ends it", () => {
    const cwd = copied();
    const before = guard(cwd, "--require-approval");
    expect(before.code).toBe(2);
    expect(before.err).toContain("contract.jsonc is not approved: nobody has approved it");
    expect(existsSync(join(cwd, "log"))).toBe(false);

    const { code, err } = approveAs(cwd);
    expect([code, err]).toEqual([
      0,
      "fourgate review: contract.jsonc.approval.json: approved by Ada L.: what the contract means and check-edit.mjs, checks.mjs, diff.mjs, locate.mjs, verify.mjs\n",
    ]);
    expect(statSync(join(cwd, "contract.jsonc.approval.json")).mode & 0o777).toBe(0o600);
    expect(guard(cwd, "--require-approval").code).toBe(0);
    expect(run(["review", "contract.jsonc"], cwd).out).toContain("Approved by Ada L., as it is.");

    // A comment is no change of what is meant.
    appendFileSync(join(cwd, "contract.jsonc"), "// seen\n");
    expect(guard(cwd, "--require-approval").code).toBe(0);

    appendFileSync(join(cwd, "check-edit.mjs"), "\n");
    const changed = guard(cwd, "--require-approval");
    expect([changed.code, changed.err]).toEqual([2, expect.stringContaining("check-edit.mjs has changed")]);
    approveAs(cwd);
    const text = readFileSync(join(cwd, "contract.jsonc"), "utf8");
    writeFileSync(join(cwd, "contract.jsonc"), text.replace('"timeout_ms": 2000', '"timeout_ms": 1999'));
    expect(guard(cwd, "--require-approval").err).toContain("the contract means something else now");
  });

  test("enforce says that it is missing and starts; shadow says nothing; the contract itself may ask for it", () => {
    const cwd = copied();
    const enforce = guard(cwd, "--mode", "enforce");
    expect([enforce.code, enforce.err]).toEqual([
      0,
      expect.stringContaining("fourgate guard: NOTE: the contract contract.jsonc is not approved"),
    ]);
    expect(guard(cwd).err).not.toContain("approved");
    const text = readFileSync(join(cwd, "contract.jsonc"), "utf8");
    writeFileSync(
      join(cwd, "contract.jsonc"),
      text.replace('"contract_version": 1,', '"contract_version": 1, "approval": "required",'),
    );
    expect(guard(cwd).code).toBe(2);
    approveAs(cwd);
    expect(guard(cwd).code).toBe(0);
    expect(guard(cwd, "--mode", "enforce").err).not.toContain("approved");
  });

  test("with a key only a signature by it counts", () => {
    const cwd = copied();
    const keys = (name: string) => {
      const { privateKey, publicKey } = generateKeyPairSync("ed25519");
      writeFileSync(join(cwd, `${name}.pem`), privateKey.export({ type: "pkcs8", format: "pem" }));
      writeFileSync(join(cwd, `${name}.pub`), publicKey.export({ type: "spki", format: "pem" }));
    };
    keys("ada");
    keys("eve");
    approveAs(cwd);
    expect(guard(cwd, "--approval-key", "ada.pub").err).toContain("its approval is not signed");
    expect(approveAs(cwd, "--sign", "ada.pem").code).toBe(0);
    expect(guard(cwd, "--approval-key", "ada.pub").code).toBe(0);
    expect(guard(cwd, "--approval-key", "eve.pub").err).toContain("not by this key");
    const file = join(cwd, "contract.jsonc.approval.json");
    writeFileSync(file, readFileSync(file, "utf8").replace("Ada L.", "Eve"));
    expect(guard(cwd, "--approval-key", "ada.pub").err).toContain("not by this key");
    for (const flags of [
      ["--approval-key", "missing"],
      ["--approval-key", "contract.jsonc"],
      ["--approval-key", "ada.pem.x"],
    ]) {
      expect(guard(cwd, ...flags).code).toBe(2);
    }
  });

  test.each<[string, string, Record<string, string>, string]>([
    ["a CommonJS module without its end", "v.cjs", { "v.cjs": 'require("./e");', "e.js": "" }, "e.js"],
    ["a folder's index", "v.cjs", { "v.cjs": 'require("./lib");', "lib/index.js": "" }, "lib/index.js"],
    ["a path put together", "v.mjs", { "v.mjs": 'import("./" + "t.mjs");', "t.mjs": "" }, "t.mjs"],
    ["a query", "v.mjs", { "v.mjs": 'import "./h.mjs?x=1";', "h.mjs": "" }, "h.mjs"],
    ["another folder", "sub/v.mjs", { "sub/v.mjs": 'import "../other/h.mjs";', "other/h.mjs": "" }, "other/h.mjs"],
    ["a Python module", "v.py", { "v.py": "import helper", "helper.py": "" }, "helper.py"],
    ["a file in a flag", "--import=./sub/pre.mjs", { "sub/pre.mjs": "" }, "sub/pre.mjs"],
    ["a script without its end", "sub/b3", { "sub/b3.js": "" }, "sub/b3.js"],
  ])("ends when %s changes, and when one comes to stand before it", (_, word, files, changed) => {
    const cwd = scratch();
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(cwd, name)), { recursive: true });
      writeFileSync(join(cwd, name), text);
    }
    const verifier = { command: ["{node}", word], cwd: ".", timeout_ms: 900, env: [] };
    const extract = { id: { source: "arguments", path: "id" } };
    const tool = { extract, verifier, allowed_failure_reasons: ["record_missing"] };
    writeFileSync(join(cwd, "contract.jsonc"), JSON.stringify({ contract_version: 1, tools: { t: tool } }));
    expect(approveAs(cwd).code).toBe(0);
    expect(guard(cwd, "--require-approval").code).toBe(0);
    appendFileSync(join(cwd, changed), "\n");
    expect(guard(cwd, "--require-approval").err).toContain(`${changed} has changed`);
    approveAs(cwd);
    writeFileSync(join(cwd, dirname(changed), "new.mjs"), "");
    expect(guard(cwd, "--require-approval").err).toContain("new.mjs decides too, and was not approved");
  });

  test("looks at where a link leads", () => {
    const cwd = copied();
    mkdirSync(join(cwd, "real"));
    renameSync(join(cwd, "verify.mjs"), join(cwd, "real/verify.mjs"));
    writeFileSync(join(cwd, "real/checks.mjs"), "");
    symlinkSync("real/verify.mjs", join(cwd, "verify.mjs"));
    expect(approveAs(cwd).err).toMatch(/real\/checks\.mjs, real\/verify\.mjs/);
    appendFileSync(join(cwd, "real/checks.mjs"), "\n");
    expect(guard(cwd, "--require-approval").err).toContain("real/checks.mjs has changed");
  });

  test("a pipe in its place is refused and not waited for; so are a private key and words that nobody signed", () => {
    const cwd = copied();
    const file = join(cwd, "contract.jsonc.approval.json");
    spawnSync("mkfifo", [file]);
    expect(guard(cwd, "--require-approval").err).toContain("its approval file is not one");
    rmSync(file);
    const { privateKey } = generateKeyPairSync("ed25519");
    writeFileSync(join(cwd, "ada.pem"), privateKey.export({ type: "pkcs8", format: "pem" }));
    approveAs(cwd, "--sign", "ada.pem");
    expect(guard(cwd, "--approval-key", "ada.pem").err).toContain("holds a private key");
    const text = readFileSync(file, "utf8");
    for (const odd of ['"by": "Eve",\n  "by": "Ada L."', '"by": "Ada L.",\n  "note": "x"']) {
      writeFileSync(file, text.replace('"by": "Ada L."', odd));
      expect(guard(cwd, "--require-approval").err).toContain("its approval file is not one");
    }
  });

  test("an approval file that is none holds for nothing", () => {
    const cwd = copied();
    writeFileSync(join(cwd, "contract.jsonc.approval.json"), "{");
    expect(guard(cwd, "--require-approval").err).toContain("its approval file is not one");
  });
});

test.each([
  [[]],
  [["contracts/filesystem/contract.jsonc", "another"]],
  [["contracts/filesystem/contract.jsonc", "--approve"]],
  [["contracts/filesystem/contract.jsonc", "--approve", "--by", " "]],
  [["contracts/filesystem/contract.jsonc", "--by", "Ada"]],
  [["contracts/filesystem/contract.jsonc", "--approve", "--by", "A", "--sign", "package.json"]],
  [["package.json"]],
  [["contracts/filesystem/contract.jsonc", "--diff", "package.json"]],
])("refused: %j", (args) => {
  const { code, out, err } = run(["review", ...args], resolve("."));
  expect([code, out]).toEqual([2, ""]);
  expect(err).toMatch(/^fourgate review: (?:contract )?error: /);
  expect(existsSync("contracts/filesystem/contract.jsonc.approval.json")).toBe(false);
});

test("--json", () => {
  const { out } = run(["review", "contracts/filesystem/contract.jsonc", "--json"], resolve("."));
  const document = JSON.parse(out);
  expect(document).toMatchObject({ review_version: 1, approval: { type: "none" } });
  expect(document.tools.map(({ tool }: { tool: string }) => tool)).toEqual([
    "create_directory",
    "edit_file",
    "move_file",
    "write_file",
  ]);
});
