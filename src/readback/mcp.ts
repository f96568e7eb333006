// `type: mcp`: calls one reading tool of a server that is kept for it, and starts the server anew when it has gone or hangs.

import { fillArguments } from "../core/readback/arguments.ts";
import type { McpSource } from "../core/readback/kinds/mcp.ts";
import { observeResult } from "../core/readback/mcp-result.ts";
import type { DoubtReason, Observation } from "../core/readback/types.ts";
import { membersNamed, textOf } from "../core/wire/json.ts";
import type { Adapter, AdapterContext } from "./adapter.ts";
import { type McpServer, startMcpServer, type ToolState } from "./mcp-server.ts";

const doubt = (reason: DoubtReason, note: string): Observation => ({ type: "doubt", reason, note });

const STATES: Readonly<Record<Exclude<ToolState, "reads">, string>> = {
  writes: "the server says that this tool does more than read",
  "unknown tool": "the server has no such tool",
  "no session": "the server could not be started, or leads no session",
};

/** Opens the adapter; the server is started by the first read, or when it is warmed. */
export async function openMcp(source: McpSource, context: AdapterContext): Promise<Adapter> {
  let server: McpServer | undefined;
  const current = (): McpServer => {
    if (server === undefined || !server.running()) server = startMcpServer(source, context);
    return server;
  };
  return {
    describe: () => `tools/call ${source.tool} of an MCP server of its own (${argumentsText(source)})`,
    async read({ fields, limitMs, signal }) {
      const args = fillArguments(source.arguments, fields);
      if (args === undefined) return doubt("readback_selector_invalid", "an argument's value is missing or empty");
      const unset = source.secretEnv.find((name) => !context.environment[name]);
      if (unset !== undefined) return doubt("credential_missing", `${unset} is not set`);
      const giveUp = new AbortController();
      const timer = setTimeout(() => giveUp.abort(), Math.max(0, limitMs));
      const cancel = () => giveUp.abort();
      signal.addEventListener("abort", cancel);
      try {
        return await call(current(), args, giveUp.signal);
      } finally {
        clearTimeout(timer);
        signal.removeEventListener("abort", cancel);
      }

      async function call(asked: McpServer, args: string, giveUp: AbortSignal): Promise<Observation> {
        const state = await unlessAborted(asked.ready, giveUp);
        if (state === undefined) return doubt("readback_timeout", "the server is still starting");
        if (state !== "reads") {
          return doubt(state === "no session" ? "readback_error" : "readback_unconfirmed", STATES[state]);
        }
        const begin = performance.now();
        const params = `{"name":${JSON.stringify(source.tool)},"arguments":${args}}`;
        const answer = await asked.ask("tools/call", params, giveUp);
        if (answer === undefined) {
          if (!giveUp.aborted) return doubt("readback_error", "the server ended, or gave no answer that can be read");
          // One that has been silent all the time hangs; one that is only slow is left alone.
          if (!signal.aborted && !asked.heardSince(begin)) void asked.kill();
          return doubt("readback_timeout", "tools/call took too long");
        }
        const { bytes, span } = answer;
        if (answer.type === "result") return observeResult(source, bytes, span, fields);
        const [code] = membersNamed(bytes, span, "code");
        const said = code === undefined ? "" : textOf(bytes, code);
        return doubt("readback_unconfirmed", `tools/call, error ${/^-?\d{1,9}$/.test(said) ? said : "without a code"}`);
      }
    },
    warm: () => void current(),
    async close() {
      await server?.close();
    },
  };
}

function unlessAborted<T>(wanted: Promise<T>, giveUp: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve) => {
    const end = () => resolve(undefined);
    if (giveUp.aborted) return end();
    giveUp.addEventListener("abort", end, { once: true });
    void wanted.then(resolve);
  });
}

function argumentsText({ arguments: parts }: McpSource): string {
  const count = (parts.length - 1) / 2;
  return `${count} ${count === 1 ? "value" : "values"} in its arguments`;
}
