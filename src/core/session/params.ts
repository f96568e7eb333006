// What the parameters of a client's message say.

import type { Envelope } from "../wire/envelope.ts";
import { kindOf, membersNamed, type Span, stringOf } from "../wire/json.ts";

/** The one `params` object of a message. */
export function paramsOf(line: Uint8Array, message: Envelope): Span | undefined {
  const params = only(membersNamed(line, message, "params"));
  return params && kindOf(line, params) === "object" ? params : undefined;
}

/** The name under which the client introduces itself in `initialize`. */
export function nameOfClient(line: Uint8Array, params: Span): string | undefined {
  const client = only(membersNamed(line, params, "clientInfo"));
  const name = client && kindOf(line, client) === "object" ? only(membersNamed(line, client, "name")) : undefined;
  return name && stringOf(line, name);
}

/** From 2026-07-28 on each request says who the client is. */
export function nameInMeta(line: Uint8Array, params: Span): string | undefined {
  const meta = only(membersNamed(line, params, "_meta"));
  if (!meta || kindOf(line, meta) !== "object") return undefined;
  const client = only(membersNamed(line, meta, "io.modelcontextprotocol/clientInfo"));
  const name = client && kindOf(line, client) === "object" ? only(membersNamed(line, client, "name")) : undefined;
  return name && stringOf(line, name);
}

/** The value of a list that has just one. */
export function only<T>(values: readonly T[]): T | undefined {
  return values.length === 1 ? values[0] : undefined;
}
