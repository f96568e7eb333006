// The published clients and servers that take part in recordings, each at one exact version, in a folder of their own.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const folder = fileURLToPath(new URL("../../.build/wire-peers", import.meta.url));
const scope = "@modelcontextprotocol";

/** For each revision the last SDK whose newest revision it is, and a server that came out with it. */
const dependencies = {
  "sdk-2024-11-05": `npm:${scope}/sdk@1.9.0`,
  "sdk-2025-03-26": `npm:${scope}/sdk@1.12.3`,
  "sdk-2025-06-18": `npm:${scope}/sdk@1.20.2`,
  "sdk-2025-11-25": `npm:${scope}/sdk@1.32.2`,
  "everything-2024-11-05": `npm:${scope}/server-everything@2025.3.19`,
  "everything-2025-03-26": `npm:${scope}/server-everything@2025.5.12`,
  "everything-2025-06-18": `npm:${scope}/server-everything@2025.9.25`,
  "everything-2025-11-25": `npm:${scope}/server-everything@2026.8.31`,
  [`${scope}/client`]: "2.4.0",
  [`${scope}/server`]: "2.4.0",
  [`${scope}/server-filesystem`]: "2026.8.31",
  [`${scope}/server-memory`]: "2026.8.31",
};

/** A file of an installed package. */
export const peer = (name, file) => join(folder, "node_modules", name, file);
export const scoped = (name, file) => peer(`${scope}/${name}`, file);
export const load = (path) => import(pathToFileURL(path).href);

/** Installs the peers, unless just these are there. */
export function installPeers() {
  const manifest = JSON.stringify({ private: true, dependencies }, undefined, 2);
  const file = join(folder, "package.json");
  const done = join(folder, "node_modules/.package-lock.json");
  if (existsSync(done) && readFileSync(file, "utf8") === manifest) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, manifest);
  const flags = ["install", "--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts"];
  const npm = spawnSync("npm", flags, { cwd: folder, stdio: "inherit", shell: process.platform === "win32" });
  if (npm.status !== 0) process.exit(npm.status ?? 1);
}
