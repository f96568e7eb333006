// Executes a session: turns what happens on streams, processes and clocks into events, and carries the commands out.

import { randomBytes } from "node:crypto";
import type { Contract } from "../../core/contract/types.ts";
import { AWAKENING_MS, AWAKENINGS, DEFAULT_MAX_PARALLEL_CHECKS, LATE_MS } from "../../core/limits.ts";
import { encodeRecord } from "../../core/outcome/record.ts";
import type { OutcomeFields } from "../../core/outcome/types.ts";
import { openSession } from "../../core/session/state.ts";
import { nextDeadline, stepInto } from "../../core/session/step.ts";
import type { Command, Event } from "../../core/session/types.ts";
import { createChecker } from "../../io/checker.ts";
import type { SecretValues } from "../../io/environment.ts";
import { createLifeline } from "../../io/lifeline.ts";
import type { OutcomeLog } from "../../io/outcome-log.ts";
import type { ServerProcess } from "../../io/server-process.ts";
import type { StopSignals } from "../../io/signals.ts";
import { slabReader } from "../../io/slab-reader.ts";
import type { StderrWriter } from "../../io/stderr.ts";
import type { Exit } from "../exit.ts";
import type { GuardOptions } from "../guard.ts";
import { printable } from "./banner.ts";
import { contractDigest } from "./digest.ts";
import { watchEnding } from "./ending.ts";
import { exitStatus } from "./exit-status.ts";
import { openSinks, relay } from "./relay.ts";
import { startAhead } from "./start-ahead.ts";
import { oneATurn } from "./turns.ts";
import { keepYoungGenerationSmall } from "./young-generation.ts";

export interface GuardedSession {
  readonly options: GuardOptions;
  readonly contract: Contract;
  /** Credentials that do not stand in the environment. */
  readonly secrets: SecretValues;
  readonly server: ServerProcess;
  readonly signals: StopSignals;
  readonly log: OutcomeLog;
  readonly stderr: StderrWriter;
}

