// The outcome log: opened before the server starts, one record after the other, stderr when the file fails.

import { closeSync, fstatSync, type Stats, statSync, writeSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { CLOSE_WAIT_MS, MAX_RECORDS_PER_WRITE, MAX_WAITING_RECORD_BYTES } from "../core/limits.ts";
import { logDescriptor, openAppending, wasLeftTorn } from "./log-descriptor.ts";
import { createLogFile, type LogFile } from "./log-file.ts";
import type { StderrWriter } from "./stderr.ts";

/** What stands before a record on stderr, so that it can be told from the server's own lines there. */
export const RECORD_PREFIX = "[FOURGATE_OUTCOME] ";

export interface OutcomeLog {
  /** Writes one record (a line without its newline). Settles when it is in the file or on stderr. Never rejects. */
  append(line: string): Promise<void>;
  /** Waits for the records that are queued, at most CLOSE_WAIT_MS; what is not in the file by then goes to stderr. */
  close(): Promise<void>;
}

/** Why a log cannot be opened, ready to be shown. */
export interface OutcomeLogProblem {
  readonly code: "is_directory" | "not_a_file" | "is_stdout" | "no_parent" | "not_permitted" | "cannot_open";
  /** The path as it was given. */
  readonly place: string;
  /** One sentence: what is wrong and what would be right. */
  readonly remedy: string;
}

export type OutcomeLogResult =
  | { readonly ok: true; readonly log: OutcomeLog }
  | { readonly ok: false; readonly problem: OutcomeLogProblem };

/**
 * Opens the log at `path`, or, without one, a log on stderr. Never blocks on what is no file; never throws. In one go: nothing
 * else is under way yet, and a start that waits for other threads is slower.
 */
export function openOutcomeLog(path: string | undefined, stderr: StderrWriter): OutcomeLogResult {
  if (path === undefined) return { ok: true, log: stderrLog(stderr, RECORD_PREFIX) };
  const full = resolve(path);
  // Opened like a file, these would be a second way to a pipe that others write to as well.
  if (isStream(full, 2)) return { ok: true, log: stderrLog(stderr, "") };
  if (isStream(full, 1)) return refuse("is_stdout", path, "stdout carries the MCP traffic; name a file for the log");
  try {
    const existing = statSync(full, { throwIfNoEntry: false });
    const wrongKind = existing === undefined ? undefined : kindProblem(existing, path);
    if (wrongKind !== undefined) return wrongKind;
    const file = openAppending(full);
    const swapped = kindProblem(fstatSync(file), path);
    if (swapped !== undefined) {
      closeSync(file);
      return swapped;
    }
    if (wasLeftTorn(file)) closeTornLine(file, stderr);
    return { ok: true, log: fileLog(full, file, stderr) };
  } catch (error) {
    return openProblem((error as NodeJS.ErrnoException).code ?? "", path, full);
  }
}

function fileLog(path: string, file: number, stderr: StderrWriter): OutcomeLog {
  const removed = () => stderr.note("fourgate: outcome log: the file was removed; a new one is begun");
  const descriptor = logDescriptor(path, file, removed);
  return queuedLog(createLogFile(descriptor), stderr, () => descriptor.close());
}

/** What an earlier session did not finish stays as it is, on a line of its own. */
function closeTornLine(file: number, stderr: StderrWriter): void {
  try {
    // Should another session close it in the same moment, there is an empty line, which readers skip.
    writeSync(file, "\n");
    stderr.note(
      "fourgate: outcome log: its last line was torn (a session was killed, or the disk was full); it is kept, on a line of its own",
    );
  } catch {
    // The disk is still full, say: the first record tries again.
  }
}

interface Entry {
  readonly line: string;
  readonly settle: () => void;
  done: boolean;
}

/** The log over an open file; separate from opening it so that a failing or hanging disk can be played in tests. */
export function queuedLog(file: LogFile, stderr: StderrWriter, closeFile: () => Promise<void>): OutcomeLog {
  const waiting: Entry[] = [];
  let writing: Promise<void> | undefined;
  let waitingBytes = 0;
  let failing = false;
  let closed = false;

  function finish(entry: Entry, elsewhere: StderrWriter | undefined): void {
    if (entry.done) return;
    entry.done = true;
    waitingBytes -= entry.line.length;
    // Not waited for: nobody may be reading stderr.
    if (elsewhere) void elsewhere.record(RECORD_PREFIX + entry.line).then(entry.settle);
    else entry.settle();
  }

  async function writeAll(): Promise<void> {
    while (waiting.length > 0 && !closed) {
      // All that waits goes out together, so that the log keeps up with any number of calls.
      const lines = waiting.slice(0, MAX_RECORDS_PER_WRITE).map((entry) => entry.line);
      const { written, error } = await file.append(lines);
      for (const entry of waiting.splice(0, written)) finish(entry, undefined);
      if (error !== undefined && !failing) {
        stderr.note(`fourgate: outcome log: write failed (${error}); records go to stderr until it works again`);
      } else if (error === undefined && failing) stderr.note("fourgate: outcome log: writing to the file again");
      failing = error !== undefined;
      // The one that failed goes elsewhere; those behind it may fit into the file again.
      if (error !== undefined) for (const entry of waiting.splice(0, 1)) finish(entry, stderr);
    }
    // In the same breath as finding the queue empty, so that no record falls between two writers.
    writing = undefined;
  }

  return {
    append(line) {
      if (closed || waitingBytes + line.length > MAX_WAITING_RECORD_BYTES) return stderr.record(RECORD_PREFIX + line);
      waitingBytes += line.length;
      return new Promise((settle) => {
        waiting.push({ line, settle, done: false });
        writing ??= writeAll();
      });
    },
    async close() {
      let timer: NodeJS.Timeout | undefined;
      const limit = new Promise<"late">((late) => {
        timer = setTimeout(() => late("late"), CLOSE_WAIT_MS);
      });
      const outcome = await Promise.race([writing, limit]);
      clearTimeout(timer);
      closed = true;
      if (outcome !== "late") return closeFile().catch(() => {});
      // The first of these may still reach the file; a record that stands twice is better than one that is lost.
      for (const entry of waiting) finish(entry, stderr);
    },
  };
}

function stderrLog(stderr: StderrWriter, prefix: string): OutcomeLog {
  return { append: (line) => stderr.record(prefix + line), close: async () => {} };
}

function isStream(path: string, fd: 1 | 2): boolean {
  const name = fd === 1 ? "stdout" : "stderr";
  return [`/dev/${name}`, `/dev/fd/${fd}`, `/proc/self/fd/${fd}`].includes(path);
}

function kindProblem(found: Stats, path: string): OutcomeLogResult | undefined {
  if (found.isDirectory()) return refuse("is_directory", path, "this is a directory; name a file in it");
  if (found.isFile() || found.isCharacterDevice()) return undefined;
  return refuse("not_a_file", path, "this is a pipe, a socket or a disk; name a regular file");
}

function openProblem(code: string, path: string, full: string): OutcomeLogResult {
  if (code === "ENOENT" || code === "ENOTDIR") {
    return refuse("no_parent", path, `the directory ${dirname(full)} does not exist; create it or name another`);
  }
  if (code === "EACCES" || code === "EPERM" || code === "EROFS") {
    return refuse("not_permitted", path, "this file may not be written; change its permissions or name another");
  }
  return refuse("cannot_open", path, `this file cannot be opened (${code}); name another`);
}

function refuse(code: OutcomeLogProblem["code"], place: string, remedy: string): OutcomeLogResult {
  return { ok: false, problem: { code, place, remedy } };
}
