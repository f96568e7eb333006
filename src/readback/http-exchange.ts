// One request and its whole answer within a limit: no redirect followed, a bounded body. What it means is decided elsewhere.

import type { Agent } from "node:http";
import type { Socket } from "node:net";
import { MAX_READBACK_HEADER_BYTES } from "../core/limits.ts";
import { errorWord } from "./error-word.ts";
import type { Asking } from "./http-agent.ts";
import { readBody } from "./http-body.ts";
import type { HttpAnswer, HttpQuestion } from "./http-types.ts";

export interface Exchange {
  readonly answer: HttpAnswer;
  /** It failed on a connection that had been kept, before a byte of an answer came. */
  readonly wasDead: boolean;
}

/** Asks once, over a connection of the agent. Rejects only for a question that cannot be put into a request. */
export async function exchange(agent: Agent, target: URL, question: HttpQuestion, limitMs: number): Promise<Exchange> {
  const { request } = await import("node:http");
  const { method, path, headers, body, signal } = question;
  const hangUp = new AbortController();
  const options: Asking = {
    agent,
    protocol: target.protocol,
    host: target.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: target.port,
    method,
    path,
    headers: { ...headers, "accept-encoding": "identity" },
    // Whatever Node's own options say: what two readers could understand differently is no proof.
    insecureHTTPParser: false,
    maxHeaderSize: MAX_READBACK_HEADER_BYTES,
    hangUp: hangUp.signal,
  };
  const asked = request(options);
  return new Promise((resolve) => {
    let settled = false;
    let answering = false;
    let connection: Socket | undefined;
    let bytesBefore = 0;
    const settle = (answer: HttpAnswer): void => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      signal.removeEventListener("abort", giveUp);
      const silent = connection !== undefined && connection.bytesRead === bytesBefore;
      resolve({ answer, wasDead: answer.type === "error" && asked.reusedSocket && silent });
      if (answer.type === "answer") return;
      // Whatever is still to come is not wanted: the connection goes with it.
      hangUp.abort();
      asked.destroy();
    };
    const giveUp = () => settle({ type: "timeout" });
    const timer = setTimeout(giveUp, Math.max(0, limitMs));
    signal.addEventListener("abort", giveUp);

    asked.on("socket", (socket) => {
      connection = socket;
      bytesBefore = socket.bytesRead;
    });
    asked.on("response", (response) => {
      answering = true;
      const { statusCode: status = 0, headers } = response;
      void readBody(response).then((body) => {
        if (body.type === "body") settle({ type: "answer", status, headers, body: body.bytes });
        else if (body.type === "refused") settle({ type: "refused", status, note: body.note });
        else settle({ type: "error", code: body.word });
      });
    });
    asked.on("error", (error) => settle({ type: "error", code: errorWord(error) }));
    asked.on("close", () => {
      if (!answering) settle({ type: "error", code: "CONNECTION_CLOSED" });
    });
    if (signal.aborted) giveUp();
    else asked.end(body);
  });
}
