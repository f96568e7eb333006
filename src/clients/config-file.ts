// A client's configuration file on the disk: read whole, and replaced whole or not at all, with a backup beside it.

import { constants } from "node:fs";
import { access, type FileHandle, open, realpath, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** A Claude Code file grows with its history; one of this size is something else. */
export const MAX_CONFIG_MEBIBYTES = 64;

export interface ConfigFile {
  /** The file itself, where its name is a link. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  readonly links: number;
}

export type ReadConfig =
  | { readonly type: "file"; readonly file: ConfigFile }
  | { readonly type: "missing" }
  | { readonly type: "problem"; readonly problem: string };

/** Reads a file through links. Never rejects. */
export async function readConfigFile(name: string): Promise<ReadConfig> {
  let handle: FileHandle | undefined;
  try {
    const path = await realpath(name);
    // A pipe in its place must not keep us waiting.
    handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stat = await handle.stat();
    if (!stat.isFile()) return { type: "problem", problem: "it is no file" };
    if (stat.size > MAX_CONFIG_MEBIBYTES << 20) {
      return { type: "problem", problem: `larger than ${MAX_CONFIG_MEBIBYTES} MiB; that is no configuration` };
    }
    const bytes = await handle.readFile();
    const { mode, uid, gid, nlink } = stat;
    return { type: "file", file: { path, bytes, mode: mode & 0o7777, uid, gid, links: nlink } };
  } catch (error) {
    const code = codeOf(error);
    return code === "ENOENT" || code === "ENOTDIR" ? { type: "missing" } : { type: "problem", problem: code };
  } finally {
    await handle?.close();
  }
}

export type Replaced =
  | { readonly ok: true; readonly backup: string }
  | { readonly ok: false; readonly problem: string };

/**
 * Puts `bytes` in the place of what was read, after a backup that only its owner may read. A file that changed since it was
 * read stays as it is. `beforeRename` is for tests.
 */
export async function replaceConfigFile(
  file: ConfigFile,
  bytes: Uint8Array,
  now: Date,
  beforeRename: () => Promise<void> = async () => {},
): Promise<Replaced> {
  const { path } = file;
  if (file.links > 1) return no("it has several names (hard links), which would no longer be one file");
  const beside = join(dirname(path), `.${basename(path)}.fourgate-${process.pid}.tmp`);
  let backup: string | undefined;
  try {
    await access(path, constants.W_OK);
    backup = await writeBackup(file, now);
    await rm(beside, { force: true });
    await writeLike(file, beside, bytes, file.mode);
    await beforeRename();
    const again = await readConfigFile(path);
    if (again.type !== "file" || Buffer.compare(again.file.bytes, file.bytes) !== 0) {
      await discard(beside, backup);
      return no("it changed while it was edited, most likely by its client; close the client and try again");
    }
    await rename(beside, path);
    return { ok: true, backup };
  } catch (error) {
    await discard(beside, backup);
    return no(codeOf(error));
  }
}

/** `NAME.fourgate-backup-20261201T034340Z`, a number behind it where that is taken. */
async function writeBackup(file: ConfigFile, now: Date): Promise<string> {
  const stamp = now.toISOString().replaceAll(/[-:]|\.\d+/g, "");
  for (let n = 1; ; n++) {
    const name = `${file.path}.fourgate-backup-${stamp}${n === 1 ? "" : `-${n}`}`;
    try {
      // Entries hold tokens, and a copy is read by fewer eyes than it needs.
      await writeLike(file, name, file.bytes, file.mode & 0o600);
      return name;
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
    }
  }
}

/** A new file with the owner of the one it is made from. */
async function writeLike(file: ConfigFile, name: string, bytes: Uint8Array, mode: number): Promise<void> {
  const handle = await open(name, "wx", 0o600);
  try {
    const { uid, gid } = await handle.stat();
    if (uid !== file.uid || gid !== file.gid) await handle.chown(file.uid, file.gid);
    await handle.writeFile(bytes);
    await handle.chmod(mode);
    await handle.sync();
  } catch (error) {
    await rm(name, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}

async function discard(...names: readonly (string | undefined)[]): Promise<void> {
  for (const name of names) if (name !== undefined) await rm(name, { force: true }).catch(() => {});
}

const no = (problem: string): Replaced => ({ ok: false, problem });

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? "unknown error";
}
