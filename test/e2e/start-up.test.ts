// Start-up is closed: whatever is wrong is said once, precisely, with exit status 2, and the server is never started.

import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { contractFor, fixture, MAIN, node, PASSES, scratch } from "./harness.ts";

/** A run that is still going after this never ends; without it a test would hang the suite. */
const HUNG_MS = 20_000;

interface Started {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The marker that the server leaves when it is started. */
  readonly serverStarted: boolean;
}

/** Runs guard with these arguments before the server command; `command` replaces the server that leaves a marker. */
function start(flags: readonly string[], command?: readonly string[]): Started {
  const marker = join(scratch(), "started");
  const server = command ?? ["--", "touch", marker];
  const run = spawnSync(node, [MAIN, "guard", ...flags, ...server], { encoding: "utf8", input: "", timeout: HUNG_MS });
  return { code: run.status, stdout: run.stdout, stderr: run.stderr, serverStarted: existsSync(marker) };
}

function goodContract(): string {
  const file = join(scratch(), "contract.json");
  writeFileSync(file, JSON.stringify(contractFor(PASSES)));
  return file;
}

function refused(started: Started, words: string | RegExp): void {
  expect(started).toMatchObject({ code: 2, stdout: "", serverStarted: false });
  expect(started.stderr).toMatch(words);
  expect(started.stderr).not.toMatch(/\bat .*\.[cm]?js:\d/);
}

describe("usage", () => {
  const good = goodContract();
  const ok = ["--contracts", good];
  test.each([
    ["no contract file named", [], /--contracts FILE is missing/],
    ["a mode that is none", [...ok, "--mode", "ENFORCE"], /--mode is either shadow or enforce/],
    ["an empty label", [...ok, "--server", ""], /--server takes 1 to 64/],
    ["a label with a space", [...ok, "--server", "a b"], /--server takes/],
    ["a label of 65 characters", [...ok, "--server", "a".repeat(65)], /--server takes/],
    ["an unknown flag", [...ok, "--baseline=x"], /unknown flag --baseline/],
    ["an abbreviated flag", ["--contract", good], /unknown flag --contract; did you mean --contracts\?/],
    ["a flag of one dash", ["-contracts", good], /unknown flag/],
    ["a flag twice", [...ok, "--mode", "shadow", "--mode", "enforce"], /given twice/],
    ["a flag without its value", ["--contracts", "--mode", "shadow"], /--contracts needs a value/],
    ["a value for a flag that takes none", [...ok, "--verbose=yes"], /--verbose takes no value/],
    ["an inspection cap that is no number", [...ok, "--max-inspect", "lots"], /--max-inspect takes/],
    ["an inspection cap too small", [...ok, "--max-inspect", "10"], /--max-inspect takes/],
    ["a surface that is none", [...ok, "--surface", "both"], /--surface is auto, prepend or error/],
    ["shadow-hold in enforce", [...ok, "--mode", "enforce", "--shadow-hold"], /goes with --mode shadow/],
  ] as const)("%s", (_what, flags, words) => {
    const started = start(flags);
    refused(started, words);
    expect(started.stderr).toMatch(/^fourgate guard: error: /);
    expect(started.stderr.trimEnd().split("\n")).toHaveLength(1);
  });

  test("no server command, with and without --", () => {
    refused(start(ok, []), /no server command/);
    refused(start(ok, ["--"]), /no server command/);
  });
});

describe("contracts", () => {
  const corpus = resolve("test/corpus/contracts/bad");
  const files = readdirSync(corpus).filter((file) => !file.endsWith(".expected"));

  test("there are enough bad ones", () => expect(files.length).toBeGreaterThanOrEqual(40));

  test.each(files)("%s: exactly the expected lines, and no server", (file) => {
    const expected = readFileSync(join(corpus, `${file.replace(/\.[^.]+$/, "")}.expected`), "utf8");
    const run = start(["--contracts", join(corpus, file)]);
    refused(run, /^fourgate guard: contract error: /);
    const lines = run.stderr.trimEnd().replaceAll("fourgate guard: contract error: ", "").replaceAll(`${corpus}/`, "");
    expect(`${lines}\n`).toBe(expected);
    expect(run.stderr).not.toContain("SENTINEL");
  });

  test("a file that is not there, a directory, and one of 100,000 brackets", () => {
    const directory = scratch();
    const deep = join(directory, "deep.json");
    writeFileSync(deep, "[".repeat(100_000));
    refused(start(["--contracts", join(directory, "none.json")]), /contract error: .*none\.json/);
    refused(start(["--contracts", directory]), /contract error: /);
    refused(start(["--contracts", deep]), /contract error: .*deep\.json:1:/);
  });
});

