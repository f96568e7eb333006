// Playbooks: a session told as a script of inputs, with everything that must come out after each; nothing may be left over.

import { expect } from "vitest";
import type { ToolContract } from "../src/core/contract/types.ts";
import type { OutcomeFields } from "../src/core/outcome/types.ts";
import { openSession, type Session } from "../src/core/session/state.ts";
import { step } from "../src/core/session/step.ts";
import type { Command, Event, SessionOptions } from "../src/core/session/types.ts";
import type { Reply } from "../src/core/verdict/types.ts";

/** A contract for a tool: `id` from the result (`structuredContent.id`), `title` from the arguments. */
export function contract(tool: string, more: Partial<ToolContract> = {}): ToolContract {
  return {
    tool,
    extract: new Map([
      ["id", { source: "result", path: ["result", "structuredContent", "id"].map((name) => ({ type: "key", name })) }],
      ["title", { source: "arguments", path: [{ type: "key", name: "title" }] }],
    ]),
    recordIdField: "id",
    verifier: { command: ["verify"], cwd: undefined, timeoutMs: 1000, secretEnv: [], env: undefined, prewarm: 0 },
    readback: undefined,
    allowedFailureReasons: new Set(["record_missing", "field_mismatch"]),
    recovery: "stop",
    ...more,
  };
}

/** A contract that takes all from the arguments, the record id too. */
export function updateContract(tool: string, more: Partial<ToolContract> = {}): ToolContract {
  return contract(tool, {
    extract: new Map([["id", { source: "arguments", path: [{ type: "key", name: "id" }] }]]),
    ...more,
  });
}

const defaults: Omit<SessionOptions, "mode" | "tools"> = {
  shadowHold: false,
  label: "srv",
  surface: "auto",
  maxInspectBytes: 1 << 20,
  maxParallelChecks: 16,
};

export function options(
  mode: SessionOptions["mode"],
  tools: readonly (string | ToolContract)[],
  more = {},
): SessionOptions {
  const contracts = tools.map((tool) => (typeof tool === "string" ? contract(tool) : tool));
  return { ...defaults, mode, tools: new Map(contracts.map((tool) => [tool.tool, tool])), ...more };
}

export const enforce = (...tools: (string | ToolContract)[]) => options("enforce", tools);
export const shadow = (...tools: (string | ToolContract)[]) => options("shadow", tools);

/** Lines of the wire, with their newline. */
export const line = (message: unknown) => `${typeof message === "string" ? message : JSON.stringify(message)}\n`;
export const call = (id: unknown, name: string, args: unknown = { title: "t" }) =>
  line({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } });
export const request = (id: unknown, method: string, params?: unknown) => line({ jsonrpc: "2.0", id, method, params });
export const notification = (method: string, params?: unknown) => line({ jsonrpc: "2.0", method, params });
export const cancelled = (requestId: unknown) => notification("notifications/cancelled", { requestId });
export const result = (id: unknown, value: unknown) => line({ jsonrpc: "2.0", id, result: value });
export const answer = (id: unknown, record: unknown = 12, more: object = {}) =>
  result(id, { content: [{ type: "text", text: "Created" }], structuredContent: { id: record }, ...more });

export const pass: Reply = reply('{"status":"pass"}');
export const fail = (reason = "record_missing"): Reply => reply(`{"status":"fail","reason_code":"${reason}"}`);
export function reply(stdout: string, code = 0): Reply {
  return { ended: "exit", code, signal: null, stdout: Buffer.from(stdout), overflow: false };
}

/** An expected command: exactly this one, or a check on it. */
type Expected = (command: Command | undefined) => void;

