// `type: http` (and `github_issue`, which is one): a GET of one JSON document, and what its status says.

import type { HttpSource } from "../core/readback/kinds/http.ts";
import type { Observation } from "../core/readback/types.ts";
import { fillUrl, scalarText } from "../core/readback/url-template.ts";
import type { Adapter, AdapterContext } from "./adapter.ts";
import { authHeaders } from "./http-auth.ts";
import { createHttpClient, type HttpAnswer } from "./http-client.ts";
import { hasNext, nextPage, totalOf } from "./http-pages.ts";
import { userAgent } from "./user-agent.ts";

/** Opens the adapter; nothing is asked before the first read. */
export async function openHttp(source: HttpSource, context: AdapterContext): Promise<Adapter> {
  const client = createHttpClient(context);
  return {
    method: "GET",
    describe: (fields) => `GET ${source.url.origin}${(fields && fillUrl(source.url, fields)) ?? templateText(source)}`,
    async read({ fields, limitMs, page, signal }) {
      const wrong = source.wholeNumbers?.find((name) => !/^[1-9][0-9]*$/.test(scalarText(fields.get(name)) ?? ""));
      if (wrong !== undefined) return selectorInvalid(`${wrong} is not a positive whole number`);
      const path = fillUrl(source.url, fields);
      if (path === undefined) return selectorInvalid("a value is missing, or must not be put into an address");
      const auth = authHeaders(source.auth, context);
      if (!auth.ok) return { type: "doubt", reason: "credential_missing", note: auth.note };
      const headers = { accept: "application/json", "user-agent": userAgent, ...source.headers, ...auth.headers };
      const asked = page ?? path;
      const answer = await client.ask({ method: "GET", url: source.url, path: asked, headers, limitMs, signal });
      const observation = observe("GET", answer, source.missingStatuses);
      if (observation.type !== "record" || answer.type !== "answer") return observation;
      const at = [answer.headers, source.url.origin, asked] as const;
      const next = nextPage(...at);
      const total = totalOf(answer.headers);
      return {
        ...observation,
        more: hasNext(...at),
        ...(next !== undefined && { next }),
        ...(total !== undefined && { total }),
      };
    },
    warm: () => client.warm(source.url),
    close: () => client.close(),
  };
}

/** The path with its placeholders as they are written. */
export function templateText({ url }: Pick<HttpSource, "url">): string {
  return url.parts.map((part, i) => (i % 2 === 0 ? part : `{${part}}`)).join("");
}

export function selectorInvalid(note: string): Observation {
  return { type: "doubt", reason: "readback_selector_invalid", note };
}

type Headers = Extract<HttpAnswer, { type: "answer" }>["headers"];

// A BOM is skipped; everything else that is not UTF-8 is an error.
const strictUtf8 = new TextDecoder("utf-8", { fatal: true });

/** What an answer says about the record: only a 200 can show it, and only a listed status can deny it. */
export function observe(method: string, answer: HttpAnswer, missingStatuses: readonly number[]): Observation {
  if (answer.type === "timeout") return { type: "doubt", reason: "readback_timeout", note: `${method} took too long` };
  if (answer.type === "error") {
    return answer.code.endsWith("_TIMEOUT") || answer.code === "ETIMEDOUT"
      ? { type: "doubt", reason: "readback_timeout", note: `${method} ${answer.code}` }
      : { type: "doubt", reason: "readback_error", note: `${method} ${answer.code}` };
  }
  const { status } = answer;
  const note = `${method} ${status}`;
  if (missingStatuses.includes(status)) return { type: "missing", status, note };
  if (answer.type === "refused") {
    return { type: "doubt", reason: "readback_unconfirmed", status, note: `${note}, ${answer.note}` };
  }
  if (status !== 200) {
    const retryAfterMs = retryAfter(answer.headers);
    return {
      type: "doubt",
      reason: "readback_unconfirmed",
      status,
      note: status >= 300 && status < 400 ? `${note}, a redirect, which is never followed` : note,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    };
  }
  if (answer.body.length === 0) {
    return { type: "doubt", reason: "readback_error", status, note: `${note}, an empty body` };
  }
  let json: string;
  try {
    json = strictUtf8.decode(answer.body);
  } catch {
    return { type: "doubt", reason: "readback_error", status, note: `${note}, not UTF-8` };
  }
  return { type: "record", json, status, note };
}

/** `Retry-After` in seconds, or as a date; undefined without one that can be read. */
function retryAfter(headers: Headers): number | undefined {
  const text = [headers["retry-after"] ?? []].flat()[0]?.trim() ?? "";
  if (/^[0-9]{1,9}$/.test(text)) return Number(text) * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}