describe("log", () => {
  test("a directory, a missing directory, a FIFO", () => {
    const directory = scratch();
    const fifo = join(directory, "fifo");
    spawnSync("mkfifo", [fifo]);
    mkdirSync(join(directory, "sub"));
    for (const path of [directory, join(directory, "no", "log"), fifo]) {
      const started = start(["--contracts", goodContract(), "--log", path]);
      refused(started, /^fourgate guard: error: --log /);
      expect(started.stderr).toContain(path);
    }
  });

  test("the contract itself, also through a link", () => {
    const contract = goodContract();
    const link = join(scratch(), "link");
    symlinkSync(contract, link);
    for (const log of [contract, link])
      refused(start(["--contracts", contract, "--log", log]), "this is the contract file");
  });

  test("earlier records are kept, and the file is private", () => {
    const log = join(scratch(), "log");
    writeFileSync(log, '{"earlier":1}\n');
    const run = spawnSync(
      node,
      [MAIN, "guard", "--contracts", goodContract(), "--log", log, "--", node, fixture("fast.mjs")],
      {
        input: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create"}}\n',
        encoding: "utf8",
      },
    );
    expect(run.status).toBe(0);
    const lines = readFileSync(log, "utf8").trimEnd().split("\n");
    expect(lines[0]).toBe('{"earlier":1}');
    expect(lines).toHaveLength(2);
  });
});

describe("a good start", () => {
  test("everything after the command belongs to the server, with -- or without", () => {
    const contract = goodContract();
    const print = ["-e", "console.log(JSON.stringify(process.argv.slice(1)))", "--"];
    for (const dashes of [["--"], []]) {
      const more = ["y", "--mode", "enforce", "--", "--help"];
      const started = start(["--contracts", contract], [...dashes, node, ...print, ...more]);
      expect(started).toMatchObject({ code: 0, stdout: `${JSON.stringify(more)}\n` });
      expect(started.stderr).toContain("mode: shadow");
    }
  });

  test("the banner names what is done, and no argument", () => {
    const started = start(
      ["--contracts", goodContract(), "--server", "tickets"],
      ["--", "true", "--token", "k-SENTINEL"],
    );
    expect(started.code).toBe(0);
    const [first, ...rest] = started.stderr.split("\n");
    expect(first).toMatch(/^fourgate guard \d+\.\d+\.\d+$/);
    expect(rest.join("\n")).toMatch(
      /mode: shadow.*\n.*label: tickets\n.*contracts: \/.*contract\.json\n.*tools: create\n/,
    );
    expect(started.stderr).toContain("server: true (+2 args)");
    expect(started.stderr).not.toContain("SENTINEL");
  });

  test("a verifier that is not there is pointed out by its place and program, once a tool, and the server is started all the same", () => {
    const directory = scratch();
    const contract = join(directory, "contract.json");
    const missing = contractFor(["./no/such/verifier", "k-SENTINEL"], {}, ["create", "update"]) as { tools: object };
    const there = contractFor(PASSES, {}, ["delete"]) as { tools: object };
    writeFileSync(contract, JSON.stringify({ contract_version: 1, tools: { ...missing.tools, ...there.tools } }));
    const started = start(["--contracts", contract]);
    expect(started).toMatchObject({ code: 0, serverStarted: true });
    const warnings = started.stderr.split("\n").filter((line) => line.includes("WARNING"));
    expect(warnings).toEqual(
      ["create", "update"].map(
        (tool) =>
          `fourgate guard: WARNING: tools["${tool}"].verifier.command[0]: ./no/such/verifier is not found or may not be run; until it is there, checks will be UNKNOWN`,
      ),
    );
    expect(started.stderr).not.toContain("SENTINEL");
  });

  test.each([
    ["nothing", "exit 0", ""],
    ["one line", "echo last words", "last words\n"],
    ["60,000 bytes", "printf '%060000d' 7", `${"7".padStart(60_000, "0")}`],
  ])(
    "a server that says %s and ends before it is listened to: all of it arrives, and the session ends",
    (_, script, said) => {
      for (let round = 0; round < 5; round++) {
        const started = start(["--contracts", goodContract()], ["--", "sh", "-c", script]);
        expect(started).toMatchObject({ code: 0, stdout: said });
      }
    },
  );

  test("a server that cannot be started: one line, exit status 1", () => {
    for (const command of ["/no/such/server", "no-such-server-anywhere", "/"]) {
      const started = start(["--contracts", goodContract()], ["--", command]);
      expect(started).toMatchObject({ code: 1, stdout: "" });
      expect(started.stderr.trimEnd().split("\n").at(-1)).toMatch(
        /^fourgate guard: error: the server could not be started/,
      );
    }
  });

  test("only PATH and HOME are needed", () => {
    const run = spawnSync(node, [MAIN, "guard", "--contracts", goodContract(), "--", node, fixture("fast.mjs")], {
      env: { PATH: process.env.PATH, HOME: process.env.HOME },
      input: '{"jsonrpc":"2.0","id":1,"method":"ping"}\n',
      encoding: "utf8",
    });
    expect(run).toMatchObject({ status: 0, stdout: '{"jsonrpc":"2.0","id":1,"result":{}}\n' });
  });
});

