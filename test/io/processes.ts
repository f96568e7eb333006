// Looks for processes by what they were started with, independently of the code under test. Needs /proc.

import { readdir, readFile } from "node:fs/promises";
import { expect, vi } from "vitest";

/** The numbers of running processes whose environment or command line holds the text. Zombies have neither. */
export async function processesWith(text: string): Promise<number[]> {
  const found: number[] = [];
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue;
    for (const file of ["environ", "cmdline"]) {
      const content = await readFile(`/proc/${name}/${file}`, "latin1").catch(() => "");
      if (content.includes(text)) found.push(Number(name));
    }
  }
  return found;
}

/** Waits until no process holds the text, and fails when one stays for 10 s. */
export async function expectNothingLeft(text: string): Promise<void> {
  await vi.waitFor(async () => expect(await processesWith(text)).toEqual([]), { timeout: 10_000, interval: 20 });
}
