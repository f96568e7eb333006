// `fourgate doctor`: looks at a setup and says what would go wrong. It calls no tool, runs no verifier, asks nothing of a network, and
// writes nothing.

import { readFileSync } from "node:fs";
import { constants } from "node:os";
import { isWrapped } from "../core/config/change.ts";
import { formatIssue } from "../core/contract/issue.ts";
import type { Contract } from "../core/contract/types.ts";
import { type Checkup, checkup } from "../core/doctor/checkup.ts";
import type { Facts } from "../core/doctor/types.ts";
import { type Environment, serverEnvironment } from "../io/environment.ts";
import { programThere } from "../io/program-there.ts";
import { gatherSecrets } from "../io/secrets.ts";
import { catchStopSignals } from "../io/signals.ts";
import { doctorJson, doctorText } from "../report/index.ts";
import { findServers, placeWords } from "./clients/find.ts";
import { logFacts, programFacts } from "./doctor/files.ts";
import { lookAtServer } from "./doctor/server.ts";
import { type Exit, exitWith } from "./exit.ts";
import { approvalProblem } from "./guard/approval.ts";
import { missingDrivers } from "./guard/drivers.ts";
import { looseFiles, looseProblem } from "./guard/loose-files.ts";
import { secretNames } from "./guard/secret-names.ts";
import type { GuardOptions } from "./guard.ts";
import { loadContract } from "./load-contract.ts";
import { version } from "./version.ts";

export interface DoctorOptions extends Pick<GuardOptions, "contracts" | "mode" | "requireApproval" | "approvalKey"> {
  readonly server: string;
  readonly log: string | undefined;
  /** The server's program and its arguments; undefined when it is not to be started. */
  readonly command: readonly [string, ...string[]] | undefined;
  readonly json: boolean;
}

/** Entries of MCP clients that start just this server, and no guard. */
async function bypasses(command: readonly string[]): Promise<string[]> {
  const { servers } = await findServers({ client: undefined, file: undefined, project: ".", scope: undefined });
  const own = JSON.stringify(command);
  return servers
    .filter(({ entry }) => {
      const words = [entry.command?.value.text, ...(entry.args?.value.items ?? []).map(({ text }) => text)];
      return JSON.stringify(words) === own && !entry.disabled && !isWrapped(entry);
    })
    .map((server) => `${server.entry.name} in ${placeWords(server)}`);
}

/** Shorter values may be equal by chance. */
const MIN_LEAK_CHARACTERS = 6;

/** Gives 0 when the setup is ready for shadow mode, 1 when it is not. Never rejects for a user's mistake. */
export async function doctor(options: DoctorOptions): Promise<Exit> {
  const stop = new AbortController();
  let signal: NodeJS.Signals | undefined;
  catchStopSignals().listen((told) => {
    signal ??= told;
    stop.abort();
  });
  const result = checkup(await gather(options, process.env, stop.signal));
  if (signal !== undefined) return { code: 128 + (constants.signals[signal] ?? 1), now: true };
  return exitWith(await tell(result, options.json));
}

async function gather(options: DoctorOptions, environment: Environment, stop: AbortSignal): Promise<Facts> {
  const loaded = await loadContract(options.contracts);
  const contract = loaded.ok ? loaded.contract : undefined;
  const secrets = contract ? secretNames(contract) : [];
  const gathered = await gatherSecrets(contract?.secrets ?? new Map(), environment);
  const seen = gathered.ok ? { ...environment, ...gathered.values } : environment;
  const none = { facts: { type: "none" }, listed: new Map() } as const;
  const { facts: server } =
    contract && options.command ? await lookAtServer(options.command, contract, environment, stop) : none;
  return {
    file: options.contracts,
    contract,
    issues: loaded.ok ? [] : loaded.issues.map(formatIssue),
    mode: options.mode,
    programs: new Map(
      [...(contract?.tools.values() ?? [])].flatMap(({ tool, verifier }) =>
        verifier ? [[tool, programFacts(verifier, environment)] as const] : [],
      ),
    ),
    missingDrivers: contract ? await missingDrivers(contract) : [],
    looseFiles: contract ? looseFiles(contract, environment).map(looseProblem) : [],
    set: new Set(secrets.filter((name) => seen[name] || (!gathered.ok && contract?.secrets.has(name)))),
    secretProblems: gathered.ok ? [] : gathered.problems,
    leaks: leaks(environment, secrets),
    server,
    approval: contract && (await approvalProblem(options, contract)),
    log: contract
      ? await logFacts(options.log, contract, options.server)
      : { path: options.log, problem: undefined, exists: false, history: undefined },
    bypasses: options.command ? await bypasses(options.command) : [],
    about: {
      fourgate: version,
      node: process.versions.node,
      platform: `${process.platform} ${process.arch}`,
      environmentReadable: process.platform === "linux",
      memoryReadable: memoryReadable(),
      sandbox: programThere("bwrap", undefined, environment),
      proxy: contract && usesHttps(contract) ? proxyNames(environment) : [],
    },
  };
}

/** Variables that the server sees and whose value is, or holds, that of a withheld one. */
function leaks(own: Environment, secrets: readonly string[]): { name: string; seenAs: string }[] {
  const seen = Object.entries(serverEnvironment(own, secrets));
  return secrets.flatMap((name) => {
    const value = own[name] ?? "";
    if (value.length < MIN_LEAK_CHARACTERS) return [];
    return seen.filter(([, other]) => other.includes(value)).map(([seenAs]) => ({ name, seenAs }));
  });
}

function usesHttps({ tools }: Contract): boolean {
  return [...tools.values()].some(({ readback }) => {
    const source = readback?.source;
    return (source?.type === "http" || source?.type === "graphql") && JSON.stringify(source.url).includes("https:");
  });
}

const proxyNames = (environment: Environment): string[] =>
  ["https_proxy", "HTTPS_PROXY"].filter((name) => environment[name]);

async function tell(result: Checkup, json: boolean): Promise<number> {
  const { stdout } = process;
  const color = stdout.isTTY === true && !process.env.NO_COLOR;
  const text = json ? doctorJson(result, version) : doctorText(result, color);
  const problem = await new Promise<Error | null | undefined>((done) => {
    stdout.once("error", done);
    stdout.write(text, done);
  });
  if (problem) {
    process.stderr.write(`fourgate doctor: error: the report on stdout cannot be written\n`);
    return 2;
  }
  return result.ready ? 0 : 1;
}

/** What the kernel says; as its superuser a program may always, and other systems are not asked. */
function memoryReadable(): boolean | undefined {
  if (process.platform !== "linux") return undefined;
  if (process.getuid?.() === 0) return true;
  try {
    return readFileSync("/proc/sys/kernel/yama/ptrace_scope", "latin1").trim() === "0";
  } catch {
    // A kernel without that module has the rule of old.
    return true;
  }
}