describe("the program itself", () => {
  const fourgate = (...argv: string[]) => spawnSync(node, [MAIN, ...argv], { encoding: "utf8", timeout: HUNG_MS });

  test("--help and --version", () => {
    expect(fourgate("--version")).toMatchObject({
      status: 0,
      stdout: `${JSON.parse(readFileSync("package.json", "utf8")).version}\n`,
    });
    expect(fourgate("--help").stdout).toContain("guard");
    for (const command of ["guard", "demo"]) {
      const help = fourgate(command, "--help");
      expect(help).toMatchObject({ status: 0, stderr: "" });
      expect(help.stdout).toContain("Example");
    }
  });

  test("no command and an unknown one: exit status 2 and the commands there are", () => {
    for (const argv of [[], ["gard"], ["--contracts"], ["__proto__"]]) {
      const run = fourgate(...argv);
      expect(run).toMatchObject({ status: 2, stdout: "" });
      expect(run.stderr).toContain("the commands are guard");
    }
  });
});

describe("files that decide and are not only ours", () => {
  const WRITABLE = /check\.sh can be changed by other users, who could decide what is a FAIL; take their permission/;
  const LINK = /tools\["create"\]\.verifier\.command\[1\]: .*linked\.sh is a symbolic link/;

  function contractWith(script: string, command = ["/bin/sh", script]): string[] {
    const file = join(scratch(), "contract.json");
    writeFileSync(file, JSON.stringify(contractFor(command)));
    return ["--contracts", file];
  }

  function scriptWith(mode: number): string {
    const script = join(scratch(), "check.sh");
    writeFileSync(script, "read -r fields; echo '{}'");
    chmodSync(script, mode);
    return script;
  }

  test("enforce refuses a verifier's script that everybody may change; shadow says so and starts", () => {
    const flags = contractWith(scriptWith(0o666));
    refused(start([...flags, "--mode", "enforce"]), WRITABLE);
    const shadow = start(flags);
    expect(shadow).toMatchObject({ code: 0, serverStarted: true });
    expect(shadow.stderr).toMatch(/fourgate guard: WARNING: .*check\.sh can be changed by other users/);
  });

  test("enforce refuses a script that is a link, and a folder above it, and names all at once", () => {
    const script = scriptWith(0o644);
    const linked = join(scratch(), "linked.sh");
    symlinkSync(script, linked);
    refused(start([...contractWith(linked), "--mode", "enforce"]), LINK);
    chmodSync(join(script, ".."), 0o777);
    const both = start([...contractWith(script, ["/bin/sh", script, linked]), "--mode", "enforce"]);
    refused(both, /command\[1\]: .* on the way to .*check\.sh, can be changed by other users/);
    refused(both, /command\[2\]: .*linked\.sh is a symbolic link/);
  });

  test("enforce starts with programs as systems install them, links too", () => {
    expect(start([...contractWith(scriptWith(0o644)), "--mode", "enforce"])).toMatchObject({ serverStarted: true });
    expect(start([...contractWith("", ["awk", "{}"]), "--mode", "enforce"])).toMatchObject({ serverStarted: true });
  });
});
