// From a started server to one whose tools are known, in whichever revision it speaks.

import { MAX_SCAN_LIST_PAGES, SCAN_LIST_TIMEOUT_MS } from "../../core/limits.ts";
import { WITHOUT_HANDSHAKE } from "../../core/scan/protocol-versions.ts";
import type { ScanServer } from "../../core/scan/types.ts";
import { itemsOf, kindOf, membersNamed, type Span, stringOf, textOf } from "../../core/wire/json.ts";
import { version } from "../version.ts";
import type { Answer } from "./answer.ts";
import type { ScanClient } from "./client.ts";

export interface Session {
  readonly name: string | null;
  readonly version: string | null;
  readonly protocolVersion: string | null;
  readonly tools: ReadonlySet<string>;
  /** Each tool as the server lists it, JSON text. */
  readonly listed: ReadonlyMap<string, string>;
  /** Parameters as this revision wants them: `members` is JSON text of members, without braces. */
  readonly params: (members: string) => string;
  /** Tasks are asked for by `tasks/get`, and not by `tasks/result`. */
  readonly modern: boolean;
}

/** What is offered, and how long the server may take to begin (milliseconds). */
export type Offer = Pick<ScanServer, "protocolVersion" | "startTimeoutMs">;

export type Handshake =
  | { readonly ok: true; readonly session: Session }
  | {
      readonly ok: false;
      readonly reason: string;
      /** The server ended after it had refused `initialize` for its revision: started once more, it may answer without one. */
      readonly modernOnly?: boolean;
    };

/** JSON-RPC's code for a revision that the server does not speak (2026-07-28). */
const UNSUPPORTED_VERSION = "-32022";

const CLIENT = JSON.stringify({ name: "fourgate", version });
const META = `"_meta":${JSON.stringify({
  "io.modelcontextprotocol/protocolVersion": WITHOUT_HANDSHAKE,
  "io.modelcontextprotocol/clientInfo": { name: "fourgate", version },
  "io.modelcontextprotocol/clientCapabilities": {},
})}`;

const plain = (members: string) => `{${members}}`;
const withMeta = (members: string) => `{${members}${members === "" ? "" : ","}${META}}`;

/** Opens the session. Never rejects. */
export async function shakeHands(client: ScanClient, server: Offer, stop: AbortSignal): Promise<Handshake> {
  if (server.protocolVersion === WITHOUT_HANDSHAKE) return discover(client, server, stop);
  const offered = JSON.stringify(server.protocolVersion);
  const params = `{"protocolVersion":${offered},"capabilities":{},"clientInfo":${CLIENT}}`;
  const answer = await client.ask("initialize", params, server.startTimeoutMs, stop);
  const said = resultOf(answer);
  if (said.type === "error" && said.code === UNSUPPORTED_VERSION) {
    const hands = await discover(client, server, stop);
    return hands.ok || hands.reason !== "server_closed" ? hands : { ...hands, modernOnly: true };
  }
  if (said.type !== "result") return { ok: false, reason: said.reason };
  client.notify("notifications/initialized");
  const info = memberOf(said, "serverInfo");
  return list(
    client,
    { ...named(said, info), protocolVersion: textIn(said, said.span, "protocolVersion") },
    false,
    stop,
  );
}

/** Revision 2026-07-28: no handshake, and each request says all there is to know of the client. */
async function discover(client: ScanClient, server: Offer, stop: AbortSignal): Promise<Handshake> {
  const said = resultOf(await client.ask("server/discover", withMeta(""), server.startTimeoutMs, stop));
  if (said.type !== "result") return { ok: false, reason: said.reason };
  const versions = memberOf(said, "supportedVersions");
  const speaks =
    versions !== undefined &&
    kindOf(said.bytes, versions) === "list" &&
    itemsOf(said.bytes, versions).some((one) => stringOf(said.bytes, one) === WITHOUT_HANDSHAKE);
  if (!speaks) return { ok: false, reason: "handshake_refused" };
  const meta = memberOf(said, "_meta");
  const info =
    meta && kindOf(said.bytes, meta) === "object"
      ? membersNamed(said.bytes, meta, "io.modelcontextprotocol/serverInfo")[0]
      : undefined;
  return list(client, { ...named(said, info), protocolVersion: WITHOUT_HANDSHAKE }, true, stop);
}

/** Reads all pages of the tool list. */
async function list(
  client: ScanClient,
  about: Pick<Session, "name" | "version" | "protocolVersion">,
  modern: boolean,
  stop: AbortSignal,
): Promise<Handshake> {
  const params = modern ? withMeta : plain;
  const listed = new Map<string, string>();
  let cursor = "";
  for (let page = 0; page < MAX_SCAN_LIST_PAGES; page++) {
    const said = resultOf(await client.ask("tools/list", params(cursor), SCAN_LIST_TIMEOUT_MS, stop));
    if (said.type !== "result") return { ok: false, reason: said.reason };
    const { bytes } = said;
    const items = memberOf(said, "tools");
    if (items === undefined || kindOf(bytes, items) !== "list") return { ok: false, reason: "handshake_refused" };
    for (const item of itemsOf(bytes, items)) {
      const name = kindOf(bytes, item) === "object" ? membersNamed(bytes, item, "name")[0] : undefined;
      const text = name && stringOf(bytes, name);
      if (text !== undefined) listed.set(text, textOf(bytes, item));
    }
    const next = memberOf(said, "nextCursor");
    const text = next && stringOf(bytes, next);
    if (text === undefined)
      return { ok: true, session: { ...about, tools: new Set(listed.keys()), listed, params, modern } };
    cursor = `"cursor":${JSON.stringify(text)}`;
  }
  return { ok: false, reason: "handshake_refused" };
}

type Result = { readonly type: "result"; readonly bytes: Uint8Array; readonly span: Span };
type Said =
  | Result
  | { readonly type: "error"; readonly code: string | undefined; readonly reason: string }
  | { readonly type: "nothing"; readonly reason: string };

/** The result of a request whose answer is an object, or the reason that there is none. */
function resultOf(answer: Answer): Said {
  if (answer.type === "timeout") return { type: "nothing", reason: answer.broken ? "bad_answer" : "handshake_timeout" };
  if (answer.type === "closed") return { type: "nothing", reason: "server_closed" };
  if (answer.type === "stopped") return { type: "nothing", reason: "session_ended" };
  if (answer.type !== "response") return { type: "nothing", reason: "handshake_refused" };
  const { bytes, message } = answer;
  const [error] = membersNamed(bytes, message, "error");
  if (error !== undefined) {
    const code = kindOf(bytes, error) === "object" ? membersNamed(bytes, error, "code")[0] : undefined;
    return { type: "error", code: code && textOf(bytes, code), reason: "handshake_refused" };
  }
  const [result] = membersNamed(bytes, message, "result");
  if (result === undefined || kindOf(bytes, result) !== "object")
    return { type: "nothing", reason: "handshake_refused" };
  return { type: "result", bytes, span: result };
}

function memberOf({ bytes, span }: Result, name: string): Span | undefined {
  return membersNamed(bytes, span, name)[0];
}

function textIn({ bytes }: Result, span: Span, name: string): string | null {
  const [found] = membersNamed(bytes, span, name);
  return (found && stringOf(bytes, found)) ?? null;
}

function named(said: Result, info: Span | undefined): { name: string | null; version: string | null } {
  if (info === undefined || kindOf(said.bytes, info) !== "object") return { name: null, version: null };
  return { name: textIn(said, info, "name"), version: textIn(said, info, "version") };
}
