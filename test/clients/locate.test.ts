// Where each client's files are looked for, on each platform.

import { describe, expect, test } from "vitest";
import { configPlaces, placeOf, type Surroundings, samePath } from "../../src/clients/locate.ts";
import { CLIENT_IDS, CLIENT_ROWS } from "../../src/clients/table.ts";

const linux: Surroundings = { platform: "linux", home: "/home/u", env: {}, project: "/p" };
const mac: Surroundings = { platform: "darwin", home: "/Users/u", env: {}, project: "/p" };
const windows: Surroundings = {
  platform: "win32",
  home: "C:\\Users\\u",
  env: { APPDATA: "D:\\Roaming" },
  project: "C:\\p",
};

const shown = (around: Surroundings, scope: string) =>
  configPlaces(around)
    .filter(({ row }) => row.scope === scope)
    .map(({ row, file }) => `${row.id} ${file}`);

describe("the user's files", () => {
  test("on Linux", () => {
    expect(shown(linux, "user")).toEqual([
      "claude-code /home/u/.claude.json",
      "claude-desktop /home/u/.config/Claude/claude_desktop_config.json",
      "cursor /home/u/.cursor/mcp.json",
      "vscode /home/u/.config/Code/User/mcp.json",
      "codex /home/u/.codex/config.toml",
      "gemini /home/u/.gemini/settings.json",
      "windsurf /home/u/.codeium/windsurf/mcp_config.json",
      "zed /home/u/.config/zed/settings.json",
    ]);
  });

  test("on macOS", () => {
    expect(shown(mac, "user")).toEqual([
      "claude-code /Users/u/.claude.json",
      "claude-desktop /Users/u/Library/Application Support/Claude/claude_desktop_config.json",
      "cursor /Users/u/.cursor/mcp.json",
      "vscode /Users/u/Library/Application Support/Code/User/mcp.json",
      "codex /Users/u/.codex/config.toml",
      "gemini /Users/u/.gemini/settings.json",
      "windsurf /Users/u/.codeium/windsurf/mcp_config.json",
      "zed /Users/u/.config/zed/settings.json",
    ]);
  });

  test("on Windows", () => {
    expect(shown(windows, "user")).toEqual([
      "claude-code C:\\Users\\u\\.claude.json",
      "claude-desktop D:\\Roaming\\Claude\\claude_desktop_config.json",
      "cursor C:\\Users\\u\\.cursor\\mcp.json",
      "vscode D:\\Roaming\\Code\\User\\mcp.json",
      "codex C:\\Users\\u\\.codex\\config.toml",
      "gemini C:\\Users\\u\\.gemini\\settings.json",
      "windsurf C:\\Users\\u\\.codeium\\windsurf\\mcp_config.json",
      "zed D:\\Roaming\\Zed\\settings.json",
    ]);
  });

  test("where a variable names another folder", () => {
    const env = { XDG_CONFIG_HOME: "/x", CLAUDE_CONFIG_DIR: "/c", CODEX_HOME: "/o" };
    const files = shown({ ...linux, env }, "user");
    expect(files).toEqual(
      expect.arrayContaining(["claude-code /c/.claude.json", "codex /o/config.toml", "zed /x/zed/settings.json"]),
    );
    expect(files).toContain("claude-desktop /x/Claude/claude_desktop_config.json");
    expect(shown({ ...linux, env: { ...env, FLATPAK_XDG_CONFIG_HOME: "/f" } }, "user")).toContain(
      "zed /f/zed/settings.json",
    );
  });
});

test("a project's files", () => {
  const files = [
    "claude-code .mcp.json",
    "cursor .cursor/mcp.json",
    "vscode .vscode/mcp.json",
    "codex .codex/config.toml",
  ];
  const more = ["gemini .gemini/settings.json", "zed .zed/settings.json"];
  expect(shown(linux, "project")).toEqual([...files, ...more].map((line) => line.replace(" ", " /p/")));
  expect(shown(windows, "project")[1]).toBe("cursor C:\\p\\.cursor\\mcp.json");
});

test.each([
  ["/home/u/.cursor/mcp.json", undefined, "cursor"],
  ["/elsewhere/claude_desktop_config.json", undefined, "claude-desktop"],
  ["/elsewhere/config.toml", undefined, "codex"],
  ["/elsewhere/other.toml", undefined, "codex"],
  ["/elsewhere/mcp.json", undefined, "file"],
  ["/elsewhere/mcp.json", "vscode", "vscode"],
])("a named file %s, client %s, is read as of %s", (file, client, id) => {
  expect(placeOf(file, client, linux)).toMatchObject({ file, row: { id } });
});

test("two spellings of one project", () => {
  expect(samePath("/p/", "/p", "linux")).toBe(true);
  expect(samePath("/P", "/p", "linux")).toBe(false);
  expect(samePath("c:/Users/U/p", "C:\\Users\\u\\p", "win32")).toBe(true);
});

test("every row says where it was looked up", () => {
  expect(CLIENT_IDS).toHaveLength(8);
  for (const { source } of CLIENT_ROWS) expect(source).toMatch(/^https:\/\//);
});
