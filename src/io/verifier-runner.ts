// Runs verifiers for a session: one process a check, within its budget, and nothing of it left afterwards.

import type { VerifierSpec } from "../core/contract/types.ts";
import { CLOSE_WAIT_MS, DESCENDANT_WALK_MS } from "../core/limits.ts";
import type { Reply } from "../core/verdict/types.ts";
import { type Environment, type SecretValues, verifierEnvironment } from "./environment.ts";
import type { Lifeline } from "./lifeline.ts";
import { type ProcessPlatform, type ProcessRef, processPlatform } from "./platform.ts";
import { killTree } from "./process-tree.ts";
import { presentStderr } from "./stderr-tail.ts";
import { createPool, type Pool } from "./verifier-pool.ts";
import { startVerifier, type VerifierProcess } from "./verifier-process.ts";
import { createSweeper, MARK_VARIABLE } from "./verifier-sweep.ts";

export interface VerifierRun {
  readonly reply: Reply;
  /** Milliseconds from `run` to the reply. */
  readonly ms: number;
  /** The end of its stderr, without the values of its `secret_env` and its input; for people, never for the log. Made when it is read. */
  readonly stderrTail: string;
}

export interface VerifierRunner {
  /** Runs one check: `input` is its stdin, `budgetMs` its limit. Never rejects. `check` is a number unique in the session. */
  run(check: number, spec: VerifierSpec, input: string, budgetMs: number): Promise<VerifierRun>;
  /** Ends a running check as `cancelled`; nothing happens when it is settled or unknown. */
  cancel(check: number): void;
  /** Starts `spec.prewarm` processes ahead; `run` with the same spec object then takes one. */
  prewarm(spec: VerifierSpec): void;
  /** Ends everything and waits, at most CLOSE_WAIT_MS, until nothing is left. Later runs settle as cancelled. */
  close(): Promise<void>;
  /** Ends every process group at once without waiting; for a process that must leave now. */
  killNow(): void;
}

export interface VerifierRunnerOptions {
  /** fourgate's own environment, out of which each verifier gets its share. */
  readonly environment: Environment;
  /** Credentials that do not stand in it; a verifier gets those that its `secret_env` names. */
  readonly secrets?: SecretValues;
  readonly platform?: ProcessPlatform;
  /** Ends what runs when this process is killed. */
  readonly lifeline?: Pick<Lifeline, "start" | "hold" | "release">;
}

interface Marked {
  readonly process: VerifierProcess;
  readonly mark: string;
  readonly prewarmed: boolean;
}

