// A system of record on this machine for tests: answers as it is told, and remembers what it was asked.

import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { afterEach } from "vitest";

export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
  /** Numbered by connection: equal for two questions on one. */
  readonly connection: number;
}

export interface Api {
  readonly origin: string;
  readonly port: number;
  readonly asked: Asked[];
  /** Connections so far. */
  connections(): number;
  /** Ends connections that are open, without a word. */
  cut(): void;
  close(): Promise<void>;
}

/** What is answered to the nth question (from 1). */
export type Answer = (response: Parameters<RequestListener>[1], asked: Asked, nth: number) => void;

const open: Api[] = [];
afterEach(async () => {
  for (const api of open.splice(0)) await api.close();
});

/** Starts a system of record at a free port. */
export async function api(answer: Answer, host = "127.0.0.1"): Promise<Api> {
  const asked: Asked[] = [];
  const sockets = new Map<Socket, number>();
  let connections = 0;
  const server: Server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text) => {
      body += text;
    });
    request.on("end", () => {
      const { method = "", url = "", headers, socket } = request;
      asked.push({ method, url, headers, body, connection: sockets.get(socket)! });
      answer(response, asked.at(-1)!, asked.length);
    });
  });
  server.on("connection", (socket) => {
    sockets.set(socket, ++connections);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  const started: Api = {
    origin: `http://${host}:${port}`,
    port,
    asked,
    connections: () => connections,
    cut() {
      for (const socket of sockets.keys()) socket.destroy();
    },
    close() {
      started.cut();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  open.push(started);
  return started;
}

/** Answers with JSON. */
export const json =
  (value: unknown, status = 200, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof value === "string" ? value : JSON.stringify(value));
  };

/** Answers with one after the other; the last again and again. */
export const inTurn =
  (...answers: Answer[]): Answer =>
  (response, asked, nth) =>
    answers[Math.min(nth, answers.length) - 1]!(response, asked, nth);
