// Whether two paths lead to one file.

import { stat } from "node:fs/promises";

/** Also through links; false when one of them is not there. Never rejects. */
export async function sameFile(one: string, other: string): Promise<boolean> {
  try {
    const [a, b] = await Promise.all([stat(one), stat(other)]);
    return a.dev === b.dev && a.ino === b.ino;
  } catch {
    return false;
  }
}
