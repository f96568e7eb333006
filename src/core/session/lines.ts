// Half-read lines: scanning pieces as they come and keeping them for inspection within the bounds.

import { MAX_KEPT_LINES_FACTOR, MAX_MESSAGES_PER_LINE } from "../limits.ts";
import type { LineState, Session } from "./state.ts";

/**
 * Scans `bytes[at..end)` as the next piece of the line. If the line goes on (`open`) or has earlier pieces and is to be
 * kept, the piece is kept. Past the bounds the line is marked `tooLong` and what was kept stays for the caller to take.
 */
export function takePiece(
  session: Session,
  line: LineState,
  bytes: Uint8Array,
  at: number,
  end: number,
  open: boolean,
): void {
  if (line.length === 0) line.seq = session.seq;
  line.length += end - at;
  try {
    line.scanner.push(bytes, at, end);
  } catch {
    // A fault of ours: the line goes by unread, and its bytes must not notice.
    line.scanner.reset();
    line.tooLong = true;
  }
  if (line.scanner.messages.length > MAX_MESSAGES_PER_LINE) line.tooLong = true;
  if (!line.keep || line.tooLong) {
    if (line.keep && line.kept.length > 0) line.kept.push(bytes.subarray(at, end));
    return;
  }
  const { maxInspectBytes } = session.options;
  const bound = Math.min(maxInspectBytes, maxInspectBytes * MAX_KEPT_LINES_FACTOR - session.heldBytes);
  if (line.length > bound) line.tooLong = true;
  if (open || line.kept.length > 0) line.kept.push(bytes.subarray(at, end));
}

/** The bytes of a line that was kept; `piece` is its last piece, which is all of it when nothing was kept before. */
export function lineBytes(line: LineState, piece: Uint8Array): Uint8Array {
  if (line.kept.length === 0) return piece;
  if (line.kept.length === 1) return line.kept[0]!;
  const joined = new Uint8Array(line.length);
  let at = 0;
  for (const part of line.kept) {
    joined.set(part, at);
    at += part.length;
  }
  line.kept = [joined];
  return joined;
}

/** Forgets the line; the next byte begins another. */
export function endLine(line: LineState): void {
  line.scanner.reset();
  if (line.kept.length > 0) line.kept = [];
  line.length = 0;
  line.keep = false;
  line.hold = false;
  line.inspected = 0;
  line.tooLong = false;
}
