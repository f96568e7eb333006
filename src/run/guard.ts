// `fourgate guard`: puts a session between the client on stdin and stdout and the server that it starts.

import { createHash, randomBytes } from "node:crypto";
import { resolve } from "node:path";
import { formatIssue } from "../core/contract/issue.ts";
import type { Contract, Mode } from "../core/contract/types.ts";
import { DEFAULT_MAX_PARALLEL_CHECKS } from "../core/limits.ts";
import type { Surface } from "../core/session/types.ts";
import { serverEnvironment } from "../io/environment.ts";
import { openOutcomeLog } from "../io/outcome-log.ts";
import { startServer } from "../io/server-process.ts";
import { openStderr, type StderrWriter } from "../io/stderr.ts";
import { createVerifierRunner } from "../io/verifier-runner.ts";
import { bannerLines } from "./guard/banner.ts";
import { runSession } from "./guard/session.ts";
import { loadContract } from "./load-contract.ts";

export interface GuardOptions {
  readonly contracts: string;
  readonly mode: Mode;
  readonly shadowHold: boolean;
  readonly server: string;
  readonly log: string | undefined;
  readonly surface: Surface;
  readonly maxInspectBytes: number;
  readonly verbose: boolean;
  /** The server's program and its arguments. */
  readonly command: readonly [string, ...string[]];
}

/** Runs a guarded session to its end. Gives the exit status of DESIGN.md section 10. Never rejects for a user's mistake. */
export async function guard(options: GuardOptions): Promise<number> {
  const stderr = openStderr();
  try {
    return await guarded(options, stderr);
  } finally {
    await stderr.close();
  }
}

async function guarded(options: GuardOptions, stderr: StderrWriter): Promise<number> {
  const loaded = await loadContract(options.contracts);
  if (!loaded.ok) {
    for (const issue of loaded.issues) stderr.note(`fourgate guard: contract error: ${formatIssue(issue)}`);
    return 2;
  }
  const opened = await openOutcomeLog(options.log, stderr);
  if (!opened.ok) {
    stderr.note(`fourgate guard: error: --log ${opened.problem.place}: ${opened.problem.remedy}`);
    return 2;
  }
  const { contract } = loaded;
  for (const line of bannerLines(options, contract, process.env)) stderr.note(line);
  const [program, ...args] = options.command;
  const started = await startServer(program, args, serverEnvironment(process.env, secretNames(contract)));
  if (!started.ok) {
    stderr.note(`fourgate guard: error: the server could not be started: ${startProblem(program, started.code)}`);
    await opened.log.close();
    return 1;
  }
  keepGoing(stderr);
  const verifiers = createVerifierRunner({ environment: process.env });
  for (const tool of contract.tools.values()) verifiers.prewarm(tool.verifier);
  const code = await runSession({
    options: {
      mode: options.mode,
      shadowHold: options.shadowHold,
      label: options.server,
      tools: contract.tools,
      surface: options.surface,
      maxInspectBytes: options.maxInspectBytes,
      maxParallelChecks: DEFAULT_MAX_PARALLEL_CHECKS,
    },
    server: started.server,
    verifiers,
    log: opened.log,
    stderr,
    verbose: options.verbose,
    envelope: { session: randomBytes(6).toString("hex"), contract: digest(contract) },
  });
  await verifiers.close();
  await opened.log.close();
  return code;
}

/** A fault in some corner of ours must not take the user's session with it (DESIGN.md section 1, promise 3). */
function keepGoing(stderr: StderrWriter): void {
  const survive = (error: unknown) => {
    const kind = error instanceof Error ? error.name : typeof error;
    stderr.note(`fourgate: internal fault (${kind}); the traffic goes on`);
  };
  process.on("uncaughtException", survive);
  process.on("unhandledRejection", survive);
}

/** Every name that some contract keeps from the server. */
export function secretNames(contract: Contract): string[] {
  const names = new Set<string>();
  for (const tool of contract.tools.values()) for (const name of tool.verifier.secretEnv) names.add(name);
  return [...names].sort();
}

/** Short enough for a log line, long enough that two contracts never share one by chance. */
function digest(contract: Contract): string {
  return `sha256:${createHash("sha256").update(contract.canonicalText).digest("hex").slice(0, 16)}`;
}

function startProblem(program: string, code: string): string {
  if (code === "ENOENT") return `${program} is not found; give its full path or put its directory into PATH`;
  if (code === "EACCES") return `${program} may not be run; make it executable (${resolve(program)})`;
  return `${program}: ${code}`;
}
