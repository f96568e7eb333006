// The files in which a machine's MCP clients may keep their servers.

import { posix, win32 } from "node:path";
import { type Base, CLIENT_ROWS, type ClientRow, type Platform } from "./table.ts";

/** The machine and the person, as the paths depend on them. */
export interface Surroundings {
  readonly platform: Platform;
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  /** The project whose files are looked at. */
  readonly project: string;
}

export interface ConfigPlace {
  readonly row: ClientRow;
  readonly file: string;
}

/** Where each client's files would be, there or not. */
export function configPlaces(around: Surroundings): ConfigPlace[] {
  const { join } = pathsOf(around.platform);
  return CLIENT_ROWS.map((row) => ({ row, file: join(baseOf(row.base, around), ...row.path) }));
}

/**
 * How a file that the user names is read: as its client's rows say, else as its name tells, else as JSON with any of the
 * clients' names for servers.
 */
export function placeOf(file: string, client: string | undefined, around: Surroundings): ConfigPlace {
  const known = configPlaces(around).filter(({ row }) => client === undefined || row.id === client);
  const exact = known.find((place) => samePath(place.file, file, around.platform));
  if (exact) return exact;
  const { basename } = pathsOf(around.platform);
  const ofClient = known.find(({ row }) => row.id === client)?.row;
  // Of the names of files, some are used by several clients.
  const named = known.filter(({ row }) => row.path.at(-1) === basename(file)).map(({ row }) => row);
  const telling = named.length > 0 && named.every(({ id }) => id === named[0]!.id) ? named[0] : undefined;
  const toml = file.toLowerCase().endsWith(".toml") ? known.find(({ row }) => row.format === "toml")?.row : undefined;
  return { row: ofClient ?? telling ?? toml ?? ANY_JSON, file };
}

const ANY_JSON: ClientRow = {
  id: "file",
  title: "a file",
  format: "json",
  scope: "file",
  base: "home",
  path: [],
  containers: [["mcpServers"], ["servers"], ["context_servers"], ["projects", "*", "mcpServers"]],
  disabledBy: {},
  expands: true,
  source: "",
};

/** Whether two paths are written for one file: Windows takes both slashes and either case. */
export function samePath(one: string, other: string, platform: Platform): boolean {
  const { resolve } = pathsOf(platform);
  const plain = (path: string) => (platform === "win32" ? resolve(path).toLowerCase() : resolve(path));
  return plain(one) === plain(other);
}

const pathsOf = (platform: Platform) => (platform === "win32" ? win32 : posix);

function baseOf(base: Base, { platform, home, env, project }: Surroundings): string {
  const { join } = pathsOf(platform);
  const roaming = env.APPDATA || join(home, "AppData", "Roaming");
  const xdg = env.XDG_CONFIG_HOME || join(home, ".config");
  switch (base) {
    case "home":
      return home;
    case "project":
      return project;
    case "claude":
      return env.CLAUDE_CONFIG_DIR || home;
    case "codex":
      return env.CODEX_HOME || join(home, ".codex");
    case "config":
      if (platform === "win32") return roaming;
      return platform === "darwin" ? join(home, "Library", "Application Support") : xdg;
    case "zed":
      // Zed keeps to ~/.config on macOS, and says Flatpak's own folder comes first.
      if (platform === "win32") return join(roaming, "Zed");
      if (platform === "darwin") return join(home, ".config", "zed");
      return join(env.FLATPAK_XDG_CONFIG_HOME || xdg, "zed");
  }
}
