// How a session ends: who closed first, how long the server may take, and that nothing of it is left.

import {
  BUSY_CHUNK_BYTES,
  SERVER_DRAIN_MS,
  SERVER_EXIT_GRACE_MS,
  SERVER_KILL_GRACE_MS,
  SERVER_OUTPUT_MAX_MS,
  SERVER_OUTPUT_QUIET_MS,
  STOPPED_FLUSH_MS,
} from "../../core/limits.ts";
import type { ProcessRef } from "../../io/platform.ts";
import { groupIsEmpty, killTree, snapshotDescendants } from "../../io/process-tree.ts";
import type { ServerEnd, ServerProcess } from "../../io/server-process.ts";
import type { StopSignals } from "../../io/signals.ts";

/** How often a waiting end looks again. */
const LOOK_MS = 50;

export interface EndingFacts {
  readonly server: ServerProcess;
  readonly signals: StopSignals;
  /** Nothing is in flight or held. */
  readonly idle: () => boolean;
  /** Lets go of everything that waits for a check. */
  readonly stop: () => void;
}

export interface Ending {
  /** The client closed its end: the server gets time to answer what is in flight, and then to end. */
  clientClosed(): void;
  /** The client reads no more: nothing that is said from now on reaches anybody. */
  clientGone(): void;
  /** The server said this many bytes. */
  serverSpoke(bytes: number): void;
  /** The server answered something that was asked. */
  serverAnswered(): void;
  /** The signal that fourgate was told to stop by. */
  signal(): NodeJS.Signals | undefined;
  /** Settles when the server's output counts as ended, although something may still hold it open. */
  readonly outputOver: Promise<void>;
  /** Settles when fourgate was told to stop and the client has had its time to take what is left. */
  readonly givenUp: Promise<void>;
  /**
   * The server's output has ended: waits for its end, helps it along, and removes what it left behind. Undefined when it may
   * not be ended (it runs as another user) and goes on.
   */
  finish(): Promise<ServerEnd | undefined>;
}

/** Watches over the end of a session. */
export function watchEnding(facts: EndingFacts): Ending {
  const { server } = facts;
  let told: NodeJS.Signals | undefined;
  let closedAt: number | undefined;
  let spokeAt = performance.now();
  /** When it last answered something, or was busy writing. */
  let workedAt = spokeAt;
  let ended: ServerEnd | undefined;
  let terminating: Promise<void> | undefined;
  /** The server's descendants when its end was asked for. */
  let family: Promise<readonly ProcessRef[]> | undefined;
  const parent = process.ppid;
  let abandon = () => {};
  const abandoned = new Promise<void>((resolve) => {
    abandon = resolve;
  });
  const whenEnded = server.ended.then((end) => {
    ended = end;
    return outputEnds();
  });
  const outputOver = Promise.race([whenEnded, abandoned]);
  let giveUp = () => {};
  const givenUp = new Promise<void>((resolve) => {
    giveUp = resolve;
  });

  facts.signals.listen((signal) => {
    if (told !== undefined) {
      // What left the group is only found while its parents run.
      void family?.then((snapshot) => killTree(server.pid, "SIGKILL", snapshot)).then(giveUp);
      return;
    }
    told = signal;
    facts.stop();
    void terminate(signal).then(() => setTimeout(giveUp, STOPPED_FLUSH_MS).unref());
  });

  /** The server is gone. What it said may still be under way; a process of its that keeps the pipe open must not keep the session. */
  async function outputEnds(): Promise<void> {
    const since = performance.now();
    spokeAt = since;
    await until(() => {
      const { stdout } = server;
      if (stdout.readableEnded || stdout.destroyed) return true;
      // Nothing is lost to a client that is slow.
      if (stdout.isPaused()) return false;
      const now = performance.now();
      return now - spokeAt >= SERVER_OUTPUT_QUIET_MS || now - since >= SERVER_OUTPUT_MAX_MS;
    }, Number.POSITIVE_INFINITY);
  }

  /** Asks the tree to end, and ends it. What left the group is found by its parents while those still run. */
  function terminate(signal: NodeJS.Signals): Promise<void> {
    terminating ??= (async () => {
      family = snapshotDescendants(server.pid);
      const snapshot = await family;
      await killTree(server.pid, signal, snapshot);
      await until(() => ended !== undefined && groupIsEmpty(server.pid), SERVER_KILL_GRACE_MS);
      await endTree(snapshot);
      await until(() => ended !== undefined, SERVER_KILL_GRACE_MS);
      // It runs as another user, say: nothing more can be done about it.
      if (ended === undefined) abandon();
    })();
    return terminating;
  }

  async function endTree(snapshot: readonly ProcessRef[]): Promise<void> {
    const all = ended ? snapshot : [...snapshot, ...(await snapshotDescendants(server.pid))];
    await killTree(server.pid, "SIGKILL", all);
    await until(() => groupIsEmpty(server.pid), SERVER_KILL_GRACE_MS);
  }

  function watch(): void {
    const now = performance.now();
    // A client that is slow to read keeps the server from going on. A notification now and then is no work.
    if (server.stdout.isPaused()) workedAt = now;
    const silent = now - Math.max(closedAt!, workedAt);
    // Without a client there is nobody left to answer, whatever is in flight.
    const patience = facts.idle() || process.ppid !== parent ? SERVER_EXIT_GRACE_MS : SERVER_DRAIN_MS;
    if (silent >= patience) void terminate("SIGTERM");
    else if (!terminating) setTimeout(watch, LOOK_MS).unref();
  }

  return {
    clientClosed() {
      if (closedAt !== undefined) return;
      closedAt = performance.now();
      watch();
    },
    clientGone() {
      facts.stop();
      server.stdin.end();
      server.stdout.resume();
      void until(() => ended !== undefined, SERVER_EXIT_GRACE_MS).then(() => terminate("SIGTERM"));
    },
    serverSpoke(bytes) {
      spokeAt = performance.now();
      if (bytes >= BUSY_CHUNK_BYTES) workedAt = spokeAt;
    },
    serverAnswered() {
      workedAt = performance.now();
    },
    outputOver,
    givenUp,
    signal: () => told,
    async finish() {
      if (!terminating) await until(() => ended !== undefined, SERVER_EXIT_GRACE_MS);
      // A launcher may have ended and left its server behind in the group.
      if (!terminating && ended && (await groupIsEmpty(server.pid))) return ended;
      await terminate(told ?? "SIGTERM");
      return ended;
    },
  };
}

/** Waits until the condition holds, at most `ms`. */
async function until(condition: () => boolean | Promise<boolean>, ms: number): Promise<void> {
  const end = performance.now() + ms;
  while (!(await condition()) && performance.now() < end)
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS / 5));
}
