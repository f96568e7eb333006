// Client to server: looks at each line before its last byte goes on, and remembers the calls that matter.

import { MAX_CANCELLED_IDS } from "../limits.ts";
import { select } from "../select/select.ts";
import { type IdKey, idKey } from "../wire/ids.ts";
import { kindOf, membersNamed, type Span, stringOf } from "../wire/json.ts";
import type { Envelope } from "../wire/scanner.ts";
import { abandonCheck } from "./checks.ts";
import { releaseWhenSettled } from "./held.ts";
import { endLine, lineBytes, takePiece } from "./lines.ts";
import { noteWrite, openRecord, recordKey } from "./overlap.ts";
import { record } from "./records.ts";
import type { ProtectedCall, Session } from "./state.ts";
import type { Command } from "./types.ts";

const NO_BYTES = new Uint8Array(0);

const AMBIGUOUS = { status: "unknown", reason: "request_id_ambiguous" } as const;

/** Looks at the lines in the chunk, then lets it go as it came. */
export function clientBytes(session: Session, bytes: Uint8Array, now: number, out: Command[]): void {
  const line = session.client;
  let at = 0;
  while (at < bytes.length) {
    const newline = bytes.indexOf(0x0a, at);
    const end = newline < 0 ? bytes.length : newline + 1;
    line.keep = !line.tooLong;
    takePiece(session, line, bytes, at, end, newline < 0);
    if (line.tooLong) line.kept = [];
    // A server that does not wait for the newline must not be able to answer a call that we do not know yet.
    if (newline >= 0 || line.scanner.complete) inspect(session, bytes, at, end, now, out);
    if (newline >= 0) endLine(line);
    at = end;
  }
  if (bytes.length > 0) out.push({ type: "toServer", bytes });
}

/** The client has no more to say; a last line without newline still counts. */
export function clientClosed(session: Session, now: number, out: Command[]): void {
  if (session.client.length > 0) inspect(session, NO_BYTES, 0, 0, now, out);
  endLine(session.client);
  out.push({ type: "closeServer" });
}

function inspect(session: Session, bytes: Uint8Array, at: number, end: number, now: number, out: Command[]): void {
  const line = session.client;
  const { messages } = line.scanner;
  if (messages.length === line.inspected) return;
  if (line.tooLong) out.push({ type: "note", note: { code: "request_too_large" } });
  const whole = () => (line.tooLong ? undefined : lineBytes(line, bytes.subarray(at, end)));
  for (let i = line.inspected; i < messages.length; i++) {
    if (messages[i]!.methodCount > 0) clientMessage(session, messages[i]!, whole, now, out);
  }
  line.inspected = messages.length;
}

function clientMessage(
  session: Session,
  message: Envelope,
  /** The bytes of the line, made only when they are needed; undefined when they were not kept. */
  whole: () => Uint8Array | undefined,
  now: number,
  out: Command[],
): void {
  const { methods } = message;
  if (methods.includes("tools/call")) {
    const tool = message.names.find((name) => session.options.tools.has(name));
    // Arguments are looked into only where they decide something.
    if (tool !== undefined || session.checks.size > 0 || session.openRecords.size > 0) {
      const line = whole();
      const params = line && paramsOf(line, message);
      const args = params && only(membersNamed(line!, params, "arguments"));
      noteWrite(session, only(message.names), line ?? NO_BYTES, args);
      if (tool !== undefined) {
        protectedCall(session, tool, message, line, params, args, now, out);
        return;
      }
    }
  } else if (methods.includes("notifications/cancelled") || methods.includes("initialize")) {
    const line = whole();
    const params = line && paramsOf(line, message);
    if (params && methods.includes("initialize")) session.clientName ??= nameOfClient(line!, params);
    else if (params) cancel(session, line!, params, now, out);
  }
  const list = methods.includes("tools/list");
  for (const key of message.ids) {
    if (taken(session, key, now, out)) continue;
    if (list) {
      session.lists++;
      session.inFlight.set(key, { type: "list", seq: ++session.seq });
    } else session.inFlight.set(key, { type: "other", seq: ++session.seq, answers: 1 });
  }
}

