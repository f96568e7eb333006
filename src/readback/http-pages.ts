// What the headers of an answer say about the pages of a list: where the next one is, and whether there are more.

import type { HttpAnswer } from "./http-client.ts";

type Headers = Extract<HttpAnswer, { type: "answer" }>["headers"];

/**
 * The address of RFC 8288 `rel="next"`, as path and query. Only at the same host and path: what a system answers must not decide
 * where a credential goes, and a list's pages differ in their query. Undefined also when two are named.
 */
export function nextPage(headers: Headers, origin: string, asked: string): string | undefined {
  const targets = new Set(targetsOf(headers, "next").map((target) => resolve(target, origin, asked)?.href));
  const [target] = targets;
  if (target === undefined || targets.size !== 1) return undefined;
  const at = new URL(target);
  const same = at.origin === origin && at.username === "" && at.pathname === new URL(asked, origin).pathname;
  const next = `${at.pathname}${at.search}`;
  return same && next !== asked ? next : undefined;
}

/** Whether the headers say that the list goes on: a next page, a last one that is not this, or a range that is not the whole. */
export function hasNext(headers: Headers, origin: string, asked: string): boolean {
  // Looser than the reading of links below, so that a broken header is no end of the list.
  if (/;\s*rel\s*=\s*"?[^",;]*\bnext\b/i.test(text(headers, "link"))) return true;
  if (targetsOf(headers, "next").length > 0) return true;
  // The only page of a list is its first and its last.
  const only = [resolve(asked, origin, asked), ...targetsOf(headers, "first").map((to) => resolve(to, origin, asked))];
  const known = only.map((at) => at && spell(at));
  if (
    targetsOf(headers, "last").some((target) => {
      const last = resolve(target, origin, asked);
      return last === undefined || !known.includes(spell(last));
    })
  ) {
    return true;
  }
  if (/\S/.test(text(headers, "x-next-page"))) return true;
  const range = /([0-9]+)-([0-9]+)\/([0-9]+)\s*$/.exec(text(headers, "content-range"));
  return range !== null && Number(range[2]) + 1 - Number(range[1]) < Number(range[3]);
}

/** How many elements there are in all; the largest number when there are several. */
export function totalOf(headers: Headers): number | undefined {
  const numbers = ["x-total-count", "x-total", "x-wp-total"].flatMap(
    (name) => text(headers, name).match(/[0-9]+/g) ?? [],
  );
  return numbers.length === 0 ? undefined : Math.max(...numbers.map(Number));
}

function text(headers: Headers, name: string): string {
  return [headers[name] ?? []].flat().join(",");
}

/** A link and its parameters; commas and semicolons in quotes and in the address are part of them. */
const LINK = /<([^<>]*)>((?:\s*;\s*[^\s;=,"<>]+(?:\s*=\s*(?:"[^"]*"|[^\s;,"]*))?)*)/g;
const REL = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]*))/i;

function targetsOf(headers: Headers, relation: string): string[] {
  return [...text(headers, "link").matchAll(LINK)].flatMap(([, target = "", parameters = ""]) => {
    // What stands in quotes is no parameter, except that of rel.
    const plain = parameters.replace(/(\brel\s*=\s*"[^"]*")|"[^"]*"/gi, (_, rel?: string) => rel ?? '""');
    const found = REL.exec(plain);
    const relations = (found?.[1] ?? found?.[2] ?? "").toLowerCase().split(/\s+/);
    return relations.includes(relation) ? [target] : [];
  });
}

function resolve(target: string, origin: string, asked: string): URL | undefined {
  try {
    return new URL(target, new URL(asked, origin));
  } catch {
    return undefined;
  }
}

/** Equal for addresses of the same page: the order of a query's parts says nothing. */
function spell(at: URL): string {
  const query = at.search.slice(1).split("&").sort().join("&");
  return `${at.origin}${at.pathname}?${query}`;
}
