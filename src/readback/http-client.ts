// Asks systems of record by HTTP, over connections that are kept between questions.

import type { Agent } from "node:http";
import type { AdapterContext } from "./adapter.ts";
import { errorOf, errorWord } from "./error-word.ts";
import { openAgent } from "./http-agent.ts";
import { exchange } from "./http-exchange.ts";
import { proxyFor } from "./http-proxy.ts";
import type { HttpAnswer, HttpQuestion } from "./http-types.ts";

export type { HttpAnswer, HttpQuestion } from "./http-types.ts";

export interface HttpClient {
  /** Asks once; a connection that had been kept and turns out dead is replaced once. Never rejects. */
  ask(question: HttpQuestion): Promise<HttpAnswer>;
  /** Loads what a question to that address will need; nothing is asked and no connection opened. */
  warm(url: HttpQuestion["url"]): void;
  close(): Promise<void>;
}

/** A client with its own kept connections. Proxies come from the variables of the context, never for this machine. */
export function createHttpClient({ environment }: AdapterContext): HttpClient {
  /** By origin. */
  const agents = new Map<string, Promise<Agent>>();

  async function open({ origin, loopback }: HttpQuestion["url"], keepAlive: boolean): Promise<Agent> {
    const target = new URL(origin);
    const proxy = loopback ? ({ type: "none" } as const) : proxyFor(target, environment);
    if (proxy.type === "invalid") throw errorOf(proxy.word);
    return openAgent(target, proxy.type === "proxy" ? proxy.url : undefined, keepAlive);
  }

  function keeperOf(url: HttpQuestion["url"]): Promise<Agent> {
    const agent = agents.get(url.origin) ?? open(url, true);
    agents.set(url.origin, agent);
    return agent;
  }

  return {
    async ask(question) {
      const { url } = question;
      const end = performance.now() + question.limitMs;
      const left = () => end - performance.now();
      let fresh: Agent | undefined;
      try {
        const target = new URL(url.origin);
        const first = await exchange(await keeperOf(url), target, question, left());
        if (!first.wasDead) return first.answer;
        // Another kept one may be as dead.
        fresh = await open(url, false);
        return (await exchange(fresh, target, question, left())).answer;
      } catch (error) {
        return { type: "error", code: errorWord(error) };
      } finally {
        fresh?.destroy();
      }
    },
    warm(url) {
      void Promise.all([keeperOf(url), import("node:http")]).catch(() => {});
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
