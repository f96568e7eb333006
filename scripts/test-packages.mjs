// Installs what only the tests run and what is large or has to be compiled for it, once. Two of the packages are then found like any
// other; the rest the tests name by their path.

import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = join(root, "test/packages");
const LINKED = ["better-sqlite3", "mcp-sqlite"];

/** npm writes this file last, so it is there only after a whole installation. */
const installed = join(folder, "node_modules/.package-lock.json");
const lock = join(folder, "package-lock.json");

if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(lock).mtimeMs) {
  console.log("Installing the packages in test/packages (once; SQLite is compiled, which takes a minute or two) ...");
  const npm = spawnSync("npm", ["ci", "--no-audit", "--no-fund"], {
    cwd: folder,
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  if (npm.status !== 0) process.exit(npm.status ?? 1);
}
for (const name of LINKED) {
  const link = join(root, "node_modules", name);
  if (lstatSync(link, { throwIfNoEntry: false })) rmSync(link, { recursive: true });
  symlinkSync(join(folder, "node_modules", name), link, "junction");
}
