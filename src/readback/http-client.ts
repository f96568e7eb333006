// One HTTP request and its whole answer within a limit: no redirects, a bounded body. What it means is decided elsewhere.

import { setFlagsFromString } from "node:v8";
import type { Dispatcher } from "undici";
import { DEFAULT_MAX_PARALLEL_CHECKS, MAX_READBACK_BODY_BYTES, READBACK_KEEP_ALIVE_MS } from "../core/limits.ts";
import type { UrlTemplate } from "../core/readback/url-template.ts";
import type { AdapterContext } from "./adapter.ts";
import { decodeBody } from "./http-body.ts";

export interface HttpQuestion {
  readonly method: "GET" | "POST";
  readonly url: Pick<UrlTemplate, "origin" | "loopback">;
  /** Path and query, percent-encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

export type HttpAnswer =
  | {
      readonly type: "answer";
      readonly status: number;
      /** By lower-case name. */
      readonly headers: Readonly<Record<string, string | string[] | undefined>>;
      readonly body: Uint8Array;
    }
  | { readonly type: "timeout" }
  /** The status where there was one, and a word that holds no value. */
  | { readonly type: "refused"; readonly status: number; readonly note: string }
  | { readonly type: "error"; readonly code: string };

export interface HttpClient {
  /** Asks once; a connection that had been kept and turns out dead is replaced once. Never rejects. */
  ask(question: HttpQuestion): Promise<HttpAnswer>;
  close(): Promise<void>;
}

/** A client with its own kept connections. Proxies come from the variables of the context, never for this machine. */
export function createHttpClient(context: AdapterContext): HttpClient {
  const agents = new Map<string, Promise<Dispatcher>>();
  /** Hosts that have answered, to which a connection may have been kept. */
  const answered = new Set<string>();

  function agentFor(loopback: boolean): Promise<Dispatcher> {
    const key = loopback ? "direct" : "proxied";
    let agent = agents.get(key);
    if (agent === undefined) {
      agent = openAgent(loopback, context);
      agents.set(key, agent);
    }
    return agent;
  }

  return {
    async ask(question) {
      const { origin, loopback } = question.url;
      const end = performance.now() + question.limitMs;
      let fresh: Dispatcher | undefined;
      try {
        let answer = await exchange(await agentFor(loopback), question, question.limitMs);
        if (answer.type === "error" && answered.has(origin) && DEAD_CONNECTION.has(answer.code)) {
          fresh = await openAgent(loopback, context);
          answer = await exchange(fresh, question, end - performance.now());
        }
        if (answer.type === "answer") answered.add(origin);
        return answer;
      } catch (error) {
        return { type: "error", code: codeOf(error) };
      } finally {
        void fresh?.destroy().catch(() => {});
      }
    },
    async close() {
      for (const agent of agents.values()) {
        await agent.then(
          (open) => open.destroy(),
          () => {},
        );
      }
      agents.clear();
    },
  };
}

/** What a connection that the other side has closed in the meantime ends with. */
const DEAD_CONNECTION = new Set(["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"]);

async function openAgent(loopback: boolean, { environment }: AdapterContext): Promise<Dispatcher> {
  const options = {
    keepAliveTimeout: READBACK_KEEP_ALIVE_MS,
    // As many as there are checks side by side: a connection is free again only a turn after its answer.
    connections: DEFAULT_MAX_PARALLEL_CHECKS,
    // The limit of the whole read is ours; these would only hide it.
    headersTimeout: 0,
    bodyTimeout: 0,
    // `localhost` may be ::1, 127.0.0.1 or both; whichever answers is meant.
    autoSelectFamily: true,
    // Whatever the environment says: a reader that trusts anybody proves nothing.
    connect: { rejectUnauthorized: true },
    requestTls: { rejectUnauthorized: true },
  };
  // undici's parser is WebAssembly. Optimising it takes half a second of processor time and never pays for a few small answers.
  setFlagsFromString("--liftoff-only");
  const { default: Agent } = await import("undici/lib/dispatcher/agent.js");
  const named = (name: string) => environment[name.toLowerCase()] || environment[name] || "";
  // Plain HTTP goes to this machine only, and that never through a proxy; so one variable is all there is to honour.
  const proxy = named("HTTPS_PROXY");
  if (loopback || proxy === "") return new Agent(options);
  const proxies = { httpProxy: proxy, httpsProxy: proxy, noProxy: named("NO_PROXY") };
  const [{ default: EnvHttpProxyAgent }, { default: base }, { default: connect }] = await Promise.all([
    import("undici/lib/dispatcher/env-http-proxy-agent.js"),
    import("undici/lib/dispatcher/dispatcher.js"),
    import("undici/lib/api/api-connect.js"),
  ]);
  // The package's front door does this; a proxy tunnel needs it.
  base.prototype.connect = connect;
  return new EnvHttpProxyAgent({ ...options, ...proxies });
}

function exchange(agent: Dispatcher, question: HttpQuestion, limitMs: number): Promise<HttpAnswer> {
  return new Promise((resolve) => {
    let controller: { abort(reason: Error): void } | undefined;
    let settled = false;
    let status = 0;
    let headers: Readonly<Record<string, string | string[] | undefined>> = {};
    const chunks: Uint8Array[] = [];
    let size = 0;
    const settle = (answer: HttpAnswer): void => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      question.signal.removeEventListener("abort", onAbort);
      resolve(answer);
      // Whatever is still to come is not wanted: the connection goes with it.
      if (answer.type !== "answer") controller?.abort(new Error("settled"));
    };
    const onAbort = () => settle({ type: "timeout" });
    const timer = setTimeout(onAbort, Math.max(0, limitMs));
    question.signal.addEventListener("abort", onAbort);
    if (question.signal.aborted) onAbort();
    const refuse = (note: string) => settle({ type: "refused", status, note });

    const { method, path, body } = question;
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        controller = started;
        if (settled) started.abort(new Error("settled"));
      },
      onResponseStart(_controller, code, received) {
        if (code < 200) return;
        status = code;
        headers = received;
        if (Number(received["content-length"]) > MAX_READBACK_BODY_BYTES) refuse("answered with more than 1 MiB");
      },
      onResponseData(_controller, chunk) {
        size += chunk.length;
        if (size > MAX_READBACK_BODY_BYTES) refuse("answered with more than 1 MiB");
        else if (!settled) chunks.push(chunk);
      },
      onResponseEnd() {
        const encoding = String(headers["content-encoding"] ?? "");
        void decodeBody(Buffer.concat(chunks), encoding).then((body) => {
          if (typeof body === "string") refuse(body);
          else settle({ type: "answer", status, headers, body });
        });
      },
      onResponseError(_controller, error) {
        settle({ type: "error", code: codeOf(error) });
      },
    };
    const all = { ...question.headers, "accept-encoding": "identity" };
    agent.dispatch(
      { origin: question.url.origin, path, method, headers: all, ...(body === undefined ? {} : { body }) },
      handler,
    );
  });
}

/** The system's or the library's short word for an error; never its message, which may hold an address. */
function codeOf(error: unknown): string {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 4; cause = cause.cause, depth++) {
    const { code } = cause as NodeJS.ErrnoException;
    if (typeof code === "string" && /^[A-Z0-9_]{1,60}$/.test(code)) return code;
    const inner = (cause as AggregateError).errors?.[0];
    if (inner instanceof Error) return codeOf(inner);
  }
  return error instanceof Error && /^[A-Za-z]{1,40}$/.test(error.name) ? error.name : "unknown error";
}