export const toClient = (text: string): Expected => bytesOf("toClient", (seen) => expect(seen).toBe(text));
export const toServer = (text: string): Expected => bytesOf("toServer", (seen) => expect(seen).toBe(text));
/** The original line with a verdict in it: taking the item out gives the original back. */
export const verdictIn = (text: string, check: (item: string) => void = () => {}): Expected =>
  bytesOf("toClient", (seen) => {
    const item = /\{"type":"text","text":"\[FOURGATE\](?:[^"\\]|\\.)*"\},?/.exec(seen);
    expect(item, seen).not.toBeNull();
    expect(seen.replace(item![0], "")).toBe(text);
    check(JSON.parse(item![0].replace(/,$/, "")).text);
  });
export const verify =
  (input: object, check?: number): Expected =>
  (command) => {
    expect(command).toMatchObject({ type: "verify", ...(check === undefined ? {} : { check }) });
    expect(JSON.parse((command as { input: string }).input)).toEqual(input);
  };
export const cancelsVerify: Expected = (command) => expect(command?.type).toBe("cancelVerify");
export const recorded =
  (status: string, reason: string, more: Partial<OutcomeFields> = {}): Expected =>
  (command) => {
    expect(command?.type).toBe("record");
    expect((command as { record: OutcomeFields }).record).toMatchObject({ status, reason_code: reason, ...more });
  };
export const noted =
  (code: string): Expected =>
  (command) =>
    expect(command).toMatchObject({ type: "note", note: { code } });
export const closesServer: Expected = (command) => expect(command).toEqual({ type: "closeServer" });
export const exits: Expected = (command) => expect(command).toEqual({ type: "exit" });

function bytesOf(type: "toClient" | "toServer", check: (text: string) => void): Expected {
  return (command) => {
    expect(command?.type).toBe(type);
    check(Buffer.from((command as { bytes: Uint8Array }).bytes).toString());
  };
}

/** A running playbook; each input must be followed by `expect` with all commands that it causes, in order. */
export class Play {
  readonly session: Session;
  now = 0;
  #out: Command[] = [];
  #checks: number[] = [];
  #lines: number[] = [];

  constructor(opts: SessionOptions) {
    this.session = openSession(opts);
  }

  client(bytes: string | Uint8Array): this {
    return this.feed({ type: "clientBytes", bytes: Buffer.from(bytes as string), now: this.now });
  }

  server(bytes: string | Uint8Array): this {
    return this.feed({ type: "serverBytes", bytes: Buffer.from(bytes as string), now: this.now });
  }

  /** The verifier of the oldest check under way comes back. */
  verdict(reply: Reply, check = this.#checks.shift()): this {
    this.#checks = this.#checks.filter((other) => other !== check);
    return this.feed({ type: "verifierDone", check: check!, reply, now: this.now });
  }

  /** The log has the oldest record that a line waits for. */
  written(): this {
    return this.feed({ type: "recorded", line: this.#lines.shift()!, now: this.now });
  }

  after(ms: number): this {
    this.now += ms;
    return this.feed({ type: "tick", now: this.now });
  }

  /** Time passes without a tick. */
  wait(ms: number): this {
    this.now += ms;
    return this;
  }

  end(type: "clientClosed" | "serverExited" | "stop"): this {
    return this.feed({ type, now: this.now } as Event);
  }

  expect(...expected: Expected[]): this {
    const out = this.#out;
    this.#out = [];
    for (let i = 0; i < Math.max(expected.length, out.length); i++) {
      if (!expected[i]) throw new Error(`unexpected command: ${show(out[i]!)}`);
      expected[i]!(out[i]);
    }
    return this;
  }

  /** The story is told: nothing is left over. */
  done(): void {
    this.expect();
  }

  feed(event: Event): this {
    this.expect();
    this.#out = step(this.session, event);
    for (const command of this.#out) {
      if (command.type === "verify") this.#checks.push(command.check);
      if (command.type === "record" && command.line !== undefined) this.#lines.push(command.line);
    }
    return this;
  }
}

export const play = (opts: SessionOptions) => new Play(opts);

function show(command: Command): string {
  return JSON.stringify(command, (_key, value) =>
    value instanceof Uint8Array ? Buffer.from(value).toString() : value,
  );
}
