// Executes a session: turns what happens on streams, processes and clocks into events, and carries the commands out.

import { randomBytes } from "node:crypto";
import type { Contract } from "../../core/contract/types.ts";
import { DEFAULT_MAX_PARALLEL_CHECKS } from "../../core/limits.ts";
import { encodeRecord } from "../../core/outcome/record.ts";
import type { OutcomeFields } from "../../core/outcome/types.ts";
import { openSession } from "../../core/session/state.ts";
import { nextDeadline, step } from "../../core/session/step.ts";
import type { Command, Event } from "../../core/session/types.ts";
import { sinkTo } from "../../io/flow.ts";
import type { OutcomeLog } from "../../io/outcome-log.ts";
import type { ServerEnd, ServerProcess } from "../../io/server-process.ts";
import type { StopSignals } from "../../io/signals.ts";
import type { StderrWriter } from "../../io/stderr.ts";
import { createVerifierRunner } from "../../io/verifier-runner.ts";
import type { GuardOptions } from "../guard.ts";
import { printable } from "./banner.ts";
import { contractDigest } from "./digest.ts";
import { watchEnding } from "./ending.ts";
import { exitStatus } from "./exit-status.ts";

export interface GuardedSession {
  readonly options: GuardOptions;
  readonly contract: Contract;
  readonly server: ServerProcess;
  readonly signals: StopSignals;
  readonly log: OutcomeLog;
  readonly stderr: StderrWriter;
}

/** Relays until both sides have ended and nothing is left running. Gives the exit status. */
export async function runSession(guarded: GuardedSession): Promise<number> {
  const { contract, server, stderr } = guarded;
  const { mode, shadowHold, surface, maxInspectBytes, verbose } = guarded.options;
  const session = openSession({
    mode,
    shadowHold,
    surface,
    maxInspectBytes,
    label: guarded.options.server,
    tools: contract.tools,
    maxParallelChecks: DEFAULT_MAX_PARALLEL_CHECKS,
  });
  const verifiers = createVerifierRunner({ environment: process.env });
  // Whatever way this process ends by itself, no verifier stays behind.
  process.once("exit", () => verifiers.killNow());
  for (const tool of contract.tools.values()) verifiers.prewarm(tool.verifier);
  const run = { session: randomBytes(6).toString("hex"), contract: contractDigest(contract) };
  const client = { input: process.stdin, output: process.stdout };
  let records = 0;
  let timer: NodeJS.Timeout | undefined;
  let timerAt = Number.POSITIVE_INFINITY;
  let settled = () => {};
  const allSettled = new Promise<void>((resolve) => {
    settled = resolve;
  });

  function feed(event: Event): void {
    const out: Command[] = [];
    try {
      step(session, event, out);
    } catch {
      stderr.note(`fourgate: internal fault (${event.type}); the traffic goes on unchecked`);
      keepTraffic(event, out);
    }
    for (const command of out) carryOut(command);
    schedule();
  }

  /** Whatever went wrong in us, the bytes of this event go on. */
  function keepTraffic(event: Event, out: Command[]): void {
    const has = (type: Command["type"]) => out.some((command) => command.type === type);
    if (event.type === "clientBytes" && !has("toServer")) out.push({ type: "toServer", bytes: event.bytes });
    if (event.type === "serverBytes" && !has("toClient")) out.push({ type: "toClient", bytes: event.bytes });
    if (event.type === "serverExited" && !has("exit")) out.push({ type: "exit" });
  }

  function carryOut(command: Command): void {
    if (command.type === "toServer") toServer.send(command.bytes);
    else if (command.type === "toClient") toClient.send(command.bytes);
    else if (command.type === "closeServer") toServer.end();
    else if (command.type === "verify") void verify(command);
    else if (command.type === "cancelVerify") verifiers.cancel(command.check);
    else if (command.type === "record") write(command.record, command.line);
    else if (command.type === "note") stderr.note(`fourgate: ${wordsOf(command.note)}`);
    else settled();
  }

  async function verify(command: Extract<Command, { type: "verify" }>): Promise<void> {
    const spec = contract.tools.get(command.tool)!.verifier;
    const result = await verifiers.run(command.check, spec, command.input, command.budgetMs);
    if (verbose && result.stderrTail !== "") {
      const tail = result.stderrTail.trimEnd().split("\n").map(printable).join("\n  ");
      stderr.note(`fourgate: stderr of the verifier of ${printable(command.tool)}:\n  ${tail}`);
    }
    feed({ type: "verifierDone", check: command.check, reply: result.reply, now: performance.now() });
  }

  function write(record: OutcomeFields, line: number | undefined): void {
    const envelope = { ...run, timestampMs: Date.now(), seq: ++records };
    const written = guarded.log.append(encodeRecord(record, envelope));
    if (line !== undefined) void written.then(() => feed({ type: "recorded", line, now: performance.now() }));
  }

  function schedule(): void {
    const at = nextDeadline(session);
    if (at === timerAt) return;
    clearTimeout(timer);
    timerAt = at;
    if (at === Number.POSITIVE_INFINITY) return;
    timer = setTimeout(
      () => {
        timerAt = Number.POSITIVE_INFINITY;
        feed({ type: "tick", now: performance.now() });
      },
      Math.max(0, Math.ceil(at - performance.now())),
    );
  }

  let ending: ReturnType<typeof watchEnding>;
  const toServer = sinkTo(server.stdin, client.input, () => {});
  const toClient = sinkTo(client.output, server.stdout, () => ending.clientGone());
  ending = watchEnding({
    server,
    signals: guarded.signals,
    idle: () => session.inFlight.size === 0 && session.heldLines.size === 0,
    stop: () => feed({ type: "stop", now: performance.now() }),
  });

  client.input.on("data", (bytes: Uint8Array) => feed({ type: "clientBytes", bytes, now: performance.now() }));
  let clientOpen = true;
  const closeClient = () => {
    if (!clientOpen) return;
    clientOpen = false;
    feed({ type: "clientClosed", now: performance.now() });
    ending.clientClosed();
  };
  client.input.on("end", closeClient);
  client.input.on("error", closeClient);
  client.input.on("close", closeClient);

  server.stdout.on("data", (bytes: Uint8Array) => {
    ending.serverSpoke();
    feed({ type: "serverBytes", bytes, now: performance.now() });
  });
  let serverOpen = true;
  const closeServer = () => {
    if (!serverOpen) return;
    serverOpen = false;
    feed({ type: "serverExited", now: performance.now() });
  };
  server.stdout.on("end", closeServer);
  server.stdout.on("error", closeServer);
  server.stdout.on("close", closeServer);
  // A server that ended without a word before we listened has said so already.
  if (server.stdout.readableEnded || server.stdout.destroyed) setImmediate(closeServer);

  await allSettled;
  await toClient.flushed();
  const end: ServerEnd = await ending.finish();
  clearTimeout(timer);
  const clientLeft = !clientOpen;
  client.input.destroy();
  await verifiers.close();
  if (ending.signal() === undefined && !clientLeft) {
    stderr.note(`fourgate: the server has ended (${end.signal ?? `exit status ${end.code}`})`);
  }
  return exitStatus(end, ending.signal());
}

function wordsOf(note: Extract<Command, { type: "note" }>["note"]): string {
  if (note.code === "request_too_large") {
    return "a line of the client is longer than --max-inspect; a protected call in it cannot be checked";
  }
  return `internal fault (${note.where}); the answer went on unchanged`;
}
