// A system of record behind TLS with a private authority, and a proxy through which any name leads to it.

import { readFileSync } from "node:fs";
import { createServer as createHttp, type IncomingHttpHeaders } from "node:http";
import { createServer } from "node:https";
import { type AddressInfo, connect, type Server } from "node:net";
import { fileURLToPath } from "node:url";
import { afterEach } from "vitest";

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/tls/${name}`, import.meta.url));

/** The certificate of the authority that the system's own certificate is from. */
export const AUTHORITY = fixture("authority.pem");

const open: { close(): void }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

/** Listens at a free port of this machine until the test ends; gives the port. */
export async function listen(server: Server): Promise<number> {
  const sockets = new Set<{ destroy(): void }>();
  server.on("connection", (socket) => sockets.add(socket));
  open.push({
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

const certificate = () => ({ key: readFileSync(fixture("server-key.pem")), cert: readFileSync(fixture("server.pem")) });

/** Serves `status` and `body` for api.github.com, api.example.invalid and localhost. */
export async function secureApi(body: string, status = 200) {
  const asked: { url: string; headers: Record<string, unknown> }[] = [];
  const server = createServer(certificate(), (request, response) => {
    asked.push({ url: request.url ?? "", headers: request.headers });
    response.writeHead(status, { "content-type": "application/json" }).end(body);
  });
  server.on("tlsClientError", () => {});
  return { port: await listen(server), asked };
}

/** A proxy that leads every tunnel to one port of this machine; with `secure`, itself spoken to by TLS at localhost. */
export async function proxyTo(port: number, secure = false) {
  const tunnels: string[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const server = secure ? createServer(certificate()) : createHttp();
  server.on("request", (_, response) => response.writeHead(502).end());
  server.on("connect", (request, socket) => {
    tunnels.push(request.url ?? "");
    headers.push(request.headers);
    const upstream = connect(port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      socket.pipe(upstream).pipe(socket);
    });
    upstream.on("error", () => socket.destroy());
    socket.on("error", () => upstream.destroy());
  });
  return { url: `${secure ? "https" : "http"}://127.0.0.1:${await listen(server)}`, tunnels, headers };
}
