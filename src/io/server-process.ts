// The wrapped server as a process: started in a group of its own, its stdin and stdout in our hands, its stderr the client's.

import { type ChildProcess, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { launch } from "./launch.ts";
import { type ProcessPlatform, processPlatform } from "./platform.ts";
import { slabReaderOf } from "./slab-reader.ts";

export interface ServerEnd {
  /** Exit status, or null when a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface ServerProcess {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Null when it is the caller's own. */
  readonly stderr: Readable | null;
  /** Settles when the process itself has ended; its output may still be held open by a child of it. */
  readonly ended: Promise<ServerEnd>;
}

export type ServerStart =
  | { readonly ok: true; readonly server: ServerProcess }
  /** The system's word for it, like ENOENT. */
  | { readonly ok: false; readonly code: string };

export interface ServerStartOptions {
  /** Its working directory; without it, fourgate's own. */
  readonly cwd?: string;
  /** Whose its stderr is: the client's, or ours to read. */
  readonly stderr?: "inherit" | "pipe";
  /** How its stdout is read: by `slabReaderOf` where that is possible, whose bytes must have a "data" listener; or by any stream's means. */
  readonly pump?: "slabs" | "portable";
  readonly platform?: ProcessPlatform;
}

/**
 * Starts a program without a shell. Its own group lets us end all that it starts; a
 * terminal's Ctrl-C no longer reaches it by itself and is forwarded instead. Never rejects.
 */
export async function startServer(
  command: string,
  args: readonly string[],
  env: Record<string, string>,
  { cwd, stderr = "inherit", pump = "portable", platform = processPlatform() }: ServerStartOptions = {},
): Promise<ServerStart> {
  let child: ChildProcess;
  try {
    const start = launch(command, args, env);
    if (typeof start === "string") return { ok: false, code: start };
    child = spawn(start.program, [...start.args], {
      env,
      ...(cwd !== undefined && { cwd }),
      windowsVerbatimArguments: start.verbatim,
      stdio: ["pipe", "pipe", stderr],
      detached: platform.ownGroups,
      windowsHide: true,
    });
  } catch (error) {
    return { ok: false, code: codeOf(error) };
  }
  // A server that dies while we write to it is seen by its end; the pipe's own error adds nothing.
  const stdin = child.stdin!;
  const slabs = pump === "slabs" ? slabReaderOf(child.stdout!) : undefined;
  const stdout = slabs ?? child.stdout!;
  for (const stream of [stdin, stdout, child.stderr]) stream?.on("error", () => {});
  if (slabs === undefined) holdUntilRead(stdout);
  const ended = new Promise<ServerEnd>((resolve) => {
    child.once("exit", (code, signal) => resolve({ code, signal }));
  });
  const started = await new Promise<string | undefined>((resolve) => {
    child.once("spawn", () => resolve(undefined));
    child.on("error", (error) => resolve(codeOf(error)));
  });
  if (started !== undefined || child.pid === undefined) return { ok: false, code: started ?? "unknown error" };
  return { ok: true, server: { pid: child.pid, stdin, stdout, stderr: child.stderr, ended } };
}

/**
 * Node throws away what a process said when it ends before somebody reads it. Its output is kept by listening for
 * "readable" until the first "data" listener comes.
 */
function holdUntilRead(stream: Readable): void {
  const hold = () => {};
  stream.on("readable", hold);
  stream.on("newListener", function take(event) {
    if (event !== "data") return;
    stream.off("newListener", take);
    stream.off("readable", hold);
  });
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? "unknown error";
}
