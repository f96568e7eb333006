// Sessions of real clients and servers (test/corpus/wire), replayed through the core: not a byte differs, and each call has its record.

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { ToolContract } from "../../../src/core/contract/types.ts";
import { openSession } from "../../../src/core/session/state.ts";
import { step } from "../../../src/core/session/step.ts";
import type { Event, SessionOptions } from "../../../src/core/session/types.ts";
import { options, pass } from "../../playbook.ts";
import { read } from "../contract/reading.ts";

const corpus = fileURLToPath(new URL("../../corpus/wire/", import.meta.url));
const revisions = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"];

interface Line {
  readonly from: "client" | "server";
  readonly line: string;
}

interface Expected {
  readonly tools: Record<string, object>;
  /** In order, as `tool status/reason`. */
  readonly records: string[];
}

const sessionsIn = (revision: string) =>
  readdirSync(`${corpus}${revision}`)
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => `${revision}/${name.slice(0, -".jsonl".length)}`);

function linesOf(name: string): Line[] {
  const lines = readFileSync(`${corpus}${name}.jsonl`, "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as Line);
}

const expectedOf = (name: string) => JSON.parse(readFileSync(`${corpus}${name}.expected.json`, "utf8")) as Expected;

/** What stands beside a session is read as a contract file would be. */
async function contractsFor({ tools }: Expected): Promise<ToolContract[]> {
  const check = { verifier: { command: ["verify"], timeout_ms: 1000 }, allowed_failure_reasons: ["record_missing"] };
  const whole = Object.fromEntries(Object.entries(tools).map(([name, tool]) => [name, { ...tool, ...check }]));
  const result = await read(JSON.stringify({ contract_version: 1, tools: whole }));
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return [...result.contract.tools.values()];
}

interface Replayed {
  readonly toServer: string;
  readonly toClient: string;
  readonly records: string[];
}

/** Feeds the session in pieces. A check comes to PASS, and a log takes a record, after `lag` more events. */
function replay(lines: readonly Line[], opts: SessionOptions, pieces: (line: Buffer) => Buffer[], lag = 0): Replayed {
  const session = openSession(opts);
  const out: { toServer: Uint8Array[]; toClient: Uint8Array[]; records: string[] } = {
    toServer: [],
    toClient: [],
    records: [],
  };
  const due: { readonly event: Event; readonly at: number }[] = [];
  let events = 0;
  const carryOut = (event: Event) => {
    for (const command of step(session, event)) {
      if (command.type === "toServer" || command.type === "toClient") {
        out[command.type].push(Uint8Array.from(command.bytes));
      }
      if (command.type === "verify") later({ type: "verifierDone", check: command.check, reply: pass, now: 0 });
      if (command.type !== "record") continue;
      const { tool, status, reason_code } = command.record;
      out.records.push(`${tool} ${status}/${reason_code}`);
      if (command.line !== undefined) later({ type: "recorded", line: command.line, now: 0 });
    }
  };
  const later = (event: Event) => due.push({ event, at: events + lag });
  const settle = (until: number) => {
    while (due.length > 0 && due[0]!.at <= until) carryOut(due.shift()!.event);
  };
  const feed = (event: Event) => {
    carryOut(event);
    settle(events);
    events++;
  };
  for (const { from, line } of lines) {
    const type = from === "client" ? "clientBytes" : "serverBytes";
    for (const bytes of pieces(Buffer.from(`${line}\n`))) feed({ type, bytes, now: 0 });
  }
  feed({ type: "clientClosed", now: 0 });
  settle(Number.POSITIVE_INFINITY);
  feed({ type: "serverExited", now: 0 });
  settle(Number.POSITIVE_INFINITY);
  const text = (parts: Uint8Array[]) => Buffer.concat(parts).toString();
  return { toServer: text(out.toServer), toClient: text(out.toClient), records: out.records };
}

const whole = (line: Buffer) => [line];
const byteByByte = (line: Buffer) => Array.from(line, (_, at) => line.subarray(at, at + 1));
const sent = (lines: readonly Line[], from: Line["from"]) =>
  lines.map((one) => (one.from === from ? `${one.line}\n` : "")).join("");
const sorted = (text: string) => text.split("\n").sort();

describe.each(revisions)("revision %s", (revision) => {
  describe.each(sessionsIn(revision))("%s", (name) => {
    const lines = linesOf(name);
    const expected = expectedOf(name);

    test.each(["shadow", "enforce"] as const)("in %s mode, whole lines and single bytes", async (mode) => {
      const opts = options(mode, await contractsFor(expected));
      for (const pieces of [whole, byteByByte]) {
        const { toServer, toClient, records } = replay(lines, opts, pieces);
        expect(toServer).toBe(sent(lines, "client"));
        expect(toClient).toBe(sent(lines, "server"));
        expect(records).toEqual(expected.records);
      }
    });

    test("with checks that take their time, every line is still there and every record the same", async () => {
      const opts = options("enforce", await contractsFor(expected));
      const { toServer, toClient, records } = replay(lines, opts, whole, 3);
      expect(toServer).toBe(sent(lines, "client"));
      expect(sorted(toClient)).toEqual(sorted(sent(lines, "server")));
      expect(records.sort()).toEqual([...expected.records].sort());
    });
  });
});

test("the corpus has every kind of message that the revisions bring", () => {
  const all = revisions.flatMap(sessionsIn).flatMap(linesOf);
  const text = all.map(({ line }) => line).join("\n");
  for (const method of [
    "initialize",
    "server/discover",
    "tools/list",
    "tools/call",
    "notifications/cancelled",
    "notifications/progress",
    "notifications/tools/list_changed",
    "sampling/createMessage",
    "elicitation/create",
    "roots/list",
    "tasks/get",
    "tasks/result",
    "tasks/cancel",
    "tasks/update",
    "notifications/tasks",
    "notifications/tasks/status",
    "subscriptions/listen",
  ]) {
    expect(text).toContain(`"method":"${method}"`);
  }
  for (const part of [
    '"nextCursor"',
    '"isError":true',
    '"structuredContent"',
    '"outputSchema"',
    '"input_required"',
    '"error":',
  ]) {
    expect(text).toContain(part);
  }
  expect(all.some(({ line }) => line.trimStart().startsWith("["))).toBe(true);
});

test("the corpus names no machine and no time, and nothing in it stands without its expectation", () => {
  const files = revisions.flatMap((revision) => readdirSync(`${corpus}${revision}`));
  expect(files.filter((name) => name.endsWith(".expected.json"))).toHaveLength(files.length / 2);
  for (const name of revisions.flatMap(sessionsIn)) {
    const text = readFileSync(`${corpus}${name}.jsonl`, "utf8");
    expect(text).not.toMatch(/\/(?:tmp|home|root|work|Users|var)\//);
    expect(text.replaceAll("2026-01-01T00:00:00.000Z", "")).not.toMatch(/\d{4}-\d\d-\d\dT\d\d/);
  }
});
