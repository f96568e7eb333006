// URL templates: what may stand in one, and how extracted values are put into it. The host never depends on a value.

import type { Fields } from "../select/types.ts";

import { normalNumber, stringToken } from "../wire/ids.ts";

/** A template as parts: texts as they stand, and the names of fields between them. The path begins with `/`. */
export interface UrlTemplate {
  /** Scheme, host and port, like `https://api.example.com`. */
  readonly origin: string;
  /** The path and the query, in turn text and field name; the first and the last are texts. */
  readonly parts: readonly string[];
  /** The host is this machine, so that no proxy is ever asked. */
  readonly loopback: boolean;
}

export type UrlProblem =
  | "scheme"
  | "host"
  | "userinfo"
  | "placeholderInHost"
  | "plainHttp"
  | "brace"
  | "fragment"
  | "characters"
  | "dotSegment";

export type ParsedUrl =
  | { readonly ok: true; readonly template: UrlTemplate; readonly fields: readonly string[] }
  | { readonly ok: false; readonly at: number; readonly problem: UrlProblem };

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Checks a template; `at` is where the problem begins (UTF-16 unit, from 0). */
export function parseUrlTemplate(text: string): ParsedUrl {
  const refuse = (problem: UrlProblem, at: number): ParsedUrl => ({ ok: false, problem, at });
  const scheme = /^(https?):\/\//i.exec(text);
  if (!scheme) return refuse("scheme", 0);
  const start = scheme[0].length;
  const end = text.slice(start).search(/[/?#]/);
  const authority = end < 0 ? text.slice(start) : text.slice(start, start + end);
  if (/[{}]/.test(authority)) return refuse("placeholderInHost", start);
  if (authority.includes("@")) return refuse("userinfo", start);
  const origin = originOf(`${scheme[0]}${authority}`);
  if (origin === undefined) return refuse("host", start);
  const loopback = LOOPBACK.has(origin.hostname);
  if (origin.protocol === "http:" && !loopback) return refuse("plainHttp", 0);

  const rest = end < 0 ? "/" : text.slice(start + end);
  const base = end < 0 ? start : start + end;
  const hash = rest.indexOf("#");
  if (hash >= 0) return refuse("fragment", base + hash);
  const strange = rest.search(/[^!-~]|["<>\\^`|]/);
  if (strange >= 0) return refuse("characters", base + strange);
  const parts = rest.startsWith("?") ? splitBraces(`/${rest}`) : splitBraces(rest);
  if (parts === undefined) return refuse("brace", base + rest.search(/[{}]/));
  // A placeholder's value is never a dot segment, but the text around it might make one.
  if (segmentsOf(parts.map((part, i) => (i % 2 === 0 ? part : "x")).join("")).some(isDots))
    return refuse("dotSegment", base);
  const fields = parts.filter((_, i) => i % 2 === 1);
  return { ok: true, template: { origin: origin.origin, parts, loopback }, fields };
}

function originOf(text: string): { origin: string; hostname: string; protocol: string } | undefined {
  if (!/^https?:\/\/(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?$/i.test(text)) return undefined;
  try {
    const { origin, hostname, protocol, pathname } = new URL(text);
    return pathname === "/" && hostname !== "" ? { origin, hostname, protocol } : undefined;
  } catch {
    return undefined;
  }
}

/** In turn text and name; undefined when braces do not match or a name is empty. */
function splitBraces(text: string): string[] | undefined {
  const parts = text.split(/\{([^{}]+)\}/);
  return parts.some((part, i) => i % 2 === 0 && /[{}]/.test(part)) ? undefined : parts;
}

/**
 * The path and query with the fields' values in place, each percent-encoded in full. Undefined when a value is missing, is no
 * text, number or boolean, is empty, holds control characters, or would change which place of the host is meant.
 */
export function fillUrl(template: UrlTemplate, fields: Fields): string | undefined {
  let filled = "";
  for (const [i, part] of template.parts.entries()) {
    if (i % 2 === 0) {
      filled += part;
      continue;
    }
    const text = scalarText(fields.get(part));
    if (text === undefined || text === "" || /\p{C}/u.test(text) || leavesItsPlace(text)) return undefined;
    filled += percentEncoded(text);
  }
  return segmentsOf(filled).some(isDots) ? undefined : filled;
}

/** A text as it is, a number with its digits, `true` or `false`; undefined for everything else. */
export function scalarText(json: string | undefined): string | undefined {
  if (json === undefined) return undefined;
  if (json === "true" || json === "false" || normalNumber(json) !== undefined) return json;
  if (!json.startsWith('"')) return undefined;
  const bytes = new TextEncoder().encode(json);
  return stringToken(bytes, 1, bytes.length - 1);
}

/** Whether a part of the value, however often it is decoded on the way, is `.` or `..`. */
function leavesItsPlace(text: string): boolean {
  let decoded = text;
  for (let i = 0; i < 4; i++) {
    if (/\p{Cc}/u.test(decoded) || decoded.split(/[/\\;]/).some((part) => part === "." || part === "..")) return true;
    const next = decoded.replace(/%([0-9a-fA-F]{2})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    if (next === decoded) return false;
    decoded = next;
  }
  // Encoded more often than anybody needs: not worth the risk.
  return true;
}

function percentEncoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}

function segmentsOf(pathAndQuery: string): string[] {
  return pathAndQuery.split("?", 1)[0]!.split("/").slice(1);
}

function isDots(segment: string): boolean {
  return /^(?:\.|%2e){1,2}$/i.test(segment);
}
