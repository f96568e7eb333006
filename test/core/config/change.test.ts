// Wrapping and unwrapping by example: what changed in the meantime, what is refused, and what a diff shows.

import { describe, expect, test } from "vitest";
import { type Format, unwrapEntry, wrapEntry } from "../../../src/core/config/change.ts";
import { showDiff } from "../../../src/core/config/diff.ts";
import { json } from "../../../src/core/config/json.ts";
import { toml } from "../../../src/core/config/toml.ts";
import type { Entry } from "../../../src/core/config/types.ts";

const GUARD = { command: "/n", args: ["/f/main.cjs", "guard", "--contracts", "/c"] };
const JSON_FORMAT: Format = { syntax: json, containers: [["mcpServers"]], disabledBy: {} };
const TOML_FORMAT: Format = { syntax: toml, containers: [["mcp_servers"]], disabledBy: { key: "enabled" } };

function entryOf(text: string, format: Format, name = "a"): Entry {
  const read = format.syntax.read(text, format.containers, format.disabledBy);
  if (!read.ok) throw new Error(JSON.stringify(read.findings));
  return read.document.entries.find((entry) => entry.name === name)!;
}

function wrap(text: string, format = JSON_FORMAT): string {
  const change = wrapEntry(text, entryOf(text, format), GUARD, format);
  if (!change.ok) throw new Error(JSON.stringify(change.findings));
  return change.text;
}

function unwrap(text: string, format = JSON_FORMAT): string {
  const change = unwrapEntry(text, entryOf(text, format), format);
  if (!change.ok) throw new Error(JSON.stringify(change.findings));
  return change.text;
}

describe("how a wrapped entry looks", () => {
  test("one line stays one line, and several stay several", () => {
    expect(wrap('{"mcpServers": {"a": {"command": "npx", "args": ["-y"]}}}')).toBe(
      '{"mcpServers": {"a": {"command": "/n", "args": ["/f/main.cjs", "guard", "--contracts", "/c", "--", "npx", "-y"]}}}',
    );
    expect(wrap('{"mcpServers": {"a": {"command": "npx", "args": [\r\n\t"-y", // why\r\n]}}}')).toBe(
      '{"mcpServers": {"a": {"command": "/n", "args": [\r\n\t"/f/main.cjs",\r\n\t"guard",\r\n\t"--contracts",\r\n\t"/c",\r\n\t"--",\r\n\t"npx",\r\n\t"-y", // why\r\n]}}}',
    );
  });

  test("where there were no args, they come beside the command", () => {
    expect(wrap('{"mcpServers": {"a": {\n  "command": "npx" // c\n}}}')).toBe(
      '{"mcpServers": {"a": {\n  "command": "/n",\n  "args": ["/f/main.cjs", "guard", "--contracts", "/c", "npx"] // c\n}}}',
    );
    expect(wrap("[mcp_servers.a]\n  command = 'npx' # c\n", TOML_FORMAT)).toBe(
      '[mcp_servers.a]\n  args = ["/f/main.cjs", "guard", "--contracts", "/c", \'npx\']\n  command = "/n" # c\n',
    );
    expect(wrap('mcp_servers.a.command = "npx"', TOML_FORMAT)).toBe(
      'mcp_servers.a.args = ["/f/main.cjs", "guard", "--contracts", "/c", "npx"]\nmcp_servers.a.command = "/n"',
    );
  });
});

describe("what changed between wrap and unwrap stays", () => {
  test("other servers, options of guard, and arguments of the server", () => {
    const wrapped = wrap('{"mcpServers": {"a": {"command": "npx", "args": ["-y", "pkg"]}}}');
    const changed = wrapped
      .replace('"/c"', '"/c", "--mode", "enforce"')
      .replace('"pkg"', '"pkg@2", "more"')
      .replace("{}}", '{}, "b": {"command": "x"}}');
    expect(unwrap(changed)).toBe('{"mcpServers": {"a": {"command": "npx", "args": ["-y", "pkg@2", "more"]}}}');
  });

  test("a client that writes the whole file anew", () => {
    for (const before of [
      { command: "npx" },
      { command: "npx", args: [] },
      { type: "stdio", command: "npx", args: ["-y", "p"] },
    ]) {
      const text = JSON.stringify({ mcpServers: { a: before } });
      const rewritten = JSON.stringify(JSON.parse(wrap(text)), null, 2);
      expect(unwrap(rewritten)).toBe(JSON.stringify({ mcpServers: { a: before } }, null, 2));
    }
  });

  test("args that a client moved before the command are emptied, since taking them out could hit something else", () => {
    const { command, ...rest } = JSON.parse(wrap('{"mcpServers": {"a": {"command": "npx"}}}')).mcpServers.a;
    const moved = JSON.stringify({ mcpServers: { a: { ...rest, command } } });
    expect(JSON.parse(unwrap(moved))).toEqual({ mcpServers: { a: { args: [], command: "npx" } } });
  });

  test("an entry that was wrapped by hand", () => {
    const text =
      '{"mcpServers": {"a": {"command": "fourgate", "args": ["guard", "--contracts", "/c", "--", "npx", "-y"]}}}';
    expect(unwrap(text)).toBe('{"mcpServers": {"a": {"command": "npx", "args": ["-y"]}}}');
  });
});

