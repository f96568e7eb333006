// Runs the cases of a scan one after the other against its server, and leaves nothing running.

import type { ToolContract } from "../../core/contract/types.ts";
import { SCAN_READS_CLOSE_MS, SCAN_STOP_ANSWER_MS, SCAN_STOP_CLEANUP_MS } from "../../core/limits.ts";
import type { Redactor } from "../../core/redact/redactor.ts";
import { WITHOUT_HANDSHAKE } from "../../core/scan/protocol-versions.ts";
import type { Scan, ScanCase, ScanServer } from "../../core/scan/types.ts";
import type { Environment } from "../../io/environment.ts";
import { killTree, snapshotDescendants } from "../../io/process-tree.ts";
import type { ServerProcess } from "../../io/server-process.ts";
import type { StopSignals } from "../../io/signals.ts";
import { StderrTail } from "../../io/stderr-tail.ts";
import { createVerifierRunner } from "../../io/verifier-runner.ts";
import type { CaseReport, Leftover, LiveReporter, ServerNamed, Stopped } from "../../report/model.ts";
import { type CaseDone, runCase } from "./case.ts";
import { openClient } from "./client.ts";
import type { ScanContext } from "./context.ts";
import { shakeHands } from "./handshake.ts";
import { openReads } from "./reads.ts";
import { endScanServer, startScanServer } from "./server.ts";

export interface CasesRun {
  readonly cases: readonly CaseReport[];
  readonly leftovers: readonly Leftover[];
  readonly stopped: Stopped | null;
  readonly server: ServerNamed;
  /** The signal that fourgate was told to stop by. */
  readonly signal: NodeJS.Signals | undefined;
  /** The end of the server's stderr, when it could not be spoken to. */
  readonly stderr: string;
}

export interface CasesOptions {
  readonly scan: Scan;
  /** Those of its cases that are to be run. */
  readonly cases: readonly ScanCase[];
  /** The scan file as it was given. */
  readonly file: string;
  /** The command that runs one tool's cases again. */
  readonly again: (tool: string) => string;
  readonly runId: string;
  readonly showValues: boolean;
  readonly redactor: Redactor;
  readonly environment: Environment;
  readonly signals: StopSignals;
  readonly live: LiveReporter | undefined;
}

const UNNAMED: ServerNamed = { name: null, version: null, protocol_version: null };

