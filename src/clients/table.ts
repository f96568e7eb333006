// Where MCP clients keep their servers: one row a file, with where that is written down. Looked up in December 2026.

import type { Container, DisabledBy } from "../core/config/types.ts";

export type Platform = "linux" | "darwin" | "win32";
/** Folders that a path may begin with, as each platform or an environment variable gives them. */
export type Base = "home" | "config" | "project" | "claude" | "codex" | "zed";

export interface ClientRow {
  readonly id: string;
  readonly title: string;
  readonly format: "json" | "toml";
  /** Whom it serves: its user everywhere, or everyone in one project; `file` is one that the user named and no client is known to read. */
  readonly scope: "user" | "project" | "file";
  readonly base: Base;
  /** Below the base; the same on every platform. */
  readonly path: readonly string[];
  readonly containers: readonly Container[];
  readonly disabledBy: DisabledBy;
  /** The client replaces `$NAME` or `${NAME}` in command and args. */
  readonly expands: boolean;
  readonly source: string;
}

const CLAUDE_CODE = {
  id: "claude-code",
  title: "Claude Code",
  format: "json",
  disabledBy: { list: ["disabledMcpServers"] },
  expands: true,
  source: "https://code.claude.com/docs/en/mcp",
} as const;
const CURSOR = {
  id: "cursor",
  title: "Cursor",
  format: "json",
  path: [".cursor", "mcp.json"],
  containers: [["mcpServers"]],
  disabledBy: {},
  expands: true,
  source: "https://cursor.com/docs/mcp",
} as const;
const VS_CODE = {
  id: "vscode",
  title: "VS Code",
  format: "json",
  containers: [["servers"]],
  disabledBy: {},
  expands: true,
  source: "https://code.visualstudio.com/docs/copilot/reference/mcp-configuration",
} as const;
const CODEX = {
  id: "codex",
  title: "Codex",
  format: "toml",
  containers: [["mcp_servers"]],
  disabledBy: { key: "enabled" },
  expands: false,
  source: "https://developers.openai.com/codex/mcp",
} as const;
const GEMINI = {
  id: "gemini",
  title: "Gemini CLI",
  format: "json",
  path: [".gemini", "settings.json"],
  containers: [["mcpServers"]],
  disabledBy: { list: ["mcp", "excluded"] },
  expands: true,
  source: "https://github.com/google-gemini/gemini-cli/blob/main/docs/tools/mcp-server.md",
} as const;
const ZED = {
  id: "zed",
  title: "Zed",
  format: "json",
  containers: [["context_servers"]],
  disabledBy: { key: "enabled" },
  expands: false,
  source: "https://zed.dev/docs/ai/mcp",
} as const;

export const CLIENT_ROWS: readonly ClientRow[] = [
  {
    ...CLAUDE_CODE,
    scope: "user",
    base: "claude",
    path: [".claude.json"],
    containers: [["mcpServers"], ["projects", "*", "mcpServers"]],
  },
  { ...CLAUDE_CODE, scope: "project", base: "project", path: [".mcp.json"], containers: [["mcpServers"]] },
  {
    id: "claude-desktop",
    title: "Claude Desktop",
    format: "json",
    scope: "user",
    base: "config",
    path: ["Claude", "claude_desktop_config.json"],
    containers: [["mcpServers"]],
    disabledBy: {},
    expands: false,
    source: "https://modelcontextprotocol.io/docs/develop/connect-local-servers",
  },
  { ...CURSOR, scope: "user", base: "home" },
  { ...CURSOR, scope: "project", base: "project" },
  { ...VS_CODE, scope: "user", base: "config", path: ["Code", "User", "mcp.json"] },
  { ...VS_CODE, scope: "project", base: "project", path: [".vscode", "mcp.json"] },
  { ...CODEX, scope: "user", base: "codex", path: ["config.toml"] },
  { ...CODEX, scope: "project", base: "project", path: [".codex", "config.toml"] },
  { ...GEMINI, scope: "user", base: "home" },
  { ...GEMINI, scope: "project", base: "project" },
  {
    id: "windsurf",
    title: "Windsurf",
    format: "json",
    scope: "user",
    base: "home",
    path: [".codeium", "windsurf", "mcp_config.json"],
    containers: [["mcpServers"]],
    disabledBy: {},
    expands: true,
    source: "https://docs.windsurf.com/windsurf/cascade/mcp",
  },
  { ...ZED, scope: "user", base: "zed", path: ["settings.json"] },
  { ...ZED, scope: "project", base: "project", path: [".zed", "settings.json"] },
];

export const CLIENT_IDS: readonly string[] = [...new Set(CLIENT_ROWS.map(({ id }) => id))];
