// A session's side of its reader: asks it, takes its answers, and starts it anew when it has crashed or hangs.

import { checkLimitMs } from "../core/contract/check.ts";
import type { ToolContract } from "../core/contract/types.ts";
import {
  CLOSE_WAIT_MS,
  READER_BACKOFF_MAX_MS,
  READER_BACKOFF_MS,
  READER_GRACE_MS,
  READER_HANG_MS,
} from "../core/limits.ts";
import type { FromReader } from "../core/readback/protocol.ts";
import type { DoubtReason } from "../core/readback/types.ts";
import type { Reply } from "../core/verdict/types.ts";
import type { Checker, CheckRun } from "./checker.ts";
import { type Environment, readerEnvironment, type SecretValues } from "./environment.ts";
import type { Lifeline } from "./lifeline.ts";
import { type ProcessPlatform, processPlatform } from "./platform.ts";
import { programPath } from "./program.ts";
import { type ReaderProcess, startReader } from "./reader-process.ts";

export interface ReaderOptions {
  /** fourgate's own environment, out of which the reader gets its share. */
  readonly environment: Environment;
  /** Credentials that do not stand in it. */
  readonly secrets?: SecretValues;
  /** The tools of the contract; those with a read-back are the reader's. */
  readonly tools: Iterable<ToolContract>;
  /** What to start; without it, fourgate itself with its hidden argument. */
  readonly command?: readonly [string, ...string[]];
  readonly platform?: ProcessPlatform;
  /** Ends what runs when this process is killed. */
  readonly lifeline?: Pick<Lifeline, "start" | "hold" | "release">;
}

/** The argument that makes fourgate a reader; it stands in no help. */
export const READER_ARGUMENT = "--reader";

/** Creates the reader of one session. Nothing is started before the first `prewarm` or `run`. */
export function createReader(options: ReaderOptions): Checker {
  const { environment, secrets = {}, platform = processPlatform(), lifeline } = options;
  const command = options.command ?? [process.execPath, programPath(), READER_ARGUMENT];
  const readbacks = [...options.tools].flatMap(({ tool, readback }) => (readback ? [[tool, readback] as const] : []));
  const env = readerEnvironment(
    environment,
    readbacks.flatMap(([, readback]) => readback.environment),
  );
  const credentials: Record<string, string> = {};
  for (const name of readbacks.flatMap(([, readback]) => readback.credentials)) {
    const value = secrets[name] ?? environment[name];
    if (value !== undefined) credentials[name] = value;
  }
  /** Checks without an answer, each with what settles it. */
  const asked = new Map<number, (reply: Reply) => void>();
  let reader: ReaderProcess | undefined;
  /** When the running reader last said something, or was started. */
  let heardAt = 0;
  /** When the next one may be started. */
  let mayStartAt = 0;
  let backoffMs = 0;
  let restart: NodeJS.Timeout | undefined;
  let closing: Promise<void> | undefined;

  function start(): ReaderProcess {
    const started = startReader({ command, env, platform, onMessage });
    reader = started;
    heardAt = performance.now();
    started.say({ type: "open", readbacks, credentials });
    lifeline?.hold(started.pid);
    void started.ended.then(() => {
      lifeline?.release(started.pid);
      if (reader !== started) return;
      reader = undefined;
      mayStartAt = performance.now() + backoffMs;
      // Started ahead of the next check, as the first one was.
      if (closing === undefined) restart = setTimeout(startAnew, backoffMs).unref();
      backoffMs = Math.min(Math.max(READER_BACKOFF_MS, backoffMs * 2), READER_BACKOFF_MAX_MS);
      for (const settle of asked.values()) settle(doubt("readback_error", "the reader ended"));
    });
    return started;

    function onMessage({ id, outcome }: FromReader): void {
      if (reader !== started) return;
      heardAt = performance.now();
      backoffMs = 0;
      asked.get(id)?.({ ended: "read", outcome });
    }
  }

  function startAnew(): void {
    if (reader === undefined && closing === undefined) start();
  }

  /** A check was not answered in time. A reader that stays silent even now is hung, and makes way for another. */
  function suspect(of: ReaderProcess): void {
    const since = performance.now();
    const look = () => {
      if (reader === of && heardAt < since) of.kill();
    };
    setTimeout(look, READER_HANG_MS).unref();
  }

  async function ask(check: number, tool: ToolContract, fields: string, budgetMs: number): Promise<Reply> {
    if (reader === undefined && performance.now() + budgetMs < mayStartAt) {
      return doubt("readback_error", "the reader keeps ending");
    }
    const begin = performance.now();
    const pauseMs = reader === undefined ? mayStartAt - begin : 0;
    return new Promise<Reply>((resolve) => {
      let asking: ReaderProcess | undefined;
      const settle = (reply: Reply): void => {
        if (!asked.delete(check)) return;
        clearTimeout(late);
        clearTimeout(paused);
        resolve(reply);
      };
      const late = setTimeout(() => {
        settle(doubt("readback_timeout", "the reader did not answer in time"));
        asking?.say({ type: "cancel", id: check });
        if (asking !== undefined) suspect(asking);
      }, budgetMs + READER_GRACE_MS);
      const put = () => {
        const waitedMs = performance.now() - begin;
        // Whatever of the contract's time the check has used already, the answer is that much older.
        const ageMs = Math.max(0, checkLimitMs(tool) - budgetMs) + waitedMs;
        asking = reader ?? start();
        const left = budgetMs - waitedMs;
        asking.say({ type: "check", id: check, readback: tool.tool, fields, budgetMs: left, ageMs });
      };
      asked.set(check, settle);
      const paused = pauseMs > 0 ? setTimeout(put, pauseMs) : undefined;
      if (pauseMs <= 0) put();
    });
  }

  async function end(): Promise<void> {
    clearTimeout(restart);
    for (const settle of asked.values()) settle({ ended: "cancelled" });
    const last = reader;
    if (last === undefined) return;
    last.dismiss();
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, CLOSE_WAIT_MS);
    });
    await Promise.race([last.ended, limit]);
    clearTimeout(timer);
    last.kill();
  }

  return {
    async run(check, tool, input, budgetMs): Promise<CheckRun> {
      const begin = performance.now();
      const ran = (reply: Reply): CheckRun => ({ reply, ms: performance.now() - begin, stderrTail: "" });
      if (closing !== undefined) return ran({ ended: "cancelled" });
      if (budgetMs <= 0) return ran(doubt("readback_timeout", "no time was left"));
      return ran(await ask(check, tool, input, budgetMs).catch((): Reply => ({ ended: "fault" })));
    },
    cancel(check) {
      const settle = asked.get(check);
      if (settle === undefined) return;
      reader?.say({ type: "cancel", id: check });
      settle({ ended: "cancelled" });
    },
    prewarm(tool) {
      if (tool.readback !== undefined) startAnew();
    },
    close() {
      closing ??= end();
      return closing;
    },
    killNow: () => reader?.kill(),
  };
}

function doubt(reason: DoubtReason, note: string): Reply {
  return { ended: "read", outcome: { type: "unknown", reason, attempts: 0, note } };
}
