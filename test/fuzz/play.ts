// Plays a script through the core and holds what comes out against what must.

import { expect } from "vitest";
import type { PathStep } from "../../src/core/select/types.ts";
import { openSession } from "../../src/core/session/state.ts";
import { step } from "../../src/core/session/step.ts";
import type { Command, Event } from "../../src/core/session/types.ts";
import type { Reply } from "../../src/core/verdict/types.ts";
import { contract, fail, options, pass, reply } from "../playbook.ts";
import type { Script } from "./actions.ts";
import { isProtected, Peers } from "./peers.ts";

const key = (...names: string[]): PathStep[] => names.map((name) => ({ type: "key", name }));
const UPDATE = contract("update", {
  extract: new Map([
    ["record", { source: "arguments", path: key("record") }],
    ["title", { source: "arguments", path: key("title") }],
    ["id", { source: "result", path: key("result", "structuredContent", "id") }],
  ]),
  recordIdField: "record",
});
const REPLIES: readonly Reply[] = [fail(), fail(), pass, { ended: "timeout" }, reply("{"), fail("not_allowed")];
const VERDICT = /\{"type":"text","text":"\[FOURGATE\](?:[^"\\]|\\.)*"\},?/g;

/** Throws when anything is not as it must be. */
export function playScript(script: Script): void {
  const session = openSession(options(script.mode, ["create", UPDATE], { surface: "prepend" }));
  let now = 0;
  let toServer = "";
  let toClient = "";
  let records = 0;
  let exits = 0;
  /** Checks under way, by their number: which call they are for. */
  const checks = new Map<number, number>();
  const unwritten: number[] = [];
  /** Calls with a confirmed FAIL. */
  const failed = new Set<number>();

  function feed(event: Event): void {
    const checked = event.type === "verifierDone" ? checks.get(event.check) : undefined;
    for (const command of step(session, event)) take(command, checked);
  }

  function take(command: Command, checked: number | undefined): void {
    if (command.type === "toServer") toServer += Buffer.from(command.bytes).toString("latin1");
    else if (command.type === "toClient") toClient += Buffer.from(command.bytes).toString("latin1");
    else if (command.type === "exit") exits++;
    else if (command.type === "note") expect(command.note.code).not.toBe("fault");
    else if (command.type === "verify") {
      const { title, id } = JSON.parse(command.input);
      // The heart of it: arguments and answer of one and the same call.
      expect(String(id).slice(1)).toBe(String(title).slice(1));
      checks.set(command.check, Number(String(title).slice(1)));
    } else if (command.type === "cancelVerify") {
      // A cancelled verifier still comes back, with whatever it has.
    } else if (command.type === "record") {
      records++;
      if (command.line !== undefined) unwritten.push(command.line);
      if (command.record.status === "fail") failed.add(checked!);
    }
  }

  const latin1 = (bytes: Buffer) => bytes.toString("latin1");
  let fromClient = "";
  let fromServer = "";
  const peers = new Peers(
    (bytes) => {
      fromClient += latin1(bytes);
      feed({ type: "clientBytes", bytes, now });
      // Nothing ever waits on the way to the server.
      expect(toServer).toBe(fromClient);
    },
    (bytes) => {
      fromServer += latin1(bytes);
      feed({ type: "serverBytes", bytes, now });
      if (script.mode === "shadow") expect(toClient).toBe(fromServer);
    },
  );
  const done = (check: number, with_: Reply) => {
    feed({ type: "verifierDone", check, reply: with_, now });
    checks.delete(check);
  };

  for (const action of script.actions) {
    now += 1;
    if (action.type === "verdict") {
      const numbers = [...checks.keys()];
      if (numbers.length > 0) done(numbers[action.pick % numbers.length]!, REPLIES[action.reply]!);
    } else if (action.type === "written") {
      if (unwritten.length > 0) feed({ type: "recorded", line: unwritten.shift()!, now });
    } else if (action.type === "time") {
      now += action.ms;
      feed({ type: "tick", now });
    } else peers.act(action);
  }

  if (script.end === "stop") feed({ type: "stop", now });
  peers.finish(script.end);
  if (script.end !== "dies") feed({ type: "clientClosed", now });
  feed({ type: "serverExited", now });
  while (checks.size > 0) done(checks.keys().next().value!, pass);
  now += 10_000;
  feed({ type: "tick", now });

  expect(exits).toBe(1);
  if (script.mode === "shadow") expect(toClient).toBe(fromServer);
  expect([
    session.checks.size,
    session.heldLines.size,
    session.tasks.size > 0 ? [...session.tasks.values()].filter((t) => !t.verdict).length : 0,
  ]).toEqual([0, 0, 0]);
  expect([session.heldBytes, session.openRecords.size, session.retries.length, session.awaited]).toEqual([0, 0, 0, 0]);
  const calls = peers.asked.filter(isProtected).length;
  expect(records).toBeLessThanOrEqual(calls);
  expect(records).toBeGreaterThanOrEqual(calls - peers.retried);
  if (script.mode === "enforce") lines(peers, fromServer, toClient, failed);
}

/** Every line of the server comes out once, unchanged but for verdicts; verdicts stand where a FAIL is confirmed. */
function lines(peers: Peers, fromServer: string, toClient: string, failed: ReadonlySet<number>): void {
  const waiting = new Map<string, number[]>();
  const sent = fromServer.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  for (const [i, line] of sent.entries()) waiting.set(line, [...(waiting.get(line) ?? []), i]);
  const seen: number[] = [];
  for (const line of toClient.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    const original = line.replaceAll(VERDICT, "");
    const index = waiting.get(original)?.shift();
    expect(index, `a line that the server did not send: ${line}`).toBeDefined();
    seen.push(index!);
    verdicts(peers, line, failed);
  }
  const missing = sent.map((_, i) => i).filter((i) => !seen.includes(i));
  for (const i of missing) {
    const answers = [...peers.told.values()].filter((told) => told.line === i);
    // Only the answer to a cancelled request may be kept from a client.
    expect(cancelledAt(peers, i), `line ${i} is lost`).toBe(true);
    expect(answers.length).toBe(1);
  }
  const free = seen.filter((i) => peers.free.has(i));
  expect(free).toEqual([...free].sort((a, b) => a - b));
}

function cancelledAt(peers: Peers, line: number): boolean {
  const told = [...peers.told.values()].find((one) => one.line === line);
  return (
    told !== undefined &&
    peers.asked.some(({ cancelled, n, about }) => cancelled && (n === told.asked.n || about?.n === told.asked.n))
  );
}

function verdicts(peers: Peers, line: string, failed: ReadonlySet<number>): void {
  for (const result of results(parsed(line))) {
    const { asked, answers, again } = peers.told.get(result.mark)!;
    const has = JSON.stringify(result.content).includes("outcome_failed");
    if (has) expect(failed.has(asked.n), "a verdict without a FAIL").toBe(true);
    // The answer to a request that was cancelled is nothing to the client.
    else if (!again && !answers?.cancelled)
      expect(failed.has(asked.n), `a FAIL of call ${asked.n} that the client is not told`).toBe(false);
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(Buffer.from(line, "latin1").toString());
  } catch {
    return undefined;
  }
}

function results(value: unknown): { mark: number; content: unknown }[] {
  if (typeof value !== "object" || value === null) return [];
  const own = "mark" in value ? [value as { mark: number; content: unknown }] : [];
  return [...own, ...Object.values(value).flatMap(results)];
}
