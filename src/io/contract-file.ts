// Reads a contract file from the disk and answers the core's questions about the machine.

import { closeSync, openSync, readSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { ContractHost } from "../core/contract/host.ts";
import type { Wording } from "../core/contract/issue.ts";
import type { ContractIssue } from "../core/contract/types.ts";
import { words } from "../core/contract/words.ts";
import { MAX_CONTRACT_BYTES } from "../core/limits.ts";

export type ContractBytes =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly issue: ContractIssue };

/**
 * The bytes of a file of at most 4 MiB, or what keeps it from being read. `file` is its absolute path. In one go: nothing else is
 * under way when a contract is read, and a start that waits for other threads is slower.
 */
export function readContractFile(file: string): ContractBytes {
  const refuse = (wording: Wording): ContractBytes => ({ ok: false, issue: { file, place: "", ...wording } });
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, "r");
    const bytes = readUpTo(descriptor, MAX_CONTRACT_BYTES + 1);
    return bytes.length > MAX_CONTRACT_BYTES ? refuse(words.fileTooLarge()) : { ok: true, bytes };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown error";
    if (code === "ENOENT" || code === "ENOTDIR") return refuse(words.fileMissing());
    if (code === "EISDIR") return refuse(words.fileIsDirectory());
    return refuse(words.fileUnreadable(code));
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Reads until the end or `most` bytes. The size is not asked for first, so that a pipe works and an endless one ends. */
function readUpTo(descriptor: number, most: number): Uint8Array {
  const chunks: Uint8Array[] = [];
  for (let size = 0; size < most; ) {
    const chunk = new Uint8Array(Math.min(64 * 1024, most - size));
    const bytesRead = readSync(descriptor, chunk);
    if (bytesRead === 0) break;
    chunks.push(chunk.subarray(0, bytesRead));
    size += bytesRead;
  }
  return Buffer.concat(chunks);
}

/** The host of a contract file on this machine. `program` is the path of fourgate's own entry file. */
export function contractHost(file: string, program: string): ContractHost {
  const folder = dirname(file);
  // Most tools name the same directory; each is looked at once.
  const directories = new Map<string, string | undefined>();
  return {
    file,
    directory: (path) => {
      if (!directories.has(path)) directories.set(path, existingDirectory(resolve(folder, path)));
      return directories.get(path);
    },
    path: (path) => resolve(folder, path),
    readbacks: () => import("../core/readback/part.ts"),
    placeholders: {
      node: [process.execPath],
      fourgate: [process.execPath, program],
      python: [process.platform === "win32" ? "python" : "python3"],
    },
  };
}

function existingDirectory(path: string): string | undefined {
  try {
    return statSync(path).isDirectory() ? path : undefined;
  } catch {
    // Missing, out of reach, too long or not a path at all: nothing could run there.
    return undefined;
  }
}
