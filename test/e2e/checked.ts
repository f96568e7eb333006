// One protected call under some fault, and what must hold whatever the fault: the answer byte for byte and in time, one record,
// no process left, and a guard that goes on.

import { expect } from "vitest";
import { contractFor, FAILS, type Guard, type GuardStart, guard, type OutcomeLine, verdictOf } from "./harness.ts";

/** The bound of a held answer: the verifier's budget and the grace, and what a busy machine takes on top. */
export const BOUND_MS = 2000 + 250 + 500;

/** How long killed processes may take to be gone; only something that stays meets it. */
const GONE_MS = 10_000;

/** The tools of several contracts in one, and `sound`, whose verifier works and says FAIL. */
export function together(...contracts: object[]): object {
  const tools = [...contracts, contractFor(FAILS, {}, ["sound"])].map(
    (contract) => (contract as { tools: object }).tools,
  );
  return { contract_version: 1, tools: Object.assign({}, ...tools) };
}

/** A contract for `create`, and `sound`. */
export function besideSound(command: readonly string[], more: Record<string, unknown> = {}): object {
  return together(contractFor(command, more));
}

/** What fast.mjs answers to a call whose arguments do not say otherwise. */
export function answerOf(id: number | string, result?: unknown): string {
  const usual = { content: [{ type: "text", text: `Created ${id}` }], structuredContent: { id } };
  return JSON.stringify({ jsonrpc: "2.0", id, result: result ?? usual });
}

/** A request that fast.mjs answers in its way and says.mjs word for word, which comes to the same. */
function request(id: string, method: string, name: string, result: object): object {
  return { jsonrpc: "2.0", id, method, params: { name, arguments: { reply: result }, say: answerOf(id, result) } };
}

/** A first answer through the guard: both sides run. */
export async function warm(session: Guard): Promise<void> {
  session.read().send(request("warm", "tools/call", "other", { content: [] }));
  expect((await session.message()).id).toBe("warm");
}

/** The guard goes on: its next check runs and its verdict is given. */
export async function goesOn(session: Guard): Promise<void> {
  const result = { content: [{ type: "text", text: "done" }], structuredContent: { id: 1 } };
  session.send(request("sound", "tools/call", "sound", result));
  expect(verdictOf(await session.message())).toMatch(/^\[FOURGATE\] \{"kind":"outcome_failed"/);
}

/** Waits until of this session only so many processes run; a verifier's must not have to wait for the session's end. */
export async function onlyLeft(session: Guard, count: number): Promise<void> {
  const end = performance.now() + GONE_MS;
  await session.until(() => session.left().length <= count || performance.now() > end);
  expect(session.left()).toHaveLength(count);
}

export interface Asked extends Partial<GuardStart> {
  /** Makes the call; without it `create` is called with id 1. */
  readonly ask?: (session: Guard) => void;
  /** The server's answer to it, line by line; without it that of fast.mjs. */
  readonly answer?: string;
  /** From the call to its answer (milliseconds); BOUND_MS unless the call itself takes long to send. */
  readonly withinMs?: number;
  /** What is done once both sides run and before the call is made. */
  readonly before?: (session: Guard) => void;
  /** And what once the call is answered. */
  readonly after?: (session: Guard) => void;
}

export interface Checked {
  /** From the call to its answer. */
  readonly ms: number;
  /** The one record of the call. */
  readonly record: OutcomeLine;
  readonly session: Guard;
}

/** Makes the call in a session that is warm and waits for its answer, byte for byte. Gives how long that took. */
async function callOnce(session: Guard, asked: Asked): Promise<number> {
  const { ask = (to: Guard) => to.call(1), answer = answerOf(1), withinMs = BOUND_MS, before, after } = asked;
  const alone = session.left().length;
  before?.(session);
  const begin = performance.now();
  ask(session);
  for (const line of answer.split("\n")) {
    const got = await session.next();
    // Cut, so that a failure does not print a line of many MiB.
    if (got !== line) expect(got?.slice(0, 2000)).toBe(line.slice(0, 2000));
    expect(got === line).toBe(true);
  }
  const ms = performance.now() - begin;
  expect(ms).toBeLessThan(withinMs);
  after?.(session);
  await onlyLeft(session, alone);
  await goesOn(session);
  return ms;
}

/** Ends the session; nothing more was said and nothing is left. Gives the records of all calls but those of `goesOn`. */
async function endOf(session: Guard, calls: number): Promise<OutcomeLine[]> {
  expect(await session.end()).toBe(0);
  expect(session.lines).toEqual([]);
  expect(session.left()).toEqual([]);
  expect(session.stderr).not.toContain("internal fault");
  const records = [...session.records(), ...session.stderrRecords()].sort((a, b) => a.seq - b.seq);
  const sound = records.filter((record) => record.tool === "sound");
  expect(sound.map((record) => record.reason_code)).toEqual(Array(calls).fill("record_missing"));
  expect(records).toHaveLength(2 * calls);
  return records.filter((record) => record.tool !== "sound");
}

/**
 * Makes one call in enforce mode that must come to no verdict: its answer is byte for byte the server's and there within the
 * bound, nothing of its verifier stays, the next check works, and there is one record. The contract is from `besideSound`.
 */
export async function enforced(contract: object, asked: Asked = {}): Promise<Checked> {
  const session = guard({ ...asked, contract, flags: ["--mode", "enforce", ...(asked.flags ?? [])] });
  await warm(session);
  const ms = await callOnce(session, asked);
  const [record] = await endOf(session, 1);
  return { ms, record: record!, session };
}

/** The same for several calls in one session. Gives what each came to. */
export async function enforcedInTurn(contract: object, calls: Record<string, Asked>): Promise<Record<string, string>> {
  const names = Object.keys(calls);
  const { server, flags = [] } = calls[names[0]!]!;
  const session = guard({ contract, flags: ["--mode", "enforce", ...flags], ...(server ? { server } : {}) });
  await warm(session);
  for (const name of names) await callOnce(session, calls[name]!);
  const records = await endOf(session, names.length);
  return Object.fromEntries(records.map(({ status, reason_code }, i) => [names[i], `${status}/${reason_code}`]));
}

/** The same for several verifiers, a tool each. */
export function enforcedEach(
  commands: Record<string, readonly string[]>,
  asked: Asked = {},
): Promise<Record<string, string>> {
  const names = Object.keys(commands);
  const contract = together(...names.map((name) => contractFor(commands[name]!, {}, [name])));
  const calls = names.map((name) => [name, { ...asked, ask: (session: Guard) => session.call(1, name) }]);
  return enforcedInTurn(contract, Object.fromEntries(calls));
}
