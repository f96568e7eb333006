// The lines between the reader and an MCP server. The SDK's client leads the session; our own questions go past it, as bytes, so that
// numbers keep their digits both ways.

import type { ChildProcess } from "node:child_process";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { MAX_READBACK_LINE_BYTES } from "../core/limits.ts";
import { kindOf, membersNamed, type Span, textOf } from "../core/wire/json.ts";
import { jsonValue } from "../core/wire/validate.ts";

/** An answer to a question of ours: the line, and where in it the result or the error stands. */
export interface Answer {
  readonly bytes: Uint8Array;
  readonly type: "result" | "error";
  readonly span: Span;
}

export class McpWire implements Transport {
  onclose: () => void = () => {};
  onerror: (error: Error) => void = () => {};
  onmessage: (message: JSONRPCMessage) => void = () => {};
  /** When the server last said anything. */
  heardAt = 0;
  readonly #child: ChildProcess;
  readonly #kill: () => void;
  readonly #asked = new Map<string, (answer: Answer | undefined) => void>();
  #count = 0;
  #rest: Uint8Array[] = [];
  #restSize = 0;

  /** `kill` is called for a server that says what no answer to a read can be. */
  constructor(child: ChildProcess, kill: () => void) {
    this.#child = child;
    this.#kill = kill;
    child.stdin!.on("error", () => {});
    child.stdout!.on("error", () => {});
    child.stdout!.on("data", (chunk: Uint8Array) => this.#take(chunk));
  }

  async start(): Promise<void> {}

  async close(): Promise<void> {
    this.ended();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#write(JSON.stringify(message));
  }

  /** The server is gone: nothing will be answered any more. */
  ended(): void {
    for (const settle of this.#asked.values()) settle(undefined);
    this.onclose();
  }

  /** Sends a request with parameters as JSON text. Gives the answer, or undefined when none will come or none is waited for any more. */
  ask(method: string, params: string, giveUp: AbortSignal): Promise<Answer | undefined> {
    const id = `"fourgate-${++this.#count}"`;
    return new Promise((resolve) => {
      const settle = (answer: Answer | undefined): void => {
        giveUp.removeEventListener("abort", abandon);
        if (this.#asked.delete(id)) resolve(answer);
      };
      const abandon = (): void => {
        this.#write(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}`);
        settle(undefined);
      };
      this.#asked.set(id, settle);
      if (giveUp.aborted) return settle(undefined);
      giveUp.addEventListener("abort", abandon);
      this.#write(`{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":${params}}`);
    });
  }

  #write(line: string): void {
    this.#child.stdin!.write(`${line}\n`);
  }

  #take(chunk: Uint8Array): void {
    this.heardAt = performance.now();
    let at = 0;
    for (let newline = chunk.indexOf(10); newline >= 0; newline = chunk.indexOf(10, at)) {
      this.#rest.push(chunk.subarray(at, newline));
      const line = Buffer.concat(this.#rest);
      this.#rest = [];
      this.#restSize = 0;
      at = newline + 1;
      this.#line(line);
    }
    if (at === chunk.length) return;
    this.#rest.push(chunk.subarray(at));
    this.#restSize += chunk.length - at;
    if (this.#restSize > MAX_READBACK_LINE_BYTES) this.#kill();
  }

  #line(bytes: Uint8Array): void {
    const root = jsonValue(bytes, 0, bytes.length);
    // Servers print all kinds of things to stdout; only objects are messages.
    if (root === undefined || kindOf(bytes, root) !== "object") return;
    const one = (name: string): Span | undefined => {
      const found = membersNamed(bytes, root, name);
      return found.length === 1 ? found[0] : undefined;
    };
    const id = one("id");
    const settle = id && one("method") === undefined ? this.#asked.get(textOf(bytes, id)) : undefined;
    if (settle === undefined) {
      try {
        this.onmessage(JSON.parse(textOf(bytes, root)) as JSONRPCMessage);
      } catch (error) {
        this.onerror(error as Error);
      }
      return;
    }
    const result = one("result");
    const error = one("error");
    if (result !== undefined && error === undefined) settle({ bytes, type: "result", span: result });
    else if (error !== undefined && result === undefined) settle({ bytes, type: "error", span: error });
    else settle(undefined);
  }
}
