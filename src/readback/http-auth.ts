// Turns the names of credentials into request headers.

import type { Auth } from "../core/readback/credentials.ts";
import type { AdapterContext } from "./adapter.ts";

export type AuthHeaders =
  | { readonly ok: true; readonly headers: Readonly<Record<string, string>> }
  /** A few words without any value. */
  | { readonly ok: false; readonly note: string };

/** The headers that carry the credential. */
export function authHeaders(auth: Auth | undefined, { environment }: AdapterContext): AuthHeaders {
  if (auth === undefined) return { ok: true, headers: {} };
  const token = environment[auth.tokenEnv];
  if (!token) return { ok: false, note: `${auth.tokenEnv} is not set` };
  if (!/^[ -~]+$/.test(token)) return { ok: false, note: `${auth.tokenEnv} holds characters that no header can carry` };
  if (auth.scheme === "bearer") return { ok: true, headers: { authorization: `Bearer ${token}` } };
  if (auth.scheme === "header") return { ok: true, headers: { [auth.header]: `${auth.prefix}${token}` } };
  if (auth.user === "token") return basic(token, auth.password);
  if ("text" in auth.user) return basic(auth.user.text, token);
  const user = environment[auth.user.env];
  if (!user) return { ok: false, note: `${auth.user.env} is not set` };
  if (user.includes(":")) return { ok: false, note: `${auth.user.env} holds a colon, which no user name may` };
  return basic(user, token);
}

function basic(user: string, password: string): AuthHeaders {
  return { ok: true, headers: { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}` } };
}
