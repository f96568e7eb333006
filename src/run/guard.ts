// `fourgate guard`: puts a session between the client on stdin and stdout and the server that it starts.

import { resolve } from "node:path";
import { formatIssue } from "../core/contract/issue.ts";
import type { Contract, Mode } from "../core/contract/types.ts";
import type { Surface } from "../core/verdict/types.ts";
import { serverEnvironment } from "../io/environment.ts";
import { openOutcomeLog } from "../io/outcome-log.ts";
import { killTree, snapshotDescendants } from "../io/process-tree.ts";
import { sameFile } from "../io/same-file.ts";
import type { Secrets } from "../io/secrets.ts";
import { startServer } from "../io/server-process.ts";
import { catchStopSignals } from "../io/signals.ts";
import { openStderr, type StderrWriter } from "../io/stderr.ts";
import { type Exit, exitWith } from "./exit.ts";
import { approvalProblem } from "./guard/approval.ts";
import { bannerLines } from "./guard/banner.ts";
import { missingDrivers } from "./guard/drivers.ts";
import { looseFiles, looseProblem } from "./guard/loose-files.ts";
import { secretNames } from "./guard/secret-names.ts";
import { surviveFaults } from "./guard/survive.ts";
import { loadContract } from "./load-contract.ts";

export interface GuardOptions {
  readonly contracts: string;
  readonly mode: Mode;
  readonly shadowHold: boolean;
  readonly server: string;
  readonly log: string | undefined;
  readonly surface: Surface;
  readonly maxInspectBytes: number;
  /** The server gets a process table of its own. */
  readonly sandbox: boolean;
  readonly verbose: boolean;
  /** Start only with a contract that somebody approved as it is. */
  readonly requireApproval: boolean;
  /** PEM file of the public key that the approval must be signed with. */
  readonly approvalKey: string | undefined;
  /** The server's program and its arguments. */
  readonly command: readonly [string, ...string[]];
}

/** Runs a guarded session to its end. Gives how it ended, with the exit status of docs/architecture.md. Never rejects for a user's mistake. */
export async function guard(options: GuardOptions): Promise<Exit> {
  const stderr = openStderr();
  // Whatever is waited for below, the wait itself keeps the process: an empty event loop would end it in mid-session.
  const alive = setInterval(() => {}, 1 << 30);
  try {
    return await guarded(options, stderr);
  } finally {
    await stderr.close();
    clearInterval(alive);
  }
}

async function guarded(options: GuardOptions, stderr: StderrWriter): Promise<Exit> {
  const loaded = await loadContract(options.contracts);
  if (!loaded.ok) {
    for (const issue of loaded.issues) stderr.note(`fourgate guard: contract error: ${formatIssue(issue)}`);
    return exitWith(2);
  }
  if (options.log !== undefined && sameFile(options.log, options.contracts)) {
    stderr.note(
      `fourgate guard: error: --log ${options.log}: this is the contract file; name another file for the log`,
    );
    return exitWith(2);
  }
  const { contract } = loaded;
  const missing = await missingDrivers(contract);
  if (missing.length > 0) {
    for (const problem of missing) stderr.note(`fourgate guard: error: ${problem}`);
    return exitWith(2);
  }
  const approval = await approvalProblem(options, contract);
  if (approval?.refuse) {
    stderr.note(`fourgate guard: error: ${approval.problem}`);
    return exitWith(2);
  }
  const loose = () => looseFiles(contract, process.env).map(looseProblem);
  // In shadow mode nothing depends on them yet.
  const refused = options.mode === "enforce" ? loose() : [];
  if (refused.length > 0) {
    for (const problem of refused) stderr.note(`fourgate guard: error: ${problem}`);
    return exitWith(2);
  }
  const secrets: Secrets =
    contract.secrets.size === 0
      ? { ok: true, values: {} }
      : await (await import("../io/secrets.ts")).gatherSecrets(contract.secrets, process.env);
  if (!secrets.ok) {
    for (const problem of secrets.problems) stderr.note(`fourgate guard: error: ${problem}`);
    return exitWith(2);
  }
  const command = await serverCommand(options, contract);
  if (typeof command === "string") {
    stderr.note(`fourgate guard: error: ${command}`);
    return exitWith(2);
  }
  const opened = openOutcomeLog(options.log, stderr);
  if (!opened.ok) {
    stderr.note(`fourgate guard: error: --log ${opened.problem.place}: ${opened.problem.remedy}`);
    return exitWith(2);
  }
  surviveFaults(stderr);
  const signals = catchStopSignals();
  const [program, ...args] = command;
  const starting = startServer(program, args, serverEnvironment(process.env, secretNames(contract)), {
    pump: "slabs",
  });
  // The server is starting, which takes it far longer than what is left to do: to say what is guarded, and to load what is
  // needed from its first byte on.
  for (const line of bannerLines(options, contract, { ...process.env, ...secrets.values })) stderr.note(line);
  if (options.mode === "shadow") for (const problem of loose()) stderr.note(`fourgate guard: WARNING: ${problem}`);
  if (approval !== undefined) stderr.note(`fourgate guard: NOTE: ${approval.problem}`);
  const loading = import("./guard/session.ts");
  const started = await starting;
  if (!started.ok) {
    stderr.note(`fourgate guard: error: the server could not be started: ${startProblem(program, started.code)}`);
    await opened.log.close();
    return exitWith(1);
  }
  const { server } = started;
  try {
    const { runSession } = await loading;
    return await runSession({ options, contract, secrets: secrets.values, server, signals, log: opened.log, stderr });
  } catch (error) {
    // A fault of ours: nothing of the server may stay behind.
    await killTree(server.pid, "SIGKILL", await snapshotDescendants(server.pid));
    stderr.note(
      `fourgate: internal fault (${error instanceof Error ? error.name : typeof error}); the session is over`,
    );
    return exitWith(1);
  } finally {
    await opened.log.close();
  }
}

/** The command as it is started; a sentence where a sandbox is asked for and cannot be had. */
async function serverCommand(
  { command, sandbox }: GuardOptions,
  { secrets }: Contract,
): Promise<readonly [string, ...string[]] | string> {
  if (!sandbox) return command;
  const { sandboxed } = await import("../io/sandbox.ts");
  const files = [...secrets.values()].flatMap((source) => (source.type === "file" ? [source.path] : []));
  const found = sandboxed(command, files, process.env);
  return found.ok ? found.command : found.problem;
}

function startProblem(program: string, code: string): string {
  if (code === "ENOENT") return `${program} is not found; give its full path or put its directory into PATH`;
  if (code === "EACCES") return `${program} may not be run; make it executable (${resolve(program)})`;
  return `${program}: ${code}`;
}
