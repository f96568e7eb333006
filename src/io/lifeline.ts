// A small process beside a session that ends what a guard leaves behind when it is killed outright and cannot do so itself.

import { type ChildProcess, spawn } from "node:child_process";
import { CLOSE_WAIT_MS, SERVER_EXIT_GRACE_MS, SERVER_KILL_GRACE_MS } from "../core/limits.ts";

export interface Lifeline {
  /** Starts it, if it does not run. */
  start(): void;
  /** The group that `leader` leads is to be killed at once when we end. Nothing happens without a number. */
  hold(leader: number | undefined): void;
  /** The group that `leader` leads, a server's, gets time to end by itself first, as it has when its client ends. */
  holdServer(leader: number): void;
  /** The group is ended, and its number may be somebody else's soon. */
  release(leader: number | undefined): void;
  /** All is ended; waits, within a bound, until it has gone. */
  close(): Promise<void>;
}

/** Between two looks at a server that may still end by itself. */
const LOOK_MS = 100;

/**
 * Reads `+ GROUP`, `s GROUP` and `- GROUP` until its stdin ends, which happens however we end; what is held then, is ended. A shell,
 * since a second Node would cost each session its start and 40 MB.
 */
const SCRIPT = `held=; servers=
while read -r what group; do
  case $what in
    +) held="$held $group" ;;
    s) servers="$servers $group" ;;
    -)
      kept=; for one in $held; do [ "$one" = "$group" ] || kept="$kept $one"; done; held=$kept
      kept=; for one in $servers; do [ "$one" = "$group" ] || kept="$kept $one"; done; servers=$kept ;;
  esac
done
for one in $held; do kill -9 "-$one"; done
for one in $servers; do
  left=${SERVER_EXIT_GRACE_MS / LOOK_MS}
  while [ $left -gt 0 ]; do kill -0 "-$one" || continue 2; sleep ${LOOK_MS / 1000} || sleep 1; left=$((left - 1)); done
  kill -15 "-$one"
  sleep ${SERVER_KILL_GRACE_MS / 1000}
  kill -9 "-$one"
done`;

/** The lifeline of one session; on Windows, which has neither groups nor a shell, one that does nothing. */
export function createLifeline(platform: NodeJS.Platform = process.platform): Lifeline {
  /** The groups that are held, each with its word. */
  const held = new Map<number, "+" | "s">();
  let child: ChildProcess | undefined;
  let ended: Promise<void> = Promise.resolve();
  let closed = false;

  function start(): void {
    if (child !== undefined || closed || platform === "win32") return;
    try {
      // No environment, so that it holds no credential; a group of its own, so that what is sent to ours does not reach it.
      const started = spawn("/bin/sh", ["-c", SCRIPT], {
        env: { PATH: "/usr/bin:/bin" },
        cwd: "/",
        stdio: ["pipe", "ignore", "ignore"],
        detached: true,
      });
      ended = new Promise((resolve) => {
        const gone = () => {
          if (child === started) child = undefined;
          resolve();
        };
        started.once("exit", gone);
        // Not even a shell to be had: nothing is held, and the next group tries again.
        started.on("error", () => started.pid === undefined && gone());
      });
      // Without a descriptor to be had there are not even pipes.
      if (started.stdin === undefined) return;
      child = started;
      started.stdin.on("error", () => {});
      started.unref();
      (started.stdin as unknown as { unref(): void }).unref();
      for (const [group, word] of held) say(word, group);
    } catch {
      child = undefined;
    }
  }

  function say(word: string, group: number): void {
    child?.stdin?.write(`${word} ${group}\n`);
  }

  function keep(word: "+" | "s", group: number): void {
    held.set(group, word);
    if (child === undefined) start();
    else say(word, group);
  }

  return {
    start,
    hold(leader) {
      if (leader !== undefined) keep("+", leader);
    },
    holdServer: (leader) => keep("s", leader),
    release(leader) {
      if (leader !== undefined && held.delete(leader)) say("-", leader);
    },
    async close() {
      closed = true;
      child?.stdin?.end();
      let timer: NodeJS.Timeout | undefined;
      const limit = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, CLOSE_WAIT_MS);
      });
      await Promise.race([ended, limit]);
      clearTimeout(timer);
    },
  };
}
