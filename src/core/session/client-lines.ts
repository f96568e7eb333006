// Client to server: looks at each line before its last byte goes on, and remembers the calls that matter.

import { MAX_KEPT_LINES_FACTOR } from "../limits.ts";
import { select } from "../select/select.ts";
import type { Envelope } from "../wire/envelope.ts";
import type { IdKey } from "../wire/ids.ts";
import { membersNamed, type Span } from "../wire/json.ts";
import { cancel } from "./cancel.ts";
import { endLine, lineBytes, takePiece } from "./lines.ts";
import { leaveUnsettled, noteWrite, openRecord, recordKey } from "./overlap.ts";
import { nameInMeta, nameOfClient, only, paramsOf } from "./params.ts";
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
    if (newline >= 0 || line.scanner.complete || line.tooLong) inspect(session, bytes, at, end, now, out);
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
  const whole = () => (line.tooLong ? undefined : lineBytes(line, bytes.subarray(at, end)));
  const messages = line.tooLong ? line.scanner.takeMessages() : line.scanner.messages;
  for (let i = line.tooLong ? 0 : line.inspected; i < messages.length; i++) {
    const message = messages[i]!;
    if (message.methodCount === 0) continue;
    try {
      clientMessage(session, message, whole, now, out);
    } catch {
      unread(session, message, now, out);
    }
  }
  line.inspected = line.tooLong ? 0 : messages.length;
}

/** A fault of ours kept a message from being read: if it calls a protected tool, its record says so. */
function unread(session: Session, message: Envelope, now: number, out: Command[]): void {
  out.push({ type: "note", note: { code: "fault", where: "request" } });
  const key = only(message.ids);
  const contract = message.names.map((name) => session.options.tools.get(name)).find((found) => found !== undefined);
  if (!contract || (key !== undefined && session.inFlight.get(key)?.type === "call")) return;
  record(
    session,
    { contract, calledAt: now, answeredAt: undefined },
    { status: "unknown", reason: "internal_error" },
    { now },
    out,
  );
  if (key !== undefined) session.inFlight.set(key, { type: "other", seq: ++session.seq, answers: 1 });
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
      const found = params ? membersNamed(line!, params, "arguments") : [];
      const args = only(found);
      const readable = line !== undefined && message.paramsCount <= 1 && found.length <= 1;
      noteWrite(session, only(message.names), readable ? { line, args } : undefined);
      if (tool !== undefined) {
        if (!line) noteTooLarge(session, out);
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
  let size = 0;
  let unread = line === undefined;
  for (const [name, selector] of contract.extract) {
    if (selector.source !== "arguments" || !args || !line) continue;
    const text = select(selector, line, args);
    if (text === undefined) continue;
    fields.set(name, text);
    size += text.length;
  }
  // Calls that are never answered must not fill the memory with what was extracted for them.
  if (size > session.options.maxInspectBytes * MAX_KEPT_LINES_FACTOR - session.heldBytes) {
    fields.clear();
    size = 0;
    unread = true;
    noteTooLarge(session, out);
  }
  session.heldBytes += size;
  if (params && line) session.clientName ??= nameInMeta(line, params);
  const id = contract.recordIdField === undefined ? undefined : fields.get(contract.recordIdField);
  const call: ProtectedCall = {
    type: "call",
    seq: ++session.seq,
    key,
    contract,
    fields,
    unread,
    size,
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

/** Said once: it is the server's way of working, and every such call has its record. */
function noteTooLarge(session: Session, out: Command[]): void {
  if (session.notedTooLarge) return;
  session.notedTooLarge = true;
  out.push({ type: "note", note: { code: "request_too_large" } });
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
    leaveUnsettled(session, earlier, now);
    record(session, earlier, AMBIGUOUS, { now }, out);
    session.inFlight.set(key, { type: "other", seq: earlier.seq, answers: 2 });
  }
  return true;
}
