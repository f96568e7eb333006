// Where a page may go: never in the place of a log, or of anything else that somebody keeps.

import { open, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { prepareReportFile } from "../../io/report-file.ts";
import { sameFile } from "../../io/same-file.ts";

/** What speaks against this place, in one sentence; undefined for nothing. Never rejects. */
export async function pageProblem(out: string, logs: readonly string[]): Promise<string | undefined> {
  const place = resolve(out);
  if (logs.some((log) => sameFile(log === "-" ? "/dev/stdin" : log, place))) {
    return "--out names one of the logs, which the page would replace";
  }
  // `--out *.jsonl` names the first of them, and the shell does not ask.
  if (await holdsSomethingElse(place)) return `--out names ${out}, which is there and is no page; it would be replaced`;
  const problem = await prepareReportFile(place);
  return problem === undefined ? undefined : `the page ${out} cannot be written: ${problem}`;
}

const BEGINNING = "<!doctype html>";

async function holdsSomethingElse(place: string): Promise<boolean> {
  try {
    const { size } = await stat(place).then((there) => (there.isFile() ? there : { size: 0 }));
    if (size === 0) return false;
    const file = await open(place, "r");
    const { buffer, bytesRead } = await file.read(Buffer.alloc(BEGINNING.length), 0, BEGINNING.length, 0);
    await file.close();
    return buffer.toString("latin1", 0, bytesRead).toLowerCase() !== BEGINNING;
  } catch {
    return false;
  }
}