/** Starts the server, runs the cases, ends everything. Never rejects for what a server does. */
export async function runCases(options: CasesOptions): Promise<CasesRun> {
  const { scan, cases, environment, live } = options;
  const stop = new AbortController();
  const giveUp = new AbortController();
  const over = new AbortController();
  let signal: NodeJS.Signals | undefined;
  let server: ServerProcess | undefined;
  options.signals.listen((told) => {
    if (signal === undefined) {
      signal = told;
      stop.abort();
      setTimeout(() => giveUp.abort(), SCAN_STOP_ANSWER_MS).unref();
      setTimeout(() => over.abort(), SCAN_STOP_CLEANUP_MS).unref();
      return;
    }
    // Asked twice: not even clean-up is waited for.
    giveUp.abort();
    over.abort();
    if (server !== undefined) {
      const { pid } = server;
      void snapshotDescendants(pid).then((family) => killTree(pid, "SIGKILL", family));
    }
  });

  const verifiers = createVerifierRunner({ environment });
  const reads = openReads(environment);
  // Whatever way this process ends, nothing of these stays behind.
  const onExit = () => {
    verifiers.killNow();
    if (server !== undefined) void killTree(server.pid, "SIGKILL");
  };
  process.once("exit", onExit);
  let tail = new StderrTail();
  const stderr = () => tail.text();
  const open = async (about: ScanServer) => {
    const started = await startScanServer(scan, environment);
    if (!started.ok) return { ok: false, reason: "server_not_started", code: started.code } as const;
    server = started.server;
    const own = new StderrTail();
    tail = own;
    server.stderr?.on("data", (chunk: Buffer) => own.push(chunk));
    const client = openClient(server);
    void client.spoke.then(() => reads.warm(contractsOf(cases)));
    return { client, ...(await shakeHands(client, about, stop.signal)) };
  };
  try {
    let hands = await open(scan.server);
    if (!hands.ok && "modernOnly" in hands && !stop.signal.aborted) {
      // Nothing was called yet, so a second start repeats nothing.
      if (server !== undefined) await endScanServer(server);
      hands = await open({ ...scan.server, protocolVersion: WITHOUT_HANDSHAKE });
    }
    if (!hands.ok) return failed(options, hands.reason, UNNAMED, signal, "code" in hands ? hands.code : stderr());
    const { session, client } = hands;
    const context: ScanContext = {
      client,
      session,
      verifiers,
      reads,
      environment,
      redactor: options.redactor,
      showValues: options.showValues,
      runId: options.runId,
      callTimeoutMs: scan.server.callTimeoutMs,
      stop: stop.signal,
      giveUp: giveUp.signal,
      over: over.signal,
    };
    const reports: CaseReport[] = [];
    const leftovers: Leftover[] = [];
    let stopped: Stopped | null = null;
    for (const one of cases) {
      if (stop.signal.aborted) stopped ??= { reason_code: "session_ended", after_case: reports.at(-1)?.index ?? 0 };
      if (stopped !== null) break;
      live?.caseStarted(one.index, options.redactor.text(one.name));
      const done = await runCase(context, one, options.file, options.again(one.tool)).catch(() => fault(options, one));
      reports.push(done.report);
      if (done.leftover !== undefined) leftovers.push(done.leftover);
      if (done.stopped !== undefined) stopped = { reason_code: done.stopped, after_case: one.index };
      live?.caseDone(done.report);
    }
    const { name, version, protocolVersion } = session;
    const shown = (text: string | null) => (text === null ? null : options.redactor.text(text));
    return {
      cases: reports,
      leftovers,
      stopped,
      server: { name: shown(name), version: shown(version), protocol_version: shown(protocolVersion) },
      signal,
      stderr: stopped?.reason_code === "server_closed" ? stderr() : "",
    };
  } finally {
    await Promise.all([server && endScanServer(server), verifiers.close(), within(reads.close(), SCAN_READS_CLOSE_MS)]);
    process.off("exit", onExit);
  }
}

const UNDECIDED = {
  status: "unknown",
  as_expected: false,
  attempts: 0,
  duration_ms: 0,
  checked_fields: [],
  mismatched_fields: [],
} as const;

/** A fault of ours: what the case did is not known, and nothing more is written. */
function fault({ file, redactor, runId }: CasesOptions, one: ScanCase): CaseDone {
  const { index, name, tool, place, expected, cleanup } = one;
  const reason_code = "internal_error";
  const about = { index, name: redactor.text(name), tool, place: { file, ...place }, expected };
  // What the case made by then, if anything, was not removed.
  const leftover = cleanup && { tool, case: index, id: runId };
  return { report: { ...UNDECIDED, ...about, reason_code }, leftover, stopped: reason_code };
}

/** Nothing came of it: one row that stands for the time before the cases. */
function failed(
  { cases, file, scan, live }: CasesOptions,
  reason: string,
  server: ServerNamed,
  signal: NodeJS.Signals | undefined,
  stderr: string,
): CasesRun {
  const row: CaseReport = {
    ...UNDECIDED,
    index: cases[0]?.index ?? 1,
    name: "start of the server",
    tool: null,
    place: { file, ...(cases[0] ?? scan.cases[0]!).place },
    expected: "pass",
    reason_code: reason,
  };
  live?.caseDone(row);
  return {
    cases: [row],
    leftovers: [],
    stopped: { reason_code: reason, after_case: 0 },
    server,
    signal,
    stderr,
  };
}

/** Every contract that a check may be made by. */
function contractsOf(cases: readonly ScanCase[]): Set<ToolContract> {
  return new Set(
    cases.flatMap(({ contract, cleanup }) => (cleanup?.contract ? [contract, cleanup.contract] : [contract])),
  );
}

/** Waits for something, but no longer than that. */
async function within(work: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}
