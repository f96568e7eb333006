// The client's end of one MCP session over stdio: starts the program, keeps the raw answers for comparison, and always ends it.

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { deserializeMessage, serializeMessage } from "@modelcontextprotocol/sdk/shared/stdio.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { DEMO_CLOSE_GRACE_MS, DEMO_KILL_GRACE_MS } from "../../core/limits.ts";

export class ChildTransport implements Transport {
  onclose: () => void = () => {};
  onerror: (error: Error) => void = () => {};
  onmessage: (message: JSONRPCMessage) => void = () => {};

  /** Every line that came from the program, as it came. */
  readonly lines: string[] = [];
  /** The program's exit status; null before its end, or when a signal ended it. */
  exitCode: number | null = null;
  readonly #command: readonly [string, ...string[]];
  readonly #env: Record<string, string>;
  #child: ChildProcessWithoutNullStreams | undefined;
  #ended: Promise<void> = Promise.resolve();
  #rest = "";

  constructor(command: readonly [string, ...string[]], env: Record<string, string>) {
    this.#command = command;
    this.#env = env;
  }

  async start(): Promise<void> {
    const [program, ...args] = this.#command;
    const child = spawn(program, args, { env: this.#env, stdio: "pipe", windowsHide: true });
    this.#child = child;
    this.#ended = new Promise((resolve) => {
      child.once("error", () => resolve());
      child.once("close", (code) => {
        this.exitCode = code;
        resolve();
      });
    });
    this.#ended.then(() => this.onclose());
    child.on("error", (error) => this.onerror(error));
    child.stdin.on("error", () => {});
    // What the programs say to people is not part of the story, but a full pipe would stop them.
    child.stderr.resume();
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => this.#read(chunk));
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#child?.stdin.write(serializeMessage(message));
  }

  /** Ends the program: its stdin first, then a signal, then by force. Resolves when it is gone. */
  async close(): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    child.stdin.end();
    if (await this.#endsWithin(DEMO_CLOSE_GRACE_MS)) return;
    child.kill("SIGTERM");
    if (await this.#endsWithin(DEMO_KILL_GRACE_MS)) return;
    child.kill("SIGKILL");
    await this.#endsWithin(DEMO_KILL_GRACE_MS);
  }

  async #endsWithin(ms: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(resolve, ms, false);
    });
    const ended = await Promise.race([this.#ended.then(() => true as const), late]);
    clearTimeout(timer);
    return ended;
  }

  #read(chunk: string): void {
    const lines = (this.#rest + chunk).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) {
      this.lines.push(line);
      try {
        this.onmessage(deserializeMessage(line));
      } catch (error) {
        this.onerror(error as Error);
      }
    }
  }
}
