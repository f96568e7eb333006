// Drives a published MCP server with the SDK client, directly or through the built guard with one of the ready contracts.

import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { fixture, MAIN, node, type OutcomeLine, scratch } from "./harness.ts";

export const published = (name: string) => resolve("node_modules/@modelcontextprotocol", name, "dist/index.js");

export type ToolCall = readonly [name: string, args: Record<string, unknown>];

export interface Setup {
  /** Folder of a ready contract; without one the client talks to the server itself. */
  readonly contract?: string;
  readonly mode?: "shadow" | "enforce";
  readonly server: readonly string[];
  /** A file or directory whose changes are undone before each answer. */
  readonly undone?: string;
  /** A program that runs the server and comes between, with its first arguments. */
  readonly before?: readonly string[];
  readonly env?: Record<string, string>;
}

export interface Played {
  readonly results: Answered[];
  /** The records in order, as `tool status/reason`. */
  readonly outcomes: string[];
  /** The whole log. */
  readonly logText: string;
}

export interface Answered {
  readonly content: { readonly type: string; readonly text: string }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

/** Makes the calls one after the other, each after the record of the one before. */
export async function play(setup: Setup, calls: readonly ToolCall[]): Promise<Played> {
  const log = join(scratch(), "outcomes.jsonl");
  const before = setup.before ?? (setup.undone ? [fixture("undoing.mjs"), setup.undone] : undefined);
  const server = [node, ...(before ? [...before, node] : []), ...setup.server];
  const contract = resolve("contracts", setup.contract ?? "", "contract.jsonc");
  const flags = ["--contracts", contract, "--mode", setup.mode ?? "shadow", "--server", "real", "--log", log];
  const [command, ...args] = setup.contract ? [node, MAIN, "guard", ...flags, "--", ...server] : server;
  const client = new Client({ name: "test", version: "1" });
  await client.connect(new StdioClientTransport({ command: command!, args, env: setup.env ?? {}, stderr: "ignore" }));
  const results: Answered[] = [];
  try {
    await client.listTools();
    for (const [name, args] of calls) {
      results.push((await client.callTool({ name, arguments: args })) as unknown as Answered);
      // Only calls of protected tools are made here, and each leaves one record.
      while (setup.contract && recordsIn(log).length < results.length) await pause(20);
    }
  } finally {
    await client.close();
  }
  const outcomes = recordsIn(log).map((record) => `${record.tool} ${record.status}/${record.reason_code}`);
  return { results, outcomes, logText: existsSync(log) ? readFileSync(log, "utf8") : "" };
}

function recordsIn(log: string): OutcomeLine[] {
  if (!existsSync(log)) return [];
  const lines = readFileSync(log, "utf8").split("\n");
  return lines.slice(0, -1).map((line) => JSON.parse(line) as OutcomeLine);
}
