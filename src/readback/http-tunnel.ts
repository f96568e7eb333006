// A way through a proxy: CONNECT, and the connection that the proxy then only passes bytes on.

import type { RequestOptions } from "node:https";
import type { Duplex } from "node:stream";
import { MAX_READBACK_HEADER_BYTES } from "../core/limits.ts";
import { errorOf, errorWord } from "./error-word.ts";

/**
 * Asks the proxy for a tunnel to `authority` (host and port). The proxy learns that and its own credential, nothing of what is
 * asked for. Rejects with a word that begins with PROXY_; `hangUp` ends the waiting.
 */
export async function openTunnel(proxy: URL, authority: string, hangUp: AbortSignal): Promise<Duplex> {
  const { request } = proxy.protocol === "https:" ? await import("node:https") : await import("node:http");
  const options: RequestOptions = {
    method: "CONNECT",
    host: proxy.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: proxy.port,
    path: authority,
    headers: { host: authority, connection: "keep-alive", ...credential(proxy) },
    agent: false,
    rejectUnauthorized: true,
    insecureHTTPParser: false,
    maxHeaderSize: MAX_READBACK_HEADER_BYTES,
  };
  return new Promise((resolve, reject) => {
    const asked = request(options);
    const leave = (): void => {
      asked.destroy();
    };
    const fail = (word: string): void => {
      hangUp.removeEventListener("abort", leave);
      reject(errorOf(word));
      leave();
    };
    asked.on("connect", ({ statusCode = 0 }, connection, early) => {
      // Whoever takes the connection over listens a turn later.
      connection.on("error", () => {});
      const accepted = statusCode >= 200 && statusCode < 300;
      // In TLS the client speaks first: bytes that are there already are not from the system of record.
      if (!accepted || early.length > 0) {
        connection.destroy();
        return fail(accepted ? "PROXY_ANSWER_INVALID" : `PROXY_STATUS_${statusCode}`);
      }
      hangUp.removeEventListener("abort", leave);
      resolve(connection);
    });
    asked.on("error", (error) => fail(`PROXY_${errorWord(error)}`));
    asked.on("close", () => fail("PROXY_CLOSED"));
    hangUp.addEventListener("abort", leave);
    if (hangUp.aborted) leave();
    asked.end();
  });
}

function credential({ username, password }: URL): { "proxy-authorization"?: string } {
  if (username === "" && password === "") return {};
  const plain = `${decoded(username)}:${decoded(password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(plain).toString("base64")}` };
}

/** As it is when it is not percent-encoded text. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