describe("refused", () => {
  const codes = (text: string, format = JSON_FORMAT): string[] => {
    const read = format.syntax.read(text, format.containers, format.disabledBy);
    if (!read.ok) return read.findings.map(({ code, at }) => `${code}@${at}`);
    const change = wrapEntry(text, read.document.entries.find(({ name }) => name === "a")!, GUARD, format);
    return change.ok ? [] : change.findings.map(({ code, at }) => `${code}@${at}`);
  };

  test.each([
    ["a remote server", '{"mcpServers": {"a": {"url": "https://x"}}}', ["remote@16"]],
    ["an entry without command", '{"mcpServers": {"a": {"source": "extension"}}}', ["no_command@16"]],
    [
      "a shell line, and arguments that are no strings",
      '{"mcpServers": {"a": {"command": "npx -y p", "args": [8]}}}',
      ["shell_line@33", "shape@54"],
    ],
    ["a command given twice", '{"mcpServers": {"a": {"command": "x", "\\u0063ommand": "y"}}}', ["duplicate_key@38"]],
    ["a server given twice", '{"mcpServers": {"a": {"command": "x"}, "a": {"command": "y"}}}', ["duplicate_key@39"]],
    ["servers given twice", '{"mcpServers": {}, "mcpServers": {"a": {"command": "y"}}}', ["duplicate_key@19"]],
    ["broken JSON", '{"mcpServers": {"a": {"command": "x",, }}}', ["syntax@37"]],
    ["a list", "[]", ["shape@0"]],
    ["servers that are no object", '{"mcpServers": []}', ["shape@15"]],
  ])("%s", (_, text, expected) => {
    expect(codes(text)).toEqual(expected);
  });

  test.each([
    ["a key given twice", '[mcp_servers.a]\ncommand = "x"\ncommand = "y"\n', ["syntax@30"]],
    ["an open string", '[mcp_servers.a]\ncommand = "x\n', ["syntax@28"]],
    ["a URL", '[mcp_servers.a]\nurl = "https://x"\n', ["remote@13"]],
    ["nesting without end", `x = ${"[".repeat(50_000)}${"]".repeat(50_000)}`, ["too_deep@0"]],
  ])("TOML: %s", (_, text, expected) => {
    expect(codes(text, TOML_FORMAT)).toEqual(expected);
  });

  test("a second wrap, and an unwrap of what is not wrapped", () => {
    const plain = '{"mcpServers": {"a": {"command": "npx", "args": []}}}';
    expect(codes(wrap(plain))).toEqual(["already_wrapped@16"]);
    expect(unwrapEntry(plain, entryOf(plain, JSON_FORMAT), JSON_FORMAT)).toMatchObject({
      findings: [{ code: "not_wrapped" }],
    });
  });
});

test("an entry is disabled by its own key, or by a list beside its container", () => {
  const off = (text: string, disabledBy: Format["disabledBy"], format = JSON_FORMAT) =>
    entryOf(text, { ...format, disabledBy }).disabled;
  expect(off('{"mcpServers": {"a": {"command": "x", "enabled": false}}}', {})).toBe(false);
  expect(
    off('{"mcpServers": {"a": {"command": "x"}}, "mcp": {"excluded": ["a"]}}', { list: ["mcp", "excluded"] }),
  ).toBe(true);
  expect(off("[mcp_servers.a]\ncommand = 'x'\nenabled = false", { key: "enabled" }, TOML_FORMAT)).toBe(true);
});

test("a diff shows names and the command, and no value or comment", () => {
  const text = [
    "# SENTINEL-1",
    '[mcp_servers.b]\ncommand = "SENTINEL-2"',
    '[mcp_servers.a] # SENTINEL-3\ncommand = "npx"\nargs = ["--key", "SENTINEL-4"]',
    'env = { TOKEN = """SENTINEL-5\nSENTINEL-6""", N = 12345 }\n',
  ].join("\n");
  const entry = entryOf(text, TOML_FORMAT);
  const read = toml.read(text, [["mcp_servers"]], {});
  const change = wrapEntry(text, entry, GUARD, TOML_FORMAT);
  if (!change.ok || !read.ok) throw new Error("not wrapped");
  const diff = showDiff("config.toml", text, change.edits, read.document.secrets, change.shown);
  expect(diff).toBe(`--- config.toml
+++ config.toml
@@ -2,7 +2,7 @@
 [mcp_servers.b]
 command = "\u2026"
 [mcp_servers.a] #\u2026
-command = "npx"
-args = ["\u2026", "\u2026"]
+command = "/n"
+args = ["/f/main.cjs", "guard", "--contracts", "/c", "--", "npx", "\u2026", "\u2026"]
 env = { TOKEN = """\u2026
 """, N = \u2026 }
`);
  const back = unwrapEntry(change.text, entryOf(change.text, TOML_FORMAT), TOML_FORMAT);
  const after = toml.read(change.text, [["mcp_servers"]], {});
  if (!back.ok || !after.ok) throw new Error("not unwrapped");
  const reverse = showDiff("config.toml", change.text, back.edits, after.document.secrets, back.shown);
  expect(reverse.split("\n").filter((line) => /^[-+] ?[a-z]/.test(line))).toEqual(
    diff
      .split("\n")
      .flatMap((line) => (/^\+[a-z]/.test(line) ? [line.replace("+", "-")] : []))
      .concat(diff.split("\n").flatMap((line) => (/^-[a-z]/.test(line) ? [line.replace("-", "+")] : []))),
  );
});
