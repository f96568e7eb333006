// Which proxy stands between this machine and a host, by the variables that other programs honour too.

export type ProxyChoice =
  | { readonly type: "none" }
  | { readonly type: "proxy"; readonly url: URL }
  /** The variable holds what is no address of a proxy; asking without it could leave by a way that nobody wants. */
  | { readonly type: "invalid"; readonly word: string };

const NONE: ProxyChoice = { type: "none" };

/** The proxy for an address of HTTPS. Plain HTTP goes to this machine only, and that never through a proxy. */
export function proxyFor(target: URL, environment: Readonly<Record<string, string | undefined>>): ProxyChoice {
  const named = (name: string) => environment[name.toLowerCase()] || environment[name] || "";
  const text = named("HTTPS_PROXY").trim();
  if (text === "" || exempt(target, named("NO_PROXY"))) return NONE;
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    return { type: "invalid", word: "PROXY_ADDRESS_INVALID" };
  }
  if (url.protocol === "http:" || url.protocol === "https:") return { type: "proxy", url };
  return { type: "invalid", word: "PROXY_SCHEME_UNKNOWN" };
}

/** NO_PROXY: names that stand for themselves and all below them, each with or without a port; `*` is every host. */
function exempt(target: URL, list: string): boolean {
  const host = bare(target.hostname);
  const port = target.port || "443";
  return list.split(/[\s,]+/).some((entry) => {
    if (entry === "*") return true;
    const [, name = entry, only] = /^(\[.*\]|[^:]*):([0-9]+)$/.exec(entry) ?? [];
    const wanted = bare(name.toLowerCase().replace(/^\*?\./, ""));
    if (wanted === "" || (only !== undefined && only !== port)) return false;
    return host === wanted || host.endsWith(`.${wanted}`);
  });
}

/** Without the brackets of IPv6 and the dot of the root. */
function bare(host: string): string {
  return host.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
}
