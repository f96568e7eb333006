// One MCP session of the demo: a client connects, asks for the tools, creates one ticket and leaves.

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { DEMO_SESSION_TIMEOUT_MS } from "../../core/limits.ts";
import { ChildTransport } from "./child-transport.ts";

/** What the agent was given for its call. */
export interface Answer {
  /** The line as it came over the wire. */
  readonly line: string;
  readonly texts: readonly string[];
  readonly structured: unknown;
  readonly isError: boolean;
}

export interface SessionEnd {
  /** Undefined when no answer came in time. */
  readonly answer: Answer | undefined;
  readonly exitCode: number | null;
}

/** Runs `command` as the client's server and calls create_ticket. Never rejects; the program is gone when this resolves. */
export async function runSession(
  command: readonly [string, ...string[]],
  env: Record<string, string>,
  title: string,
  signal: AbortSignal,
): Promise<SessionEnd> {
  const transport = new ChildTransport(command, env);
  const client = new Client({ name: "fourgate-demo", version: "1.0.0" });
  const options = { timeout: DEMO_SESSION_TIMEOUT_MS };
  const breakOff = () => void transport.close();
  signal.addEventListener("abort", breakOff);
  let answer: Answer | undefined;
  try {
    await client.connect(transport, options);
    // The SDK checks answers against the tools' output schemas only when it has seen the list.
    await client.listTools({}, options);
    const result = await client.callTool({ name: "create_ticket", arguments: { title } }, undefined, options);
    const content = Array.isArray(result.content) ? result.content : [];
    answer = {
      line: transport.lines.at(-1) ?? "",
      texts: content.map((item: { text?: string }) => item.text ?? ""),
      structured: result.structuredContent,
      isError: result.isError === true,
    };
  } catch {
    // The self-check names the scene in which no answer came.
  }
  await client.close().catch(() => {});
  await transport.close();
  signal.removeEventListener("abort", breakOff);
  return { answer, exitCode: transport.exitCode };
}
