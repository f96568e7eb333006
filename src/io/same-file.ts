// Whether two paths lead to one file.

import { statSync } from "node:fs";

/**
 * Also through links; false when one of them is not there. In one go: a start that waits for other threads is slower.
 */
export function sameFile(one: string, other: string): boolean {
  try {
    const [a, b] = [statSync(one), statSync(other)];
    return a.dev === b.dev && a.ino === b.ino;
  } catch {
    return false;
  }
}
