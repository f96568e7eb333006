// Whether somebody else may change what a path means: the file, a link to it, or a folder on the way.

import { lstatSync, realpathSync, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";

/** How a path may come to mean something else, and where. */
export interface Looseness {
  readonly path: string;
  readonly how: "link" | "writable";
}

/**
 * Looks at the file of an absolute path and at every folder above where it really is. "writable" is what every user of the
 * machine may change; a group is its owner's choice, and many systems give each user one of their own. A folder with the sticky bit, such as /tmp, lets only owners replace what is in it. With `linkMayBe` the file itself may
 * be a symbolic link. Undefined when all is well, when nothing is there, and on Windows, whose modes say nothing.
 */
export function looseness(path: string, linkMayBe: boolean): Looseness | undefined {
  if (process.platform === "win32") return undefined;
  try {
    if (!linkMayBe && lstatSync(path).isSymbolicLink()) return { path, how: "link" };
    const real = realpathSync.native(path);
    const places = [real];
    for (let above = dirname(real); above !== places.at(-1); above = dirname(above)) places.push(above);
    // A link's own folder says where it points to.
    if (dirname(path) !== dirname(real)) places.push(dirname(path));
    const loose = places.find((place) => writableByOthers(statSync(place)));
    return loose === undefined ? undefined : { path: loose, how: "writable" };
  } catch {
    return undefined;
  }
}

function writableByOthers(there: Stats): boolean {
  return (there.mode & 0o002) !== 0 && !(there.isDirectory() && (there.mode & 0o1000) !== 0);
}
