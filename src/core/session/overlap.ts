// Notices writes that may change a record between a call and its check, since a FAIL would then prove nothing.

import { MAX_ID_BYTES, MAX_UNSETTLED_RECORDS, UNSETTLED_WRITE_MS } from "../limits.ts";
import { asciiOf } from "../select/select.ts";
import { normalNumber, stringToken } from "../wire/ids.ts";
import { eachScalar, type Span, textOf } from "../wire/json.ts";
import type { ProtectedCall } from "./calls.ts";
import { holdsAnswers, type Session } from "./state.ts";

/**
 * Takes note of a `tools/call` that goes to the server now. It overlaps every undecided call whose record id stands among
 * its arguments and, where answers are not held, every check under way (docs/architecture.md). A call whose arguments
 * cannot be read (`call` undefined) may write any record.
 */
export function noteWrite(
  session: Session,
  tool: string | undefined,
  call: { readonly line: Uint8Array; readonly args: Span | undefined } | undefined,
): void {
  if (tool !== undefined && session.readOnlyTools.has(tool)) return;
  if (!holdsAnswers(session)) for (const check of session.checks.values()) check.call.overlapped = true;
  if (!call) {
    for (const calls of session.openRecords.values()) for (const open of calls) open.overlapped = true;
    return;
  }
  const { line, args } = call;
  if (session.openRecords.size === 0 || !args) return;
  eachScalar(line, args, (scalar) => {
    if (scalar.end - scalar.start > MAX_ID_BYTES) return;
    for (const call of session.openRecords.get(recordKey(textOf(line, scalar))) ?? []) call.overlapped = true;
  });
}

/**
 * The record that a call writes is known. Of two undecided calls that name one record in their arguments either may act
 * last, so neither can fail. Where an answer names the record (a create), only a call sent after the other's answer counts:
 * creates that run side by side do not excuse each other, even if a server gives both the same id.
 */
export function openRecord(session: Session, call: ProtectedCall, id: string): void {
  if (call.recordId !== undefined) return;
  call.recordId = id;
  if ((session.unsettled.get(id) ?? 0) > call.calledAt) call.overlapped = true;
  const calls = session.openRecords.get(id);
  if (!calls) {
    session.openRecords.set(id, new Set([call]));
    return;
  }
  const named = call.answeredAt === undefined;
  for (const other of calls) {
    if (other.answeredAt !== undefined && other.answeredSeq < call.seq) other.overlapped = true;
    else if (named) {
      other.overlapped = true;
      call.overlapped = true;
    }
  }
  calls.add(call);
}

/** The call is given up while the server may still be at it: for a while its record may change at any time. */
export function leaveUnsettled(session: Session, call: ProtectedCall, now: number): void {
  if (call.recordId === undefined) return;
  const { unsettled } = session;
  unsettled.delete(call.recordId);
  unsettled.set(call.recordId, now + UNSETTLED_WRITE_MS);
  if (unsettled.size > MAX_UNSETTLED_RECORDS) unsettled.delete(unsettled.keys().next().value!);
  for (const other of session.openRecords.get(call.recordId) ?? []) other.overlapped = true;
}

/** The call is decided: its record may be written again without doubt. */
export function closeRecord(session: Session, call: ProtectedCall): void {
  if (call.recordId === undefined) return;
  const calls = session.openRecords.get(call.recordId);
  if (calls?.delete(call) && calls.size === 0) session.openRecords.delete(call.recordId);
}

const encoder = new TextEncoder();

/** A record id in a form that is equal for equal ids. A server that takes an id as text or as number means the same record. */
export function recordKey(json: string): string {
  const number = normalNumber(json);
  if (number !== undefined) return number;
  if (!json.startsWith('"')) return asciiOf(json);
  const bytes = encoder.encode(json);
  const text = stringToken(bytes, 1, bytes.length - 1) ?? json;
  return normalNumber(text) ?? text;
}
