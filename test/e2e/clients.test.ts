// `fourgate clients` through the built program, in a home folder of its own: what it lists, wraps, refuses and gives back.

import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, realpathSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { parse as parseToml } from "smol-toml";
import { beforeEach, describe, expect, test } from "vitest";
import { contractFor, MAIN, node, PASSES, scratch } from "./harness.ts";
import { published } from "./published.ts";

const CONTRACT = resolve("contracts/filesystem/contract.jsonc");

let home: string;
let project: string;
beforeEach(() => {
  home = realpathSync(scratch());
  project = join(home, "work", "shop");
  mkdirSync(project, { recursive: true });
});

function put(path: string, text: string, mode = 0o644): string {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), text, { mode });
  return join(home, path);
}

/** Linux and macOS keep some files in different folders. */
const CONFIG = process.platform === "darwin" ? "Library/Application Support" : ".config";

function clients(...args: string[]) {
  const env = { HOME: home, PATH: process.env.PATH };
  const ran = spawnSync(node, [MAIN, "clients", ...args], { cwd: project, encoding: "utf8", env });
  return { status: ran.status, stdout: ran.stdout, stderr: ran.stderr };
}

const wrap = (name: string, ...args: string[]) => clients("wrap", name, "--contracts", CONTRACT, ...args);
const entry = (command: string, ...args: string[]) => ({ command, args });
const servers = (all: object, key = "mcpServers") => `${JSON.stringify({ [key]: all }, null, 2)}\n`;

describe("list", () => {
  test("shows the servers of every client, and no value of them", () => {
    const secret = { env: { TOKEN: "SENTINEL" }, headers: { Authorization: "SENTINEL" } };
    put(
      ".claude.json",
      JSON.stringify({
        mcpServers: { everywhere: entry("/usr/bin/uvx", "SENTINEL") },
        projects: { [project]: { mcpServers: { here: { ...entry("npx"), ...secret } }, disabledMcpServers: ["here"] } },
      }),
    );
    put("work/shop/.mcp.json", servers({ shared: entry("fourgate", "guard", "--contracts", "c", "--", "npx") }));
    put(`${CONFIG}/Claude/claude_desktop_config.json`, servers({ desk: entry("C:\\x y\\srv.exe") }));
    put(".cursor/mcp.json", servers({ far: { url: "https://SENTINEL.example", ...secret } }));
    put("work/shop/.vscode/mcp.json", servers({ code: entry("npx -y SENTINEL") }, "servers"));
    put(".codex/config.toml", "[mcp_servers.codex]\ncommand = 'npx'\nenabled = false\nenv = { TOKEN = 'SENTINEL' }\n");
    put(".gemini/settings.json", '// SENTINEL\n{"mcpServers": {"gem": {"httpUrl": "https://SENTINEL"}}}');
    put(".codeium/windsurf/mcp_config.json", servers({ wind: entry("npx") }));
    put(
      ".config/zed/settings.json",
      '{"context_servers": {"zed": {"command": {"path": "zed-srv", "args": []}}, "ext": {"source": "extension"}}}',
    );
    const ran = clients("list");
    expect(ran.status).toBe(0);
    expect(ran.stdout.replaceAll(home, "~")).toBe(`Claude Code (user) ~/.claude.json
  everywhere  uvx       not wrapped

Claude Code (local ~/work/shop) ~/.claude.json
  here        npx       not wrapped, disabled

Claude Code (project) ~/work/shop/.mcp.json
  shared      fourgate  wrapped by fourgate

Claude Desktop (user) ~/${CONFIG}/Claude/claude_desktop_config.json
  desk        srv.exe   not wrapped

Cursor (user) ~/.cursor/mcp.json
  far         -         remote: cannot be wrapped

VS Code (project) ~/work/shop/.vscode/mcp.json
  code        npx       not wrapped

Codex (user) ~/.codex/config.toml
  codex       npx       not wrapped, disabled

Gemini CLI (user) ~/.gemini/settings.json
  gem         -         remote: cannot be wrapped

Windsurf (user) ~/.codeium/windsurf/mcp_config.json
  wind        npx       not wrapped

Zed (user) ~/.config/zed/settings.json
  zed         zed-srv   not wrapped
  ext         -         has no command: cannot be wrapped
`);
    const json = clients("list", "--json", "--client", "claude-code", "--scope", "local");
    expect(JSON.parse(json.stdout)).toEqual({
      clients_version: 1,
      problems: [],
      servers: [
        {
          client: "claude-code",
          scope: "local",
          project,
          file: join(home, ".claude.json"),
          name: "here",
          type: "command",
          command: "npx",
          wrapped: false,
          disabled: true,
        },
      ],
    });
  });

  test("lists what it can read, and says what it cannot", () => {
    put(".cursor/mcp.json", servers({ one: entry("npx") }));
    const broken = put(".gemini/settings.json", '{\n  "mcpServers": {"a": SENTINEL}\n}');
    const ran = clients("list");
    expect(ran.status).toBe(2);
    expect(ran.stdout).toContain("one  npx");
    expect(ran.stderr).toContain(`fourgate clients list: error: ${broken}:2:23: not valid JSON`);
    expect(ran.stdout + ran.stderr).not.toContain("SENTINEL");
  });

  test("says when there is none", () => {
    expect(clients("list")).toEqual({
      status: 0,
      stdout: "no MCP server is configured in the clients that fourgate knows\n",
      stderr: "",
    });
  });
});

