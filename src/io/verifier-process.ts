// One verifier process from start to settled: its pipes, its limits and its end. Who asks for it and what it means is elsewhere.

import { type ChildProcess, spawn } from "node:child_process";
import type { VerifierSpec } from "../core/contract/types.ts";
import { MAX_VERIFIER_OUTPUT_BYTES, VERIFIER_DRAIN_MAX_MS, VERIFIER_DRAIN_MS } from "../core/limits.ts";
import type { Reply } from "../core/verdict/types.ts";
import { launch } from "./launch.ts";
import type { ProcessPlatform } from "./platform.ts";
import { StderrTail } from "./stderr-tail.ts";

export interface VerifierProcess {
  /** Undefined when it could not be started. */
  readonly pid: number | undefined;
  /** Settles once with what became of it; never rejects. The process group may still have to be ended. */
  readonly ended: Promise<Reply>;
  /** False once it has exited or could not be started. */
  alive(): boolean;
  /** Whether its exit was seen. */
  exited(): boolean;
  /** Whether it wrote anything to stdout so far. */
  hasAnswered(): boolean;
  /** Hands over the input and starts the time limit (milliseconds). */
  ask(input: string, budgetMs: number): void;
  /** Settles it as cancelled. */
  cancel(): void;
  /** The end of its stderr so far, as text. */
  stderr(): string;
}

/** Starts a verifier; it waits on stdin until `ask`. Never throws: what cannot start settles as `not_started`. */
export function startVerifier(
  spec: Pick<VerifierSpec, "command" | "cwd">,
  env: Record<string, string>,
  platform: ProcessPlatform,
): VerifierProcess {
  const stderr = new StderrTail();
  let child: ChildProcess;
  try {
    const [program, ...args] = spec.command as [string, ...string[]];
    const start = launch(program, args, env);
    if (typeof start === "string") return neverStarted(stderr);
    child = spawn(start.program, [...start.args], {
      ...(spec.cwd === undefined ? {} : { cwd: spec.cwd }),
      env,
      // A group of its own, so that everything it starts can be ended in one stroke.
      detached: platform.ownGroups,
      stdio: ["pipe", "pipe", "pipe"],
      windowsHide: true,
      windowsVerbatimArguments: start.verbatim,
    });
  } catch {
    return neverStarted(stderr);
  }

  let settle: (reply: Reply) => void = () => {};
  let settled = false;
  let budget: NodeJS.Timeout | undefined;
  let drain: NodeJS.Timeout | undefined;
  let exit: { code: number | null; signal: string | null } | undefined;
  let chunks: Buffer[] = [];
  let size = 0;
  let stdoutEnded = false;
  const ended = new Promise<Reply>((resolve) => {
    settle = resolve;
  });

  function finish(reply: Reply): void {
    if (settled) return;
    settled = true;
    clearTimeout(budget);
    clearTimeout(drain);
    settle(reply);
    chunks = [];
    // A child of it may hold the other ends for as long as it likes; nothing more is read.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
    // One that cannot be killed, since it changed its user, must not keep fourgate from ending.
    child.unref();
  }

  function finishExited(): void {
    finish({ ended: "exit", code: exit!.code, signal: exit!.signal, stdout: Buffer.concat(chunks), overflow: false });
  }

  // After the pause, wait on while output still arrives: on a busy machine what it wrote may not have reached us yet.
  function drainOn(seen: number, until: number): void {
    setImmediate(() => {
      if (settled) return;
      if (size === seen || performance.now() > until) finishExited();
      else drainOn(size, until);
    });
  }

  // A fault of the pipes is the verifier's own business: whether it answered is all that counts.
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.on("error", () => {});
  child.stderr?.on("data", (chunk: Buffer) => stderr.push(chunk));
  child.stdout?.on("data", (chunk: Buffer) => {
    if (settled) return;
    size += chunk.length;
    if (size <= MAX_VERIFIER_OUTPUT_BYTES) chunks.push(chunk);
    else finish({ ended: "exit", code: null, signal: "SIGKILL", stdout: new Uint8Array(0), overflow: true });
  });
  child.stdout?.on("close", () => {
    stdoutEnded = true;
    if (exit !== undefined) setImmediate(() => finishExited());
  });
  child.on("error", () => {
    // Also emitted when a signal could not be sent, which changes nothing about a process that runs.
    if (child.pid === undefined) finish({ ended: "not_started" });
  });
  child.on("exit", (code, signal) => {
    exit = { code, signal };
    // One more turn, so that the last of its stderr is seen too.
    if (stdoutEnded) setImmediate(() => finishExited());
    else {
      const until = performance.now() + VERIFIER_DRAIN_MAX_MS;
      drain = setTimeout(() => drainOn(size, until), VERIFIER_DRAIN_MS);
    }
  });

  return {
    pid: child.pid,
    ended,
    alive: () => child.pid !== undefined && exit === undefined && !settled,
    exited: () => exit !== undefined,
    hasAnswered: () => size > 0,
    ask(input, budgetMs) {
      if (settled) return;
      child.stdin?.end(input);
      budget = setTimeout(
        () => {
          // If we were the ones who slept, its exit may be waiting to be seen: one turn for that, no more.
          setImmediate(() => {
            if (exit === undefined) finish({ ended: "timeout" });
          });
        },
        Math.max(0, budgetMs),
      );
    },
    cancel: () => finish({ ended: "cancelled" }),
    stderr: () => stderr.text(),
  };
}

function neverStarted(stderr: StderrTail): VerifierProcess {
  return {
    pid: undefined,
    ended: Promise.resolve({ ended: "not_started" }),
    alive: () => false,
    exited: () => true,
    hasAnswered: () => false,
    ask: () => {},
    cancel: () => {},
    stderr: () => stderr.text(),
  };
}
