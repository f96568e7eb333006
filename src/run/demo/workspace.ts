// Where the demo finds its programs and leaves its files: two in the user's directory, the rest in a temporary one that is removed.

import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export interface Workspace {
  /** The outcome log; empty at the start. */
  readonly log: string;
  readonly summary: string;
  /** A directory of its own for ticket stores. */
  readonly stores: string;
  remove(): Promise<void>;
}

/** The programs of the demo, as the build leaves them. */
export const programs = {
  fourgate: inPackage("dist/main.cjs"),
  server: inPackage("dist/ticket-server.mjs"),
  contract: inPackage("examples/servers/tickets/contract.jsonc"),
};

/** Makes the directory and an empty log. Gives a one-line problem when the user's choice of directory does not allow it. */
export async function openWorkspace(out: string): Promise<Workspace | { readonly problem: string }> {
  const directory = resolve(out);
  const log = join(directory, "demo-outcomes.jsonl");
  const summary = join(directory, "fourgate-demo-summary.html");
  try {
    await makeDirectory(directory);
    await writeFile(log, "", { mode: 0o600 });
    await writeFile(summary, "", { mode: 0o600 });
  } catch (error) {
    return { problem: `cannot write to ${out} (${codeOf(error)}); give a writable directory with --out` };
  }
  let stores: string;
  try {
    stores = await mkdtemp(join(tmpdir(), "fourgate-demo-"));
  } catch (error) {
    return { problem: `cannot make a temporary directory (${codeOf(error)}); set TMPDIR to a writable one` };
  }
  return { log, summary, stores, remove: () => rm(stores, { recursive: true, force: true }) };
}

/** The records in the log so far, each as mode/status/reason; a line that is no record shows as `unreadable`. */
export async function readRecords(log: string): Promise<string[]> {
  const text = await readFile(log, "utf8").catch(() => "");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      try {
        const record = JSON.parse(line) as Record<string, unknown>;
        return `${record.mode}/${record.status}/${record.reason_code}`;
      } catch {
        return "unreadable";
      }
    });
}

/** Makes a directory and those above it. Node's own recursive mkdir never returns below /proc. */
async function makeDirectory(directory: string): Promise<void> {
  try {
    await mkdir(directory);
  } catch (error) {
    if (codeOf(error) === "EEXIST") return;
    if (codeOf(error) !== "ENOENT" || dirname(directory) === directory) throw error;
    await makeDirectory(dirname(directory));
    await mkdir(directory);
  }
}

function inPackage(path: string): string {
  // The bundle is flat, so that every chunk of it stands in dist/.
  return fileURLToPath(new URL(`../${path}`, import.meta.url));
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? "unknown error";
}
