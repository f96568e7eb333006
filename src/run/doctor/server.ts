// Starts the server as guard would, shakes hands, reads its list of tools, and ends it. It is never called.

import type { Contract } from "../../core/contract/types.ts";
import type { ListedTool, ServerFacts } from "../../core/doctor/types.ts";
import { DEFAULT_SCAN_START_TIMEOUT_MS } from "../../core/limits.ts";
import { WITHOUT_HANDSHAKE } from "../../core/scan/protocol-versions.ts";
import { type Environment, serverEnvironment } from "../../io/environment.ts";
import { killTree } from "../../io/process-tree.ts";
import { startServer } from "../../io/server-process.ts";
import { secretNames } from "../guard/secret-names.ts";
import { openClient } from "../scan/client.ts";
import { shakeHands } from "../scan/handshake.ts";
import { endScanServer } from "../scan/server.ts";

/** What an older server and a newer one both take. */
const OFFERED = "2025-11-25";

export interface Looked {
  readonly facts: ServerFacts;
  /** Each tool as the server lists it, JSON text. */
  readonly listed: ReadonlyMap<string, string>;
}

/** Never rejects. `stop` ends the wait. */
export async function lookAtServer(
  [program, ...args]: readonly [string, ...string[]],
  contract: Pick<Contract, "tools">,
  own: Environment,
  stop: AbortSignal,
): Promise<Looked> {
  const environment = serverEnvironment(own, secretNames(contract));
  const first = await look(OFFERED);
  return first === "modern only" ? ((await look(WITHOUT_HANDSHAKE)) as Looked) : first;

  async function look(protocolVersion: string): Promise<Looked | "modern only"> {
    const listed = new Map<string, string>();
    const started = await startServer(program, args, environment, { stderr: "pipe" });
    if (!started.ok) return { facts: { type: "not_started", code: started.code }, listed };
    const { server } = started;
    const onExit = () => void killTree(server.pid, "SIGKILL");
    process.once("exit", onExit);
    // What it says there may hold anything, and must not block it.
    server.stderr?.resume();
    try {
      const client = openClient(server);
      const about = { protocolVersion, startTimeoutMs: DEFAULT_SCAN_START_TIMEOUT_MS };
      const hands = await shakeHands(client, about, stop);
      if (!hands.ok) {
        if (hands.modernOnly) return "modern only";
        return { facts: { type: "no_session", reason: hands.reason, noise: client.noise() }, listed };
      }
      const { name, version, protocolVersion: agreed } = hands.session;
      const tools = [...hands.session.listed].map(([tool, json]) => ({ name: tool, readOnly: readOnlyHint(json) }));
      const facts = { type: "session", name, version, protocolVersion: agreed, tools, noise: client.noise() } as const;
      return { facts, listed: hands.session.listed };
    } finally {
      await endScanServer(server);
      process.off("exit", onExit);
    }
  }
}

/** `annotations.readOnlyHint` of a tool's JSON text. */
export function readOnlyHint(json: string): ListedTool["readOnly"] {
  const { annotations } = JSON.parse(json) as { annotations?: { readOnlyHint?: unknown } | null };
  const hint = annotations?.readOnlyHint;
  return typeof hint === "boolean" ? hint : undefined;
}