function protectedCall(
  session: Session,
  tool: string,
  message: Envelope,
  line: Uint8Array | undefined,
  params: Span | undefined,
  args: Span | undefined,
  now: number,
  out: Command[],
): void {
  const contract = session.options.tools.get(tool)!;
  const key = only(message.ids);
  const clear =
    message.idCount === 1 && message.methodCount === 1 && message.paramsCount <= 1 && message.nameCount === 1;
  // Every id is looked up, since each may belong to a call that thereby becomes ambiguous too.
  const reused = message.ids.filter((id) => taken(session, id, now, out)).length > 0;
  if (key === undefined || !clear || reused) {
    record(session, { contract, calledAt: now, answeredAt: undefined }, AMBIGUOUS, { now }, out);
    for (const id of message.ids) {
      if (!session.inFlight.has(id)) session.inFlight.set(id, { type: "other", seq: ++session.seq, answers: 1 });
    }
    return;
  }
  const fields = new Map<string, string>();
  for (const [name, selector] of contract.extract) {
    if (selector.source !== "arguments" || !args || !line) continue;
    const text = select(selector, line, args);
    if (text !== undefined) fields.set(name, text);
  }
  if (params && line) session.clientName ??= nameInMeta(line, params);
  const id = contract.recordIdField === undefined ? undefined : fields.get(contract.recordIdField);
  const call: ProtectedCall = {
    type: "call",
    seq: ++session.seq,
    key,
    contract,
    fields,
    recordId: undefined,
    calledAt: now,
    answeredAt: undefined,
    answeredSeq: 0,
    overlapped: false,
    held: undefined,
  };
  if (id !== undefined) openRecord(session, call, recordKey(id));
  session.inFlight.set(key, call);
  session.awaited++;
}

/**
 * Whether an answer under this id could belong to an earlier request too. If so, that request can no longer be told
 * apart either, unless its answer is already here.
 */
function taken(session: Session, key: IdKey, now: number, out: Command[]): boolean {
  const earlier = session.inFlight.get(key);
  if (!earlier) return session.cancelled.delete(key);
  if (earlier.type === "other") earlier.answers++;
  else if (earlier.type === "list") {
    session.lists--;
    session.inFlight.set(key, { type: "other", seq: earlier.seq, answers: 2 });
  } else if (!earlier.held) {
    session.awaited--;
    record(session, earlier, AMBIGUOUS, { now }, out);
    session.inFlight.set(key, { type: "other", seq: earlier.seq, answers: 2 });
  }
  return true;
}

/** `notifications/cancelled`: the client has given the call up; a late answer would only confuse it (field report B28). */
function cancel(session: Session, line: Uint8Array, params: Span, now: number, out: Command[]): void {
  const id = only(membersNamed(line, params, "requestId"));
  const key = id && idKey(line, id.start, id.end);
  const entry = key === undefined ? undefined : session.inFlight.get(key);
  if (!entry || key === undefined) return;
  if (entry.type === "call" && entry.held) {
    // One call alone on its line: the line is dropped. In a batch the other answers still have to go out.
    if (entry.held.keys.length === 1) entry.held.dropped = true;
    for (const check of [...session.checks.values()]) {
      if (check.call === entry) abandonCheck(session, check, "cancelled", now, out);
    }
    if (entry.held.dropped) {
      entry.held.unrecorded = 0;
      releaseWhenSettled(session, entry.held, out);
    }
    return;
  }
  if (entry.type === "call") {
    session.awaited--;
    record(session, entry, { status: "unknown", reason: "cancelled" }, { now }, out);
  } else if (entry.type === "list") session.lists--;
  session.inFlight.delete(key);
  session.cancelled.add(key);
  if (session.cancelled.size > MAX_CANCELLED_IDS) session.cancelled.delete(session.cancelled.values().next().value!);
}

function nameOfClient(line: Uint8Array, params: Span): string | undefined {
  const client = only(membersNamed(line, params, "clientInfo"));
  const name = client && kindOf(line, client) === "object" ? only(membersNamed(line, client, "name")) : undefined;
  return name && stringOf(line, name);
}

/** From 2026-07-28 on each request says who the client is. */
function nameInMeta(line: Uint8Array, params: Span): string | undefined {
  const meta = only(membersNamed(line, params, "_meta"));
  if (!meta || kindOf(line, meta) !== "object") return undefined;
  const client = only(membersNamed(line, meta, "io.modelcontextprotocol/clientInfo"));
  const name = client && kindOf(line, client) === "object" ? only(membersNamed(line, client, "name")) : undefined;
  return name && stringOf(line, name);
}

/** The one `params` object of a message. */
function paramsOf(line: Uint8Array, message: Envelope): Span | undefined {
  const params = only(membersNamed(line, message, "params"));
  return params && kindOf(line, params) === "object" ? params : undefined;
}

function only<T>(values: readonly T[]): T | undefined {
  return values.length === 1 ? values[0] : undefined;
}
