// Writes a report file: private, whole or not at all.

import { constants } from "node:fs";
import { access, mkdir, open, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** What keeps a file from being written: the system's word for it. */
export type WriteProblem = string | undefined;

/** What is no file and may be named all the same. */
const STREAMS: Readonly<Record<string, () => NodeJS.WriteStream | undefined>> = {
  "/dev/stdout": () => process.stdout,
  "/dev/stderr": () => process.stderr,
  "/dev/null": () => undefined,
};
const NO_FILE = "it is a pipe, a device or a socket and no file";

/** Makes the folder (0700 where it is new) and looks whether the file can be put there; opens nothing. Never rejects. */
export async function prepareReportFile(path: string): Promise<WriteProblem> {
  if (Object.hasOwn(STREAMS, path)) return undefined;
  try {
    await makeFolder(dirname(path));
    const there = await stat(path).catch(() => undefined);
    if (there?.isDirectory()) return "EISDIR";
    if (there !== undefined && !there.isFile()) return NO_FILE;
    await access(dirname(path), constants.W_OK);
    return undefined;
  } catch (error) {
    return codeOf(error);
  }
}

/** Puts the text in the place of whatever the file held, with mode 0600; to a stream of this process it is added. Never rejects. */
export async function writeReportFile(path: string, text: string): Promise<WriteProblem> {
  if (Object.hasOwn(STREAMS, path)) return writeStream(STREAMS[path]!(), text);
  const beside = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
  try {
    const there = await stat(path).catch(() => undefined);
    if (there !== undefined && !there.isFile()) return there.isDirectory() ? "EISDIR" : NO_FILE;
    await rm(beside, { force: true });
    await write(beside, "wx", text);
    await rename(beside, path);
    return undefined;
  } catch (error) {
    await rm(beside, { force: true }).catch(() => {});
    return codeOf(error);
  }
}

function writeStream(stream: NodeJS.WriteStream | undefined, text: string): Promise<WriteProblem> {
  return new Promise((resolve) => {
    if (stream === undefined) return resolve(undefined);
    if (stream === process.stdout) {
      // Whoever writes the main report there waits for all of it and hears of errors.
      stream.write(text);
      return resolve(undefined);
    }
    stream.once("error", (error) => resolve(codeOf(error)));
    stream.write(text, (error) => resolve(error ? codeOf(error) : undefined));
  });
}

/** Puts the text at the end of a file that somebody else made. Never rejects. */
export async function appendReport(path: string, text: string): Promise<WriteProblem> {
  try {
    await write(path, "a", text);
    return undefined;
  } catch (error) {
    return codeOf(error);
  }
}

/** Node's own way of making a folder with those above it never ends where the system takes none, as in /proc. */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    const code = codeOf(error);
    if (code === "EEXIST" && (await stat(path)).isDirectory()) return;
    if (code !== "ENOENT" || dirname(path) === path) throw error;
    await makeFolder(dirname(path));
    await mkdir(path, { mode: 0o700 });
  }
}

async function write(path: string, flags: string, text: string): Promise<void> {
  const file = await open(path, flags, 0o600);
  try {
    await file.writeFile(text);
  } finally {
    await file.close();
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? "unknown error";
}
