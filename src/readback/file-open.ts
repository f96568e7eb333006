// Opens one entry below a root in a way that no link and no race leads out of it, and nothing can block.

import { constants, type Stats } from "node:fs";
import { type FileHandle, lstat, open, readlink, realpath } from "node:fs/promises";
import { join, sep } from "node:path";

export type OpenedEntry =
  | { readonly type: "file"; readonly handle: FileHandle; readonly stats: Stats }
  | { readonly type: "folder" }
  /** The last name is not there; `folder` when a folder on the way is not. */
  | { readonly type: "missing"; readonly folder: boolean }
  /** A few words without any path. */
  | { readonly type: "doubt"; readonly note: string };

const doubt = (note: string): OpenedEntry => ({ type: "doubt", note });

/** Windows has neither; there the comparison afterwards must do. */
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;
const NO_WAIT = constants.O_NONBLOCK ?? 0;

/**
 * Opens the entry whose names, from the real root on, are `parts`. Links are followed on the way as long as they stay below the
 * root, and never at the end. Never rejects.
 */
export async function openBelow(
  realRoot: string,
  parts: readonly string[],
  platform: NodeJS.Platform = process.platform,
): Promise<OpenedEntry> {
  let parent: FileHandle | undefined;
  try {
    const way = join(realRoot, ...parts.slice(0, -1));
    let at: string;
    try {
      // What is held open cannot be exchanged for something else any more.
      if (platform === "linux") {
        parent = await open(way, constants.O_RDONLY | constants.O_DIRECTORY | NO_WAIT);
        at = `/proc/self/fd/${parent.fd}`;
      } else at = await realpath(way);
    } catch (error) {
      const code = codeOf(error);
      return code === "ENOENT" ? { type: "missing", folder: true } : doubt(`a folder of the path: ${code}`);
    }
    const real = parent === undefined ? at : await readlink(at);
    if (!isWithin(real, realRoot)) return doubt("a link leads out of the root");
    return await openEntry(join(at, parts.at(-1)!), async () => {
      // Without a folder that is held open, what was opened must be what stands there now.
      if (parent !== undefined) return undefined;
      return (await realpath(way)) === real ? lstat(join(real, parts.at(-1)!)) : "moved";
    });
  } catch (error) {
    return doubt(codeOf(error));
  } finally {
    await parent?.close().catch(() => {});
  }
}

/** `again` looks at the entry once more, where that is needed. */
async function openEntry(path: string, again: () => Promise<Stats | "moved" | undefined>): Promise<OpenedEntry> {
  let before: Stats;
  try {
    before = await lstat(path);
  } catch (error) {
    const code = codeOf(error);
    if (code !== "ENOENT") return doubt(code);
    const moved = await again().catch((late) => codeOf(late));
    return moved === undefined || moved === "ENOENT"
      ? { type: "missing", folder: false }
      : doubt("it is being changed");
  }
  // Opening a device or a pipe can do something or wait for somebody.
  if (before.isSymbolicLink()) return doubt("it is a link, which is not followed");
  if (before.isDirectory()) return { type: "folder" };
  if (!before.isFile()) return doubt("it is neither a file nor a folder");
  const handle = await open(path, constants.O_RDONLY | NO_FOLLOW | NO_WAIT);
  try {
    const stats = await handle.stat();
    const now = await again();
    const same = (other: Stats) => other.dev === stats.dev && other.ino === stats.ino;
    if (!stats.isFile() || !same(before) || (now !== undefined && (now === "moved" || !same(now)))) {
      await handle.close();
      return doubt("it is being changed");
    }
    return { type: "file", handle, stats };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

export function isWithin(path: string, root: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

/** The system's short word for an error; never its message, which holds a path. */
export function codeOf(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === "string" && /^[A-Z0-9_]{1,60}$/.test(code) ? code : "unknown error";
}