/** Relays until both sides have ended and nothing is left running. Gives how it ended. */
export async function runSession(guarded: GuardedSession): Promise<Exit> {
  keepYoungGenerationSmall();
  const { contract, secrets, server, stderr } = guarded;
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
  // While the server itself is still starting, so that nobody waits for it.
  const lifeline = createLifeline();
  lifeline.holdServer(server.pid);
  const checker = createChecker({ environment: process.env, secrets, tools: contract.tools.values(), lifeline });
  // Whatever way this process ends by itself, no verifier and no reader stays behind.
  process.once("exit", () => checker.killNow());
  const ahead = startAhead(() => {
    for (const tool of contract.tools.values()) checker.prewarm(tool);
  });
  const run = { session: randomBytes(6).toString("hex"), contract: contractDigest(contract) };
  // Starting a process takes milliseconds in which nothing else moves.
  const startSoon = oneATurn();
  let records = 0;
  let timer: NodeJS.Timeout | undefined;
  let timerAt = Number.POSITIVE_INFINITY;
  let settled = () => {};
  const allSettled = new Promise<void>((resolve) => {
    settled = resolve;
  });

  /** Requests without an answer, and answers not yet with the client. */
  const open = () => session.inFlight.size + session.heldLines.size;

  /** What came while an event was being handled; one is handled after the other. */
  const later: Event[] = [];
  let busy = false;

  function feed(event: Event): void {
    if (busy) {
      later.push(event);
      return;
    }
    busy = true;
    // Whatever fails in one event, the next is handled.
    for (let next: Event | undefined = event; next !== undefined; next = later.shift()) {
      try {
        handle(next);
      } catch {
        stderr.note(`fourgate: internal fault (${next.type}); the traffic goes on`);
      }
    }
    busy = false;
    schedule();
  }

  /** What the event in hand has brought about so far, and when it came. */
  const given = new Set<Command["type"]>();
  let came = 0;
  /** Carries each command out as it arises: what may go on at once does not wait for what is found in it. */
  const atOnce = {
    push(command: Command) {
      given.add(command.type);
      try {
        carryOut(command, came);
      } catch {
        stderr.note(`fourgate: internal fault (${command.type}); the traffic goes on`);
      }
    },
  };

  function handle(event: Event): void {
    given.clear();
    came = event.now;
    const before = open();
    try {
      stepInto(session, event, atOnce);
    } catch {
      stderr.note(`fourgate: internal fault (${event.type}); the traffic goes on unchecked`);
      keepTraffic(event);
    }
    if (event.type !== "serverBytes") return;
    if (open() < before) ending.serverAnswered();
    ahead.serverSpoke();
  }

  /** The last resort, behind the core's own: of an event that failed before it gave anything out, the bytes go on. */
  function keepTraffic(event: Event): void {
    if (event.type === "clientBytes" && !given.has("toServer")) atOnce.push({ type: "toServer", bytes: event.bytes });
    if (event.type === "serverBytes" && !given.has("toClient")) atOnce.push({ type: "toClient", bytes: event.bytes });
    if (event.type === "serverExited" && !given.has("exit")) atOnce.push({ type: "exit" });
  }

  function carryOut(command: Command, now: number): void {
    if (command.type === "toServer") toServer.send(command.bytes);
    else if (command.type === "toClient") toClient.send(command.bytes);
    else if (command.type === "closeServer") toServer.end();
    else if (command.type === "verify") startSoon(() => void verify(command, now));
    else if (command.type === "cancelVerify") checker.cancel(command.check);
    else if (command.type === "record") write(command.record, command.line);
    else if (command.type === "note") stderr.note(`fourgate: ${wordsOf(command.note)}`);
    else settled();
  }

  async function verify(command: Extract<Command, { type: "verify" }>, asked: number): Promise<void> {
    const tool = contract.tools.get(command.tool)!;
    // Other starts came first, or we were stopped: what passed meanwhile is the check's own time.
    const left = command.budgetMs - (performance.now() - asked);
    const result = await checker.run(command.check, tool, command.input, left);
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
    timer = setTimeout(() => tick(at), Math.max(0, Math.ceil(at - performance.now())));
  }

  function tick(due: number, patience = AWAKENINGS): void {
    const now = performance.now();
    // Late, since we were stopped or the machine is busy: what verifiers answered meanwhile is seen first, so that time does not overtake it.
    if (now - due > LATE_MS && patience > 0) {
      timer = setTimeout(() => tick(now + AWAKENING_MS, patience - 1), AWAKENING_MS);
      return;
    }
    // And what is due at the same time is done first.
    setImmediate(() => {
      timerAt = Number.POSITIVE_INFINITY;
      feed({ type: "tick", now: performance.now() });
    });
  }

  const client = { input: slabReader(0) ?? process.stdin, output: process.stdout };
  const { toServer, toClient } = openSinks(client, server, () => ending.clientGone());
  const ending = watchEnding({
    server,
    signals: guarded.signals,
    idle: () => open() === 0,
    stop: () => feed({ type: "stop", now: performance.now() }),
  });
  const clientIsOpen = relay(client, server, ending, feed);

  await allSettled;
  await Promise.race([toClient.flushed(), ending.givenUp]);
  const end = await ending.finish();
  clearTimeout(timer);
  ahead.stop();
  const clientLeft = !clientIsOpen();
  client.input.destroy();
  await checker.close();
  lifeline.release(server.pid);
  await lifeline.close();
  if (end === undefined) stderr.note(`fourgate: the server does not end and may not be killed (process ${server.pid})`);
  else if (ending.signal() === undefined && !clientLeft) {
    stderr.note(`fourgate: the server has ended (${end.signal ?? `exit status ${end.code ?? "unknown"}`})`);
  }
  // What a client did not take by now would keep a process that was told to stop.
  return { code: exitStatus(end, ending.signal()), now: ending.signal() !== undefined || end === undefined };
}

function wordsOf(note: Extract<Command, { type: "note" }>["note"]): string {
  if (note.code === "request_too_large") {
    return "calls too large to keep (see --max-inspect): what a check needs from their arguments is missing";
  }
  if (note.code === "tools_missing") {
    const missing = note.tools.map(({ tool, nearest }) => {
      const meant = nearest === undefined ? "" : ` (did you mean ${printable(nearest)}?)`;
      return `${printable(tool)}${meant}`;
    });
    return `warning: the server's tools/list has no such tool, so its contract guards nothing: ${missing.join(", ")}`;
  }
  return `internal fault (${note.where}); the answer went on unchanged`;
}