test("a wrapped server is guarded as its client starts it, and unwrap gives the file back to the byte", async () => {
  const root = join(home, "data");
  mkdirSync(root);
  const before = `\ufeff{\r\n  "mcpServers": {\r\n    "files": {\r\n      "type": "stdio",\r\n      "command": ${JSON.stringify(node)},\r\n      "args": [ ${JSON.stringify(published("server-filesystem"))}, ${JSON.stringify(root)} ],\r\n      "env": { "FILESYSTEM_ROOTS": ${JSON.stringify(root)} }\r\n    }\r\n  }\r\n}\r\n`;
  const file = put("work/shop/.mcp.json", before, 0o600);
  const log = join(home, "outcomes.jsonl");

  const wrapped = wrap("files", "--mode", "enforce", "--log", log);
  expect(wrapped).toMatchObject({ status: 0, stderr: "" });
  expect(wrapped.stdout).toContain(`wrapped: "files" in ${file} (Claude Code)`);
  expect(wrapped.stdout).not.toContain("FILESYSTEM_ROOTS");

  const { mcpServers } = JSON.parse(readFileSync(file, "utf8").replace("\ufeff", ""));
  const client = new Client({ name: "test", version: "1" });
  await client.connect(new StdioClientTransport({ ...mcpServers.files, stderr: "ignore" }));
  await client.callTool({ name: "write_file", arguments: { path: join(root, "a.txt"), content: "x" } });
  await client.close();
  expect(JSON.parse(readFileSync(log, "utf8"))).toMatchObject({
    server: "files",
    tool: "write_file",
    mode: "enforce",
    status: "pass",
  });

  expect(clients("unwrap", "files")).toMatchObject({ status: 0, stderr: "" });
  expect(readFileSync(file, "utf8")).toBe(before);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const backups = readdirSync(project).filter((name) => name.includes(".fourgate-backup-"));
  expect(backups).toHaveLength(2);
  for (const name of backups) expect(statSync(join(project, name)).mode & 0o777).toBe(0o600);
  expect(readdirSync(project)).toHaveLength(3);
});

