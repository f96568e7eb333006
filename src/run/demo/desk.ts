// The ticket desk of the demo, its system of record: a loopback HTTP server that reads the ticket store and answers only to its key.

import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";

export interface Ticket {
  readonly ticket_id: string;
  readonly title: string;
}

export interface Desk {
  /** Where it listens; after `close` nothing does. */
  readonly url: string;
  close(): Promise<void>;
}

/** Opens the desk over the store file. Rejects when no loopback port can be had. */
export async function openDesk(store: string, key: string): Promise<Desk> {
  const server = createServer((request, response) => {
    answer(request, response, store, key).catch(() => response.writeHead(500).end());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("a TCP server has a port");
  return { url: `http://127.0.0.1:${address.port}`, close: () => closeServer(server) };
}

/** All tickets in the store; none when the file is not there. */
export async function readStore(store: string): Promise<Ticket[]> {
  const text = await readFile(store, "utf8").catch(() => "");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Ticket);
}

async function answer(request: IncomingMessage, response: ServerResponse, store: string, key: string): Promise<void> {
  if (request.headers.authorization !== `Bearer ${key}`) {
    response.writeHead(401).end();
    return;
  }
  const id = /^\/tickets\/([^/]+)$/.exec(request.url ?? "")?.[1];
  const ticket = (await readStore(store)).find((candidate) => candidate.ticket_id === id);
  if (ticket === undefined) response.writeHead(404).end();
  else response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(ticket));
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
