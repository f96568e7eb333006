// Client to server: lets everything go on as it came, and remembers the calls that matter before any answer is looked at.

import type { Envelope } from "../wire/envelope.ts";
import { membersNamed } from "../wire/json.ts";
import { isCall } from "./calls.ts";
import { cancel } from "./cancel.ts";
import { endLine, lineBytes, takePiece } from "./lines.ts";
import { noteWrite } from "./overlap.ts";
import { nameOfClient, only, paramsOf } from "./params.ts";
import { noteTooLarge, protectedCall } from "./protected-call.ts";
import { record } from "./records.ts";
import type { Session } from "./state.ts";
import { taken } from "./taken.ts";
import { askedTask } from "./tasks.ts";
import { pagesBefore } from "./tool-list.ts";
import type { Emit } from "./types.ts";

const NO_BYTES = new Uint8Array(0);

/** Lets the chunk go as it came, and looks at its lines while the server reads it: what it answers is the next event at the earliest. */
export function clientBytes(session: Session, bytes: Uint8Array, now: number, out: Emit): void {
  const line = session.client;
  if (bytes.length > 0) out.push({ type: "toServer", bytes });
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
}

/** The client has no more to say; a last line without newline still counts. */
export function clientClosed(session: Session, now: number, out: Emit): void {
  if (session.client.length > 0) inspect(session, NO_BYTES, 0, 0, now, out);
  endLine(session.client);
  out.push({ type: "closeServer" });
}

function inspect(session: Session, bytes: Uint8Array, at: number, end: number, now: number, out: Emit): void {
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
function unread(session: Session, message: Envelope, now: number, out: Emit): void {
  out.push({ type: "note", note: { code: "fault", where: "request" } });
  const key = only(message.ids);
  const contract = message.names.map((name) => session.options.tools.get(name)).find((found) => found !== undefined);
  if (!contract || (key !== undefined && isCall(session.inFlight.get(key)))) return;
  record(
    session,
    { contract, calledAt: now, answeredAt: undefined },
    { status: "unknown", reason: "internal_error" },
    { now },
    out,
  );
  if (key !== undefined) session.inFlight.set(key, ++session.seq);
}

function clientMessage(
  session: Session,
  message: Envelope,
  /** The bytes of the line, made only when they are needed; undefined when they were not kept. */
  whole: () => Uint8Array | undefined,
  now: number,
  out: Emit,
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
  otherRequest(session, message, whole, now, out);
}

function otherRequest(
  session: Session,
  message: Envelope,
  whole: () => Uint8Array | undefined,
  now: number,
  out: Emit,
): void {
  const list = message.methods.includes("tools/list");
  const line = list || (session.tasks.size > 0 && message.idCount === 1) ? whole() : undefined;
  const params = line && paramsOf(line, message);
  const asked = line && params && askedTask(session, message, line, params);
  for (const key of message.ids) {
    const reused = taken(session, key, now, out);
    if (reused && session.inFlight.has(key)) continue;
    const seq = ++session.seq;
    if (reused) session.inFlight.set(key, seq);
    else if (list) {
      session.lists++;
      session.inFlight.set(key, { type: "list", seq, names: pagesBefore(session, line, params) });
    } else if (asked) {
      session.awaited++;
      session.inFlight.set(key, { type: "task", seq, key, ...asked, held: undefined });
    } else session.inFlight.set(key, seq);
  }
}