describe("wrap and unwrap", () => {
  const codex =
    '# SENTINEL-A\r\n[mcp_servers.files]\r\ncommand = \'npx\' # SENTINEL-B\r\nargs = [\r\n\t"-y", # c\r\n\t"SENTINEL-C",\r\n]\r\n';

  test("Codex's TOML: what is written, there and back, through a link", () => {
    const real = put("dotfiles/codex.toml", codex);
    mkdirSync(join(home, ".codex"));
    symlinkSync(real, join(home, ".codex", "config.toml"));
    expect(wrap("files", "--server", "label").status).toBe(0);
    expect(parseToml(readFileSync(real, "utf8"))).toEqual({
      mcp_servers: {
        files: {
          command: node,
          args: [MAIN, "guard", "--contracts", CONTRACT, "--server", "label", "--", "npx", "-y", "SENTINEL-C"],
        },
      },
    });
    expect(clients("list").stdout).toContain("wrapped by fourgate");
    expect(clients("unwrap", "files", "--client", "codex").status).toBe(0);
    expect(readFileSync(real, "utf8")).toBe(codex);
  });

  test("a dry run shows the change without a value, and writes nothing", () => {
    const file = put(".codex/config.toml", codex);
    const { mtimeNs } = statSync(file, { bigint: true });
    const ran = wrap("files", "--dry-run");
    expect(ran).toMatchObject({ status: 0, stderr: "" });
    expect(ran.stdout).toContain(`-command = 'npx' #\u2026\n+command = "${node}" #\u2026\n`);
    expect(ran.stdout).toContain(`+\t"${CONTRACT}",\n`);
    expect(ran.stdout).not.toContain("SENTINEL");
    expect(statSync(file, { bigint: true }).mtimeNs).toBe(mtimeNs);
    expect(readdirSync(dirname(file))).toEqual(["config.toml"]);
  });

  test("Zed's older shape, and an entry without args", () => {
    const text = '{\n  // mine\n  "context_servers": {"z": {"command": {"path": "srv", "env": {}}},},\n}';
    const file = put(".config/zed/settings.json", text);
    expect(wrap("z").status).toBe(0);
    expect(readFileSync(file, "utf8")).toContain(
      `"command": {"path": "${node}", "args": ["${MAIN}", "guard", "--contracts", "${CONTRACT}", "--server", "z", "srv"], "env": {}}`,
    );
    expect(clients("unwrap", "z").status).toBe(0);
    expect(readFileSync(file, "utf8")).toBe(text);
  });

  test("a name in several places is asked about, and each flag can tell", () => {
    const here = put("work/shop/.mcp.json", servers({ s: entry("one") }));
    put(
      ".claude.json",
      JSON.stringify({
        mcpServers: { s: entry("two") },
        projects: { [project]: { mcpServers: { s: entry("three") } }, "/other": { mcpServers: { s: entry("four") } } },
      }),
    );
    put(".cursor/mcp.json", servers({ s: entry("five") }));
    const asked = wrap("s");
    expect(asked.status).toBe(2);
    expect(
      asked.stderr.replaceAll(home, "~"),
    ).toBe(`fourgate clients wrap: error: "s" is configured in 4 places; say which with --client, --scope or --file:
  Claude Code: ~/.claude.json (--client claude-code --scope user)
  Claude Code, project ~/work/shop: ~/.claude.json (--client claude-code --scope local)
  Claude Code: ~/work/shop/.mcp.json (--client claude-code --scope project)
  Cursor: ~/.cursor/mcp.json (--client cursor --scope user)
`);
    const told = (...flags: string[]) =>
      /^-.*"(?:command": ")?(one|two|three|four|five)"/m.exec(wrap("s", "--dry-run", ...flags).stdout)?.[1];
    expect(told("--file", here)).toBe("one");
    expect(told("--client", "cursor")).toBe("five");
    expect(told("--client", "claude-code", "--scope", "project")).toBe("one");
    expect(wrap("s", "--client", "claude-code", "--scope", "local").status).toBe(0);
    const { projects, mcpServers } = JSON.parse(readFileSync(join(home, ".claude.json"), "utf8"));
    expect([
      mcpServers.s.command,
      projects[project].mcpServers.s.command,
      projects["/other"].mcpServers.s.command,
    ]).toEqual(["two", node, "four"]);
  });

  test("all that is wrong is said at once, and nothing is written", () => {
    const file = put("work/shop/.mcp.json", '{\n"mcpServers": {"s": {"command": "npx -y x", "args": [1]}}}');
    const bad = put("bad.json", '{"contract_version": 2, "tools": {}}');
    const ran = clients("wrap", "s", "--contracts", bad, "--log", join(home, "none", "log"));
    expect(ran.status).toBe(2);
    const lines = ran.stderr.trimEnd().split("\n");
    expect(lines.filter((line) => line.includes("contract error"))).toHaveLength(2);
    expect(lines).toContainEqual(expect.stringContaining("is not there"));
    expect(lines).toContainEqual(
      expect.stringContaining(`${file}:2:33: mcpServers.s.command: command is a whole shell line`),
    );
    expect(lines).toContainEqual(
      expect.stringContaining(`${file}:2:54: mcpServers.s.args: args must be a list of strings`),
    );
    expect(readdirSync(project)).toEqual([".mcp.json"]);
    const flags = clients("wrap", "--mode", "hard", "--client", "curser");
    expect(flags.status).toBe(2);
    expect(flags.stderr.trimEnd().split("\n")).toHaveLength(4);
    expect(flags.stderr).toContain("did you mean cursor?");
  });

  test("what is wrapped, not wrapped, remote or unknown is refused", () => {
    put("work/shop/.mcp.json", servers({ files: entry("npx"), far: { url: "https://x" } }));
    const file = join(project, ".mcp.json");
    expect(wrap("files").status).toBe(0);
    expect(wrap("files").stderr).toContain(`${file}:3:5: mcpServers.files: is wrapped by fourgate already`);
    expect(wrap("far").stderr).toContain("this server is remote");
    expect(clients("unwrap", "far").stderr).toContain("this server is remote");
    expect(clients("unwrap", "fils").stderr).toContain('no server "fils" is configured; did you mean "files"?');
    expect(clients("unwrap", "files").status).toBe(0);
    expect(clients("unwrap", "files").stderr).toContain("mcpServers.files: is not wrapped by fourgate");
    expect(wrap("files", "--file", join(home, "none.json")).stderr).toContain("there is no such file");
  });

  test("names that checks need and the entry does not set are named", () => {
    const contract = put(
      "contract.json",
      JSON.stringify(contractFor(PASSES, { verifier: { secret_env: ["READ_KEY", "OTHER"] } })),
    );
    put("work/shop/.mcp.json", servers({ s: { ...entry("npx"), env: { OTHER: "x" } } }));
    const ran = clients("wrap", "s", "--contracts", contract);
    expect(ran.stdout).toContain("note: checks read READ_KEY: set them in the entry's env");
    expect(ran.stdout).toContain("note: the file is the project's");
  });
});

test("guard loads nothing of this", () => {
  for (const file of ["main", "guard", "session", "reader", "verify"]) {
    expect(readFileSync(resolve("dist", `${file}.cjs`), "utf8")).not.toMatch(/TOMLInlineTable|mcpServers/);
  }
  const shared = /"\.\/(chunk-\w+\.mjs)"/g;
  const clients = readFileSync(resolve("dist/cli-clients.mjs"), "utf8");
  const loaded = [...clients.matchAll(shared)].map((match) => readFileSync(resolve("dist", match[1]!), "utf8"));
  expect([clients, ...loaded].join("")).toContain("TOMLInlineTable");
});

test.each(["", "list", "wrap", "unwrap"])("the help of clients %s has an example", (command) => {
  const ran = clients(...(command ? [command] : []), "--help");
  expect(ran.status).toBe(0);
  expect(ran.stdout).toMatch(/Examples?:\s+fourgate clients/);
});
