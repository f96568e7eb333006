// Wires the four streams of a session to its events, with back-pressure both ways.

import type { Readable } from "node:stream";
import type { Event } from "../../core/session/types.ts";
import { type Sink, sinkTo } from "../../io/flow.ts";
import type { ServerProcess } from "../../io/server-process.ts";
import type { Ending } from "./ending.ts";

/** The client's side of a session. */
export interface ClientStreams {
  readonly input: Readable;
  readonly output: NodeJS.WriteStream;
}

/** The two writing ends of a session. */
export interface Sinks {
  readonly toServer: Sink;
  readonly toClient: Sink;
}

/** Opens the writing ends. `clientGone` is called once when the client reads no more. */
export function openSinks(client: ClientStreams, server: ServerProcess, clientGone: () => void): Sinks {
  return {
    toServer: sinkTo(server.stdin, client.input, () => {}),
    toClient: sinkTo(client.output, server.stdout, clientGone),
  };
}

/** Turns what the streams say into events, each end exactly once. Gives whether the client still has its end open. */
export function relay(
  client: ClientStreams,
  server: ServerProcess,
  ending: Ending,
  feed: (event: Event) => void,
): () => boolean {
  let clientOpen = true;
  client.input.on("data", (bytes: Uint8Array) => feed({ type: "clientBytes", bytes, now: performance.now() }));
  onEnd(client.input, () => {
    clientOpen = false;
    feed({ type: "clientClosed", now: performance.now() });
    ending.clientClosed();
  });
  server.stdout.on("data", (bytes: Uint8Array) => {
    ending.serverSpoke(bytes.length);
    feed({ type: "serverBytes", bytes, now: performance.now() });
  });
  const closeServer = onEnd(server.stdout, () => feed({ type: "serverExited", now: performance.now() }));
  // A server that ended without a word before we listened has said so already.
  if (server.stdout.readableEnded || server.stdout.destroyed) setImmediate(closeServer);
  for (const over of [ending.outputOver, ending.givenUp]) {
    void over.then(() => {
      if (!server.stdout.readableEnded) server.stdout.destroy();
      closeServer();
    });
  }
  return () => clientOpen;
}

/** Calls `act` once when the stream ends in whatever way; also gives the function that does so. */
function onEnd(stream: NodeJS.EventEmitter, act: () => void): () => void {
  let open = true;
  const end = () => {
    if (!open) return;
    open = false;
    act();
  };
  for (const event of ["end", "error", "close"]) stream.on(event, end);
  return end;
}
