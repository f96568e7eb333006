// Finds what a path of a call means, the way the server finds it, and says what is there. Nothing is written.

import { readdir, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join, parse, resolve, sep } from "node:path";

/**
 * What stands at `requested`: `{type: "file", path, size}`, `{type: "directory", path}` or `{type: "missing"}`. Links are followed.
 * Throws when that cannot be said: the path depends on something unknown, access is denied, it is neither file nor directory, or
 * nothing shows that this program and the server look at the same file system.
 */
export async function locate(requested) {
  const roots = readRoots();
  const absolute = toAbsolute(requested, roots);
  const path = await existing(absolute, roots);
  if (path === undefined) return { type: "missing" };
  const stats = await stat(path);
  if (stats.isDirectory()) return { type: "directory", path };
  if (stats.isFile()) return { type: "file", path, size: stats.size };
  throw new Error("neither a file nor a directory");
}

/** FILESYSTEM_ROOTS: the directories that the server was given, in its order; empty when unset. */
function readRoots() {
  const roots = (process.env.FILESYSTEM_ROOTS ?? "").split(delimiter).filter((root) => root !== "");
  if (!roots.every((root) => isAbsolute(root))) throw new Error("FILESYSTEM_ROOTS holds a relative path");
  return roots.map((root) => resolve(root));
}

/** Resolves a path of a call as the server does: `~` first, then a relative path against the first root that holds it. */
function toAbsolute(requested, roots) {
  if (typeof requested !== "string" || requested === "") throw new Error("the path is not text");
  if (requested.includes("\0")) throw new Error("the path holds a null character");
  const expanded = requested === "~" || requested.startsWith("~/") ? join(homedir(), requested.slice(1)) : requested;
  if (isAbsolute(expanded)) {
    const absolute = resolve(expanded);
    // The server does not work outside its roots, so such a path shows that it has others than we were told.
    if (roots.length > 0 && !isInside(absolute, roots)) throw new Error("the path is outside FILESYSTEM_ROOTS");
    return absolute;
  }
  const candidate = roots.map((root) => resolve(root, expanded)).find((path) => isInside(path, roots));
  if (candidate === undefined)
    throw new Error("a relative path, and FILESYSTEM_ROOTS does not say what it starts from");
  return candidate;
}

function isInside(path, roots) {
  return roots.some((root) => path === root || path.startsWith(root.endsWith(sep) ? root : root + sep));
}

/** The name under which `absolute` exists, or undefined when it is proven not to. */
async function existing(absolute, roots) {
  const { root } = parse(absolute);
  const parts = absolute.slice(root.length).split(sep).filter(Boolean);
  let current = root;
  for (const [index, part] of parts.entries()) {
    const next = join(current, part);
    const found = (await exists(next)) ? next : await sameName(current, part);
    if (found === undefined) {
      await expectSameFileSystem(absolute, roots, index === parts.length - 1);
      return undefined;
    }
    current = found;
  }
  return current;
}

/**
 * A path that is not there proves something only if the server would have put it there: in a container it sees other files than we
 * do. So the root that holds the path must exist or, where no roots are known, the directory around it.
 */
async function expectSameFileSystem(absolute, roots, parentExists) {
  const root = roots.find((candidate) => isInside(absolute, [candidate]));
  if (root === undefined ? parentExists : await exists(root)) return;
  throw new Error("the directory around the path is not there; is it the server's file system?");
}

async function exists(path) {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return false;
    throw error;
  }
}

/** The server takes an entry whose name differs only in Unicode normalisation for the one that was asked for; so do we. */
async function sameName(directory, part) {
  const wanted = part.normalize("NFC");
  let names;
  try {
    names = await readdir(directory);
  } catch (error) {
    if (error.code === "ENOTDIR") return undefined;
    throw error;
  }
  const same = names.filter((name) => name !== part && name.normalize("NFC") === wanted);
  if (same.length > 1) throw new Error("several entries have the same name but for Unicode normalisation");
  const [name] = same;
  return name !== undefined && (await exists(join(directory, name))) ? join(directory, name) : undefined;
}
