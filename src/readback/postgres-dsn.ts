// Reads PostgreSQL's connection strings (`postgresql://...`): where to, as whom, and how the connection is protected.

import { readFileSync } from "node:fs";

export interface Dsn {
  readonly host: string;
  readonly port: number;
  readonly user?: string;
  readonly password?: string;
  readonly database?: string;
  readonly options?: string;
  /** TLS with a check of the certificate; false: none. */
  readonly ssl: false | { readonly rejectUnauthorized: true; ca?: string; cert?: string; key?: string };
}

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|::1)$/;

/**
 * Takes a connection string. Undefined when it is none, or asks for TLS without a check of the certificate. Without `sslmode`, TLS
 * is used unless the server is on this machine. May throw what reading a certificate's file throws.
 */
export function parseDsn(text: string): Dsn | undefined {
  // The URL class wants a host, which a socket's folder under `host` replaces.
  const match = /^postgres(?:ql)?:\/\/(?:([^/?#@]*)@)?([^/?#]*)(?:\/([^?#]*))?(?:\?(.*))?$/.exec(text);
  if (!match) return undefined;
  try {
    const [, login, place = "", name = "", query = ""] = match;
    const [user, ...rest] = (login ?? "").split(":");
    const given = new URLSearchParams(query.replaceAll("+", "%2B"));
    const at = /^(\[[0-9A-Fa-f:.]+\]|[^:]*)(?::([0-9]{1,5}))?$/.exec(place);
    if (!at) return undefined;
    const host = given.get("host") || decodeURIComponent(at[1]!).replace(/^\[(.*)\]$/, "$1") || "localhost";
    const parts = {
      user: given.get("user") || decodeURIComponent(user!),
      password: given.get("password") || decodeURIComponent(rest.join(":")),
      database: given.get("dbname") || decodeURIComponent(name),
      options: given.get("options") ?? "",
    };
    const ssl = sslOf(given, host);
    if (ssl === undefined) return undefined;
    return {
      host,
      port: Number(given.get("port") || at[2] || 5432),
      ...Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== "")),
      ssl,
    };
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

function sslOf(given: URLSearchParams, host: string): Dsn["ssl"] | undefined {
  const mode = given.get("sslmode");
  // A socket's folder is on this machine, and no TLS is spoken there.
  if (host.startsWith("/")) return false;
  if (mode === "disable" || (mode === null && LOOPBACK.test(host))) return false;
  if (mode !== null && !["allow", "prefer", "require", "verify-ca", "verify-full"].includes(mode)) return undefined;
  const file = (name: string) => (given.get(name) ? readFileSync(given.get(name)!, "utf8") : undefined);
  const [ca, cert, key] = [file("sslrootcert"), file("sslcert"), file("sslkey")];
  return { rejectUnauthorized: true, ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) };
}
