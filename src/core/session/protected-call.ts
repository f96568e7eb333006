// A call of a protected tool on its way to the server: what of it is remembered for its check.

import { MAX_KEPT_LINES_FACTOR } from "../limits.ts";
import { select } from "../select/select.ts";
import type { Envelope } from "../wire/envelope.ts";
import type { Span } from "../wire/json.ts";
import type { ProtectedCall } from "./calls.ts";
import { openRecord, recordKey } from "./overlap.ts";
import { nameInMeta, only } from "./params.ts";
import { record } from "./records.ts";
import { takeRetry } from "./retries.ts";
import type { Session } from "./state.ts";
import { AMBIGUOUS, taken } from "./taken.ts";
import type { Emit } from "./types.ts";

/** Remembers the call. `line` is undefined when it was too large to keep; `params` and `args` are the spans in it. */
export function protectedCall(
  session: Session,
  tool: string,
  message: Envelope,
  line: Uint8Array | undefined,
  params: Span | undefined,
  args: Span | undefined,
  now: number,
  out: Emit,
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
      if (!session.inFlight.has(id)) session.inFlight.set(id, ++session.seq);
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
  if (params && line) {
    session.clientName ??= nameInMeta(line, params);
    takeRetry(session, tool, line, params);
  }
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
    markForged: false,
    held: undefined,
  };
  if (id !== undefined) openRecord(session, call, recordKey(id));
  session.inFlight.set(key, call);
  session.awaited++;
}

/** Said once: it is the server's way of working, and every such call has its record. */
export function noteTooLarge(session: Session, out: Emit): void {
  if (session.notedTooLarge) return;
  session.notedTooLarge = true;
  out.push({ type: "note", note: { code: "request_too_large" } });
}
