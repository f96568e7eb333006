// Commands as Windows needs them, on any system: the file system is told, and cmd.exe and C programs are played.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { launch } from "../../src/io/launch.ts";

const files = new Set(["C:\\node\\npx.cmd", "C:\\node\\node.exe", "C:\\tools\\npx.exe"]);
const facts = { platform: "win32" as const, exists: (path: string) => files.has(path) };
const env = { Path: 'C:\\empty;"C:\\node";C:\\tools', PathExt: ".EXE;.CMD" };

test("elsewhere a command is left as it is", () => {
  const linux = { platform: "linux" as const, exists: () => true };
  expect(launch("npx", ["-y", "a b"], {}, linux)).toEqual({ program: "npx", args: ["-y", "a b"], verbatim: false });
});

describe("on Windows", () => {
  test.each([
    ["a bare name is found on the PATH that the server gets", "node", "C:\\node\\node.exe"],
    ["with its ending too", "node.exe", "C:\\node\\node.exe"],
    ["with a path it is looked for only there", "C:\\tools\\npx", "C:\\tools\\npx.exe"],
    ["what is not found is left to the system to report", "nothing", "nothing"],
  ])("%s", (_, program, found) => {
    expect(launch(program, ["a"], env, facts)).toEqual({ program: found, args: ["a"], verbatim: false });
  });

  test("a batch file goes through cmd.exe, in the order of PATH", () => {
    expect(launch("npx", ["-y", "x"], env, facts)).toEqual({
      program: "cmd.exe",
      args: ["/e:ON", "/v:OFF", "/d", "/c", '""C:\\node\\npx.cmd" "-y" "x""'],
      verbatim: true,
    });
  });

  test("what no batch file can be given is refused", () => {
    for (const argument of ["a\nb", "a\rb", "a\0b"]) expect(launch("npx", [argument], env, facts)).toBe("EINVAL");
  });

  test("any other argument arrives unaltered", () => {
    const word = fc.string({ unit: fc.constantFrom("a", " ", '"', "\\", "%", "&", "^", "|", "!", "(", "PATH", "é") });
    fc.assert(
      fc.property(fc.array(word, { maxLength: 4 }), (args) => {
        const started = launch("npx", args, env, facts);
        if (typeof started === "string") throw new Error(started);
        expect(programArguments(shellLine(started.args.at(-1)!))).toEqual(["C:\\node\\npx.cmd", ...args]);
      }),
      { numRuns: 2000 },
    );
  });
});

/** What cmd.exe makes of a line after /c, with every variable set to something odd; it must see no bare metacharacter. */
function shellLine(line: string): string {
  const bare = line.slice(1, -1);
  let out = "";
  for (let at = 0; at < bare.length; ) {
    const name = bare[at] === "%" ? /^%([^%:]+)(:~,)?%/.exec(bare.slice(at)) : null;
    // `%cd:~,%` is a substring of no length; any other variable would put itself in.
    if (name) out += name[2] === undefined ? "EXPANDED" : "";
    out += name ? "" : bare[at];
    at += name ? name[0].length : 1;
  }
  let quoted = false;
  for (const character of out) {
    if (character === '"') quoted = !quoted;
    else if (!quoted && /[&|<>^()]/.test(character)) throw new Error(`cmd.exe would act on ${character}`);
  }
  return out;
}

/** What a C program reads as its arguments. */
function programArguments(line: string): string[] {
  const args: string[] = [];
  for (const [, quoted] of line.matchAll(/"((?:\\\\|\\"|""|[^"\\]|\\(?!"))*?)"(?= |$)/g)) {
    args.push(
      quoted!
        .replace(/(\\+)(""?|$)/g, (_, slashes: string, quotes: string) => {
          return slashes.slice(slashes.length / 2) + (quotes === "" ? "" : '"');
        })
        .replaceAll('""', '"'),
    );
  }
  return args;
}
