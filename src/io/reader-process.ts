// One reader process: its start, the lines to it and from it, and its end. What is asked, and when it is started anew, is elsewhere.

import { spawn } from "node:child_process";
import { MAX_READER_LINE_BYTES } from "../core/limits.ts";
import { type FromReader, parseFromReader, readerLine, type ToReader } from "../core/readback/protocol.ts";
import type { ProcessPlatform } from "./platform.ts";

export interface ReaderProcess {
  /** Undefined when it could not be started. */
  readonly pid: number | undefined;
  /** Settles when it has exited, or could not start. Never rejects. */
  readonly ended: Promise<void>;
  say(message: ToReader): void;
  /** Asks it to leave, by the end of its stdin. */
  dismiss(): void;
  /** Ends it with all that it started. */
  kill(): void;
}

export interface ReaderStart {
  readonly command: readonly [string, ...string[]];
  readonly env: Record<string, string>;
  readonly platform: ProcessPlatform;
  readonly onMessage: (message: FromReader) => void;
}

/** Starts a reader. Never throws: one that cannot start has ended. */
export function startReader({ command, env, platform, onMessage }: ReaderStart): ReaderProcess {
  let child: ReturnType<typeof spawnReader>;
  try {
    child = spawnReader(command, env, platform);
  } catch {
    return neverStarted();
  }
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.on("error", () => {
      if (child.pid === undefined) resolve();
    });
  });
  // Without a descriptor to be had there are not even pipes.
  if (child.stdin === undefined) return neverStarted();
  const kill = (): void => {
    if (child.pid !== undefined) platform.signalGroup(child.pid, "SIGKILL");
  };
  // A reader that has gone is seen by its exit; the pipes' own errors add nothing.
  child.stdin.on("error", () => {});
  child.stdout.on("error", () => {});
  let rest = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop()!;
    // It never says this much; whatever it is doing, it is not reading.
    if (rest.length > MAX_READER_LINE_BYTES) kill();
    for (const line of lines) {
      const message = parseFromReader(line);
      if (message !== undefined) onMessage(message);
    }
  });
  // What it started ends with it.
  void ended.then(kill);
  return {
    pid: child.pid,
    ended,
    say(message) {
      // What is asked in one turn goes to it in one write: waking it costs more than the question.
      if (child.stdin.writableCorked === 0) {
        child.stdin.cork();
        process.nextTick(() => child.stdin.uncork());
      }
      child.stdin.write(readerLine(message));
    },
    dismiss: () => void child.stdin.end(),
    kill,
  };
}

function neverStarted(): ReaderProcess {
  return { pid: undefined, ended: Promise.resolve(), say: () => {}, dismiss: () => {}, kill: () => {} };
}

function spawnReader(
  [program, ...args]: ReaderStart["command"],
  env: Record<string, string>,
  platform: ProcessPlatform,
) {
  return spawn(program, args, {
    env,
    stdio: ["pipe", "pipe", "ignore"],
    // A group of its own, so that everything it starts can be ended in one stroke.
    detached: platform.ownGroups,
    windowsHide: true,
  });
}
