// One MCP server that is started for reading: its start, its session, its end.

import { spawn } from "node:child_process";
import { baseNames } from "../core/base-environment.ts";
import { MCP_START_LIMIT_MS } from "../core/limits.ts";
import type { McpSource } from "../core/readback/kinds/mcp.ts";
import { kindOf, membersNamed, stringOf, textOf } from "../core/wire/json.ts";
import type { AdapterContext } from "./adapter.ts";
import { type Answer, McpWire } from "./mcp-wire.ts";
import { userAgent } from "./user-agent.ts";

/** What is known of the tool once the session stands. */
export type ToolState = "reads" | "writes" | "unknown tool" | "no session";

export interface McpServer {
  /** Settles when the session stands, or never will. Never rejects. */
  readonly ready: Promise<ToolState>;
  readonly running: () => boolean;
  /** Whether it has said anything since that moment. */
  heardSince(moment: number): boolean;
  ask(method: string, params: string, giveUp: AbortSignal): Promise<Answer | undefined>;
  /** Asks it to end by the end of its stdin, and ends it with all that it started when it does not. */
  close(): Promise<void>;
  kill(): Promise<void>;
}

/** What a server gets by the end of its stdin before it is killed (milliseconds): it only reads, and somebody may wait for an answer. */
const CLOSE_GRACE_MS = 100;

/** Starts a server. Never throws: one that cannot start has no session. */
export function startMcpServer(source: McpSource, { environment, processes }: AdapterContext): McpServer {
  const env: Record<string, string> = Object.create(null);
  for (const name of [...baseNames(process.platform), ...source.env, ...source.secretEnv]) {
    const value = environment[name];
    if (value !== undefined) env[name] = value;
  }
  const [program = "", ...args] = source.command;
  const how = processes?.launch(program, args, env) ?? { program, args, verbatim: false };
  if (how === "EINVAL") return noServer;
  let child: ReturnType<typeof spawnServer>;
  try {
    child = spawnServer(how, env, source.cwd);
  } catch {
    return noServer;
  }
  let running = child.pid !== undefined;
  const gone = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.on("error", () => {
      if (child.pid === undefined) resolve();
    });
  });
  const kill = async (): Promise<void> => {
    running = false;
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    await (processes?.endTree(child.pid) ?? Promise.resolve());
    child.kill("SIGKILL");
  };
  const wire = new McpWire(child, () => void kill());
  void gone.then(() => {
    running = false;
    wire.ended();
  });
  // It must not keep a process alive that is done.
  child.unref();
  const ready = open(wire, source.tool).then((state) => {
    if (state === "no session") void kill();
    return state;
  });
  return {
    ready,
    running: () => running,
    heardSince: (moment) => wire.heardAt >= moment,
    ask: (method, params, giveUp) => wire.ask(method, params, giveUp),
    kill,
    async close() {
      child.stdin.end();
      let timer: NodeJS.Timeout | undefined;
      const limit = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, CLOSE_GRACE_MS);
      });
      await Promise.race([gone, limit]);
      clearTimeout(timer);
      await kill();
    },
  };
}

function spawnServer(
  {
    program,
    args,
    verbatim,
  }: { readonly program: string; readonly args: readonly string[]; readonly verbatim: boolean },
  env: Record<string, string>,
  cwd: string | undefined,
) {
  return spawn(program, args, {
    env,
    ...(cwd !== undefined && { cwd }),
    // Of the reader's own group, with which it is ended at the latest.
    stdio: ["pipe", "pipe", "ignore"],
    windowsHide: true,
    windowsVerbatimArguments: verbatim,
  });
}

const noServer: McpServer = {
  ready: Promise.resolve("no session"),
  running: () => false,
  heardSince: () => true,
  ask: async () => undefined,
  close: async () => {},
  kill: async () => {},
};

/** Leads the session to where the tool can be called. */
async function open(wire: McpWire, tool: string): Promise<ToolState> {
  const limit = AbortSignal.timeout(MCP_START_LIMIT_MS);
  try {
    const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
    const [name, version] = userAgent.split("/");
    const client = new Client({ name: name!, version: version! });
    client.onerror = () => {};
    await client.connect(wire, { signal: limit, timeout: MCP_START_LIMIT_MS });
    return await lookUp(wire, tool, limit);
  } catch {
    return "no session";
  }
}

/** Pages of a server's list of tools that are looked through. */
const MAX_PAGES = 20;

async function lookUp(wire: McpWire, tool: string, limit: AbortSignal): Promise<ToolState> {
  let params = "{}";
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = await wire.ask("tools/list", params, limit);
    if (answer?.type !== "result" || kindOf(answer.bytes, answer.span) !== "object") return "no session";
    const { bytes, span } = answer;
    const [tools] = membersNamed(bytes, span, "tools");
    if (tools === undefined) return "no session";
    const listed = JSON.parse(textOf(bytes, tools)) as {
      readonly name?: unknown;
      readonly annotations?: { readonly readOnlyHint?: unknown; readonly destructiveHint?: unknown };
    }[];
    const found = listed.find(({ name }) => name === tool);
    if (found !== undefined) return writes(found.annotations) ? "writes" : "reads";
    const [next] = membersNamed(bytes, span, "nextCursor");
    const cursor = next && stringOf(bytes, next);
    if (cursor === undefined) break;
    params = JSON.stringify({ cursor });
  }
  return "unknown tool";
}

/** By what the server itself says of the tool; saying nothing is common among those that only read. */
function writes(said: { readonly readOnlyHint?: unknown; readonly destructiveHint?: unknown } = {}): boolean {
  return said.readOnlyHint === false || (said.destructiveHint === true && said.readOnlyHint !== true);
}
