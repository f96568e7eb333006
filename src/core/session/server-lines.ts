// Server to client: passes everything on, and keeps back only the lines that answer protected calls where the mode asks for it.

import { judgeLine } from "./answers.ts";
import { flushReleased, holdLine } from "./held.ts";
import { endLine, lineBytes, takePiece } from "./lines.ts";
import type { LineState, Session } from "./state.ts";
import type { Emit } from "./types.ts";

/** Takes a chunk from the server. */
export function serverBytes(session: Session, bytes: Uint8Array, now: number, out: Emit): void {
  if (session.server.hold || mustHold(session)) sift(session, bytes, now, out);
  else {
    // Nothing in this chunk can be a held answer: it goes on whole and is looked at afterwards.
    pass(session, bytes, out);
    look(session, bytes, now, out);
  }
  flushReleased(session, out);
}

/** The server's output has ended; a last line without newline still counts, and goes out after all others. */
export function serverEnded(session: Session, now: number, out: Emit): void {
  const line = session.server;
  session.serverEnded = true;
  if (line.length > 0) {
    const kept = line.hold && !line.tooLong;
    if (kept) finishHeldLine(session, new Uint8Array(0), now, true, out);
    else judgeLine(session, line, keptLine(line), undefined, now, out);
    endLine(line);
  }
  flushReleased(session, out);
}

/** While an answer is awaited or held, lines are kept back until they are complete, so that whole lines can pass each other. */
function mustHold(session: Session): boolean {
  const { mode, shadowHold } = session.options;
  const expected = session.awaited > 0 || session.heldLines.size > 0 || session.tasks.size > 0;
  return (mode === "enforce" || shadowHold) && !session.stopped && expected;
}

/** Whether the next line may be one that is looked into. */
const mayMatter = (session: Session) => session.awaited > 0 || session.lists > 0 || session.tasks.size > 0;

function look(session: Session, bytes: Uint8Array, now: number, out: Emit): void {
  const line = session.server;
  let at = 0;
  while (at < bytes.length) {
    const newline = bytes.indexOf(0x0a, at);
    const end = newline < 0 ? bytes.length : newline + 1;
    if (line.length === 0) line.keep = mayMatter(session);
    takePiece(session, line, bytes, at, end, newline < 0);
    if (line.tooLong) line.kept = [];
    if (newline >= 0) {
      judgeLine(session, line, keptLine(line, bytes.subarray(at, end)), undefined, now, out);
      endLine(line);
    } else judgeAsItComes(session, line, now, out);
    at = end;
  }
}

function sift(session: Session, bytes: Uint8Array, now: number, out: Emit): void {
  const line = session.server;
  let at = 0;
  /** Where the run of bytes begins that may go on at once. */
  let run = 0;
  while (at < bytes.length) {
    const newline = bytes.indexOf(0x0a, at);
    const end = newline < 0 ? bytes.length : newline + 1;
    if (line.length === 0) {
      line.hold = mustHold(session);
      line.keep = line.hold || mayMatter(session);
    }
    takePiece(session, line, bytes, at, end, newline < 0);
    if (line.hold && line.tooLong) {
      // It passes the cap: what was kept back goes on now, the rest streams through.
      pass(session, bytes.subarray(run, at), out);
      const whole = line.kept.length > 0;
      for (const part of line.kept) pass(session, part, out);
      line.kept = [];
      line.hold = false;
      run = whole ? end : at;
    }
    if (newline >= 0) {
      if (line.hold) {
        pass(session, bytes.subarray(run, at), out);
        finishHeldLine(session, bytes.subarray(at, end), now, false, out);
        run = end;
      } else judgeLine(session, line, keptLine(line, bytes.subarray(at, end)), undefined, now, out);
      endLine(line);
    } else if (line.hold) {
      pass(session, bytes.subarray(run, at), out);
      run = end;
    } else judgeAsItComes(session, line, now, out);
    at = end;
  }
  pass(session, bytes.subarray(run), out);
}

/** Of a line that only streams by, the messages are not collected until its end. */
function judgeAsItComes(session: Session, line: LineState, now: number, out: Emit): void {
  if (!line.tooLong || line.scanner.messages.length === 0) return;
  judgeLine(session, line, undefined, undefined, now, out);
  line.scanner.takeMessages();
}

/** A line that was kept back is complete: it is held on, follows a held one, or goes out. */
function finishHeldLine(session: Session, piece: Uint8Array, now: number, last: boolean, out: Emit): void {
  const line = session.server;
  try {
    const whole = lineBytes(line, piece);
    const alone = line.scanner.messages.length === 1;
    const held = judgeLine(session, line, whole, () => holdLine(session, whole, alone, last), now, out);
    if (held === "held") return;
    if (held !== undefined) {
      held.followers.push(new Uint8Array(whole));
      session.heldBytes += whole.length;
    } else if (last) session.lastLine = whole;
    else pass(session, whole, out);
  } catch {
    // No memory for a line in one piece, or a fault of ours: it goes on in the pieces that it came in.
    out.push({ type: "note", note: { code: "fault", where: "answer" } });
    for (const part of line.kept.length > 0 ? line.kept : [piece]) pass(session, part, out);
  }
}

/** The whole line, if it was kept; `piece` is its end. */
function keptLine(line: LineState, piece: Uint8Array = new Uint8Array(0)): Uint8Array | undefined {
  return line.tooLong || !line.keep ? undefined : lineBytes(line, piece);
}

function pass(session: Session, bytes: Uint8Array, out: Emit): void {
  if (bytes.length === 0) return;
  out.push({ type: "toClient", bytes });
  session.clientMidLine = bytes[bytes.length - 1] !== 0x0a;
}
