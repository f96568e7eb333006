// Connections to one system of record: how they are opened, directly or through a proxy, and how long they are kept.

import type { Agent, ClientRequestArgs } from "node:http";
import type { Duplex } from "node:stream";
import { DEFAULT_MAX_PARALLEL_CHECKS, READBACK_KEEP_ALIVE_MS } from "../core/limits.ts";
import { openTunnel } from "./http-tunnel.ts";

/** What a request says to the agent beside Node's own options. */
export interface Asking extends ClientRequestArgs {
  /** Aborted when nobody waits any more for the connection that is being opened. */
  readonly hangUp: AbortSignal;
}

/** Opens the agent of one origin. Node's parts are loaded when they are needed: TLS takes longer to load than a read takes. */
export async function openAgent(target: URL, proxy: URL | undefined, keepAlive: boolean): Promise<Agent> {
  const options = {
    keepAlive,
    // As many as there are checks side by side: a connection is free again only a turn after its answer.
    maxSockets: DEFAULT_MAX_PARALLEL_CHECKS,
    // Of connections that nobody uses. A server that says less in `Keep-Alive: timeout` is believed.
    timeout: READBACK_KEEP_ALIVE_MS,
    // `localhost` may be ::1, 127.0.0.1 or both; whichever answers is meant.
    autoSelectFamily: true,
    // Whatever the environment says: a reader that trusts anybody proves nothing.
    rejectUnauthorized: true,
  };
  const { Agent } = target.protocol === "https:" ? await import("node:https") : await import("node:http");
  const agent: Agent = new Agent(options);
  dropWhatSpeaksUnasked(agent);
  if (proxy !== undefined) tunnelAll(agent, proxy, `${target.hostname}:${target.port || "443"}`);
  return agent;
}

/** Bytes on a connection that waits would be taken for the answer to the next question; such a connection is not kept. */
function dropWhatSpeaksUnasked(agent: Agent): void {
  const keep = agent.keepSocketAlive.bind(agent);
  const reuse = agent.reuseSocket.bind(agent);
  agent.keepSocketAlive = (connection) => {
    connection.on("data", destroyIt);
    return keep(connection);
  };
  agent.reuseSocket = (connection, request) => {
    connection.off("data", destroyIt);
    reuse(connection, request);
  };
}

function destroyIt(this: Duplex): void {
  this.destroy();
}

/** Every connection of the agent is made inside a tunnel. TLS, and whom the certificate is for, stay those of the target. */
function tunnelAll(agent: Agent, proxy: URL, authority: string): void {
  const secure = agent.createConnection.bind(agent);
  agent.createConnection = (options, done) => {
    openTunnel(proxy, authority, (options as Asking).hangUp)
      .then((socket) => secure({ ...options, socket } as ClientRequestArgs)!)
      .then(
        (connection) => done?.(null, connection),
        (error: Error) => done?.(error, undefined as never),
      );
    return undefined;
  };
}
