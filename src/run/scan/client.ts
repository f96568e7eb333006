// The client's side of a session with the server under scan: one request at a time, over lines that may hold anything.
//
// It is our own and not the SDK's: a request is sent exactly once and with the very digits that the file gives, answers are judged
// in bytes by the guard's own code, a broken line ends nothing, and no revision makes it start the server a second time.

import { DEFAULT_MAX_INSPECT_BYTES, MAX_MESSAGES_PER_LINE, SERVER_OUTPUT_QUIET_MS } from "../../core/limits.ts";
import type { Envelope } from "../../core/wire/envelope.ts";
import { membersNamed, textOf } from "../../core/wire/json.ts";
import { LineScanner } from "../../core/wire/scanner.ts";
import { jsonValue } from "../../core/wire/validate.ts";
import type { ServerProcess } from "../../io/server-process.ts";
import type { Answer } from "./answer.ts";

export interface ScanClient {
  /** Sends a request with its parameters as JSON text. Settles with what became of it; never rejects. */
  ask(method: string, params: string, limitMs: number, stop?: AbortSignal): Promise<Answer>;
  notify(method: string, params?: string): void;
  /** The id of the last request, for a notification that it is given up. */
  lastId(): number;
  /** Settles once the server has said its first word. */
  readonly spoke: Promise<void>;
  /** Lines so far that were no message. */
  noise(): number;
}

interface Asked {
  readonly id: number;
  readonly settle: (answer: Answer) => void;
  broken: boolean;
}

/** Takes the server's streams over. */
export function openClient(server: ServerProcess): ScanClient {
  const scanner = new LineScanner();
  let asked: Asked | undefined;
  let count = 0;
  /** Requests that had been sent when the current line began: a later one cannot be answered by it. */
  let countAtLine: number | undefined;
  let kept: Uint8Array[] = [];
  let keptSize = 0;
  let gone = false;
  let noise = 0;
  let heardAt = performance.now();
  let speak = () => {};
  const spoke = new Promise<void>((resolve) => {
    speak = resolve;
  });

  server.stdout.on("data", take);
  for (const event of ["end", "close", "error"]) server.stdout.on(event, close);
  // A process of the server's that holds its output open must not keep a scan waiting once it is silent.
  void server.ended.then(() => {
    const look = () => {
      if (performance.now() - heardAt >= SERVER_OUTPUT_QUIET_MS) close();
      else if (!gone) setTimeout(look, SERVER_OUTPUT_QUIET_MS / 5).unref();
    };
    heardAt = performance.now();
    look();
  });

  function close(): void {
    gone = true;
    asked?.settle({ type: "closed" });
  }

  function take(chunk: Uint8Array): void {
    heardAt = performance.now();
    speak();
    let at = 0;
    while (at < chunk.length) {
      countAtLine ??= count;
      const newline = chunk.indexOf(10, at);
      const end = newline < 0 ? chunk.length : newline;
      scanner.push(chunk, at, end);
      if (scanner.messages.length > MAX_MESSAGES_PER_LINE) scanner.takeMessages();
      keptSize += end - at;
      if (keptSize <= DEFAULT_MAX_INSPECT_BYTES) kept.push(chunk.subarray(at, end));
      else kept = [];
      if (newline < 0) return;
      line(keptSize <= DEFAULT_MAX_INSPECT_BYTES ? Buffer.concat(kept) : undefined);
      kept = [];
      keptSize = 0;
      countAtLine = undefined;
      scanner.reset();
      at = newline + 1;
    }
  }

  /** A complete line; undefined when it was too long to be kept. */
  function line(bytes: Uint8Array | undefined): void {
    const valid = bytes !== undefined && jsonValue(bytes, 0, bytes.length) !== undefined;
    if (asked !== undefined && !valid && bytes?.[0] === 0x7b) asked.broken = true;
    const blank = bytes?.every((byte) => byte === 0x20 || byte === 0x0d || byte === 0x09);
    if (bytes !== undefined && !blank && (!valid || scanner.messages.length === 0)) noise++;
    for (const message of scanner.messages) {
      if (message.methodCount > 0) {
        if (valid && message.idCount === 1) decline(bytes, message);
      } else if (message.resultCount + message.errorCount > 0) respond(message, bytes, valid);
    }
  }

  function respond(message: Envelope, bytes: Uint8Array | undefined, valid: boolean): void {
    if (asked === undefined || asked.id > countAtLine! || !message.ids.includes(asked.id)) return;
    if (bytes === undefined) asked.settle({ type: "too_large" });
    else if (!valid) return;
    else if (message.idCount !== 1) asked.settle({ type: "ambiguous" });
    else asked.settle({ type: "response", bytes, message });
  }

  /** Answers a request of the server's: a ping is answered, everything else is declined, since a scan offers nothing. */
  function decline(bytes: Uint8Array, message: Envelope): void {
    const [id] = membersNamed(bytes, message, "id");
    if (id === undefined || message.ids.length === 0) return;
    const answer =
      message.methods[0] === "ping"
        ? '"result":{}'
        : '"error":{"code":-32601,"message":"fourgate scan offers nothing"}';
    write(`{"jsonrpc":"2.0","id":${textOf(bytes, id)},${answer}}`);
  }

  function write(text: string): void {
    if (!gone) server.stdin.write(`${text}\n`);
  }

  return {
    spoke,
    noise: () => noise,
    lastId: () => count,
    notify: (method, params) =>
      write(`{"jsonrpc":"2.0","method":${JSON.stringify(method)}${params === undefined ? "" : `,"params":${params}`}}`),
    ask(method, params, limitMs, stop) {
      return new Promise((resolve) => {
        const id = ++count;
        const settle = (answer: Answer): void => {
          clearTimeout(timer);
          stop?.removeEventListener("abort", stopped);
          if (asked?.id === id) asked = undefined;
          resolve(answer);
        };
        const stopped = () => settle({ type: "stopped" });
        // One turn more: an answer that is already here counts, whatever kept us from looking.
        const timer = setTimeout(
          () => setImmediate(() => settle({ type: "timeout", broken: entry.broken })),
          Math.max(0, limitMs),
        );
        const entry: Asked = { id, settle, broken: false };
        asked = entry;
        if (gone) return settle({ type: "closed" });
        if (stop?.aborted) return stopped();
        stop?.addEventListener("abort", stopped);
        write(`{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":${params}}`);
      });
    },
  };
}