/** Creates the runner of one session. */
export function createVerifierRunner(options: VerifierRunnerOptions): VerifierRunner {
  const { environment, secrets = {}, platform = processPlatform(), lifeline } = options;
  const sweeper = createSweeper(platform);
  const running = new Map<number, Marked>();
  const pools = new Map<VerifierSpec, Pool<Marked & { ended: Promise<unknown>; alive(): boolean }>>();
  const alive = new Set<VerifierProcess>();
  const reaping = new Set<Promise<void>>();
  let closing: Promise<void> | undefined;

  /** Each verifier's share of the environment; it takes longer to choose than to copy. */
  const shares = new Map<VerifierSpec, Record<string, string>>();
  function shareOf(spec: VerifierSpec): Record<string, string> {
    const share = shares.get(spec) ?? verifierEnvironment(environment, spec);
    for (const name of spec.secretEnv) if (secrets[name] !== undefined) share[name] = secrets[name];
    shares.set(spec, share);
    return share;
  }

  function start(spec: VerifierSpec, prewarmed: boolean): Marked & { ended: Promise<unknown>; alive(): boolean } {
    const mark = sweeper.mark();
    // No prototype here either: a variable may have any name.
    const env = Object.assign(Object.create(null), shareOf(spec), { [MARK_VARIABLE]: mark });
    const process = startVerifier(spec, env, platform);
    alive.add(process);
    lifeline?.hold(process.pid);
    return { process, mark, prewarmed, ended: process.ended, alive: () => process.alive() };
  }

  /** Ends what is left of a settled process: group, descendants and, later, whatever carries its mark. */
  function reap({ process, mark }: Marked): void {
    const work = endTree(process, platform)
      .catch(() => {})
      .then(() => {
        alive.delete(process);
        lifeline?.release(process.pid);
        reaping.delete(work);
        sweeper.release(mark);
      });
    reaping.add(work);
  }

  async function attempt(check: number, marked: Marked, input: string, budgetMs: number): Promise<Reply> {
    running.set(check, marked);
    marked.process.ask(input, budgetMs);
    const reply = await marked.process.ended;
    running.delete(check);
    reap(marked);
    return reply;
  }

  async function settle(check: number, spec: VerifierSpec, input: string, budgetMs: number): Promise<VerifierRun> {
    const begin = performance.now();
    const left = (): number => budgetMs - (performance.now() - begin);
    let marked = pools.get(spec)?.take() ?? start(spec, false);
    // Starting it took its time, much of it where the machine is busy or we were stopped.
    let reply = await attempt(check, marked, input, left());
    if (marked.prewarmed && diedUnasked(reply, marked.process) && left() > 0 && closing === undefined) {
      marked = start(spec, false);
      reply = await attempt(check, marked, input, left());
    }
    return {
      reply,
      ms: performance.now() - begin,
      get stderrTail() {
        const withheld = spec.secretEnv.map((name) => secrets[name] ?? environment[name] ?? "");
        return presentStderr(marked.process.stderr(), withheld, input);
      },
    };
  }

  async function end(): Promise<void> {
    for (const marked of [...pools.values()].flatMap((pool) => pool.close())) {
      marked.process.cancel();
      reap(marked);
    }
    for (const marked of running.values()) marked.process.cancel();
    // Cancelled checks reach their own reaping first.
    await new Promise((resolve) => setImmediate(resolve));
    await Promise.all(reaping);
    await sweeper.finish();
  }

  return {
    async run(check, spec, input, budgetMs) {
      if (closing !== undefined) return { reply: { ended: "cancelled" }, ms: 0, stderrTail: "" };
      if (budgetMs <= 0) return { reply: { ended: "timeout" }, ms: 0, stderrTail: "" };
      const begin = performance.now();
      try {
        return await settle(check, spec, input, budgetMs);
      } catch {
        return { reply: { ended: "fault" }, ms: performance.now() - begin, stderrTail: "" };
      }
    },
    cancel: (check) => running.get(check)?.process.cancel(),
    prewarm(spec) {
      if (closing !== undefined || spec.prewarm < 1 || pools.has(spec)) return;
      pools.set(
        spec,
        createPool(spec.prewarm, () => start(spec, true), reap),
      );
    },
    close() {
      closing ??= bounded(end(), CLOSE_WAIT_MS);
      return closing;
    },
    killNow() {
      for (const { pid } of alive) if (pid !== undefined) platform.signalGroup(pid, "SIGKILL");
    },
  };
}

/** A process that waited may have died before its question reached it; that says nothing about the record. */
function diedUnasked(reply: Reply, process: VerifierProcess): boolean {
  return (
    reply.ended === "not_started" ||
    (reply.ended === "exit" && reply.code !== 0 && !reply.overflow && !process.hasAnswered())
  );
}

async function endTree(process: VerifierProcess, platform: ProcessPlatform): Promise<void> {
  const { pid } = process;
  if (pid === undefined) return;
  // One that has exited has lost its children to init; only the group and the mark still tell them.
  if (process.exited()) return killTree(pid, "SIGKILL", [], platform);
  // Stopped first, so that it cannot start more while its descendants are looked up.
  platform.signalGroup(pid, "SIGSTOP");
  const none: readonly ProcessRef[] = [];
  const snapshot = await Promise.race([platform.descendants(pid), pause(DESCENDANT_WALK_MS).then(() => none)]);
  await killTree(pid, "SIGKILL", snapshot, platform);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function bounded(work: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work.catch(() => {}), limit]);
  clearTimeout(timer);
}
