// Events that the session takes and commands that it gives; run/guard/session.ts feeds the first and executes the second.

import type { Mode, ToolContract } from "../contract/types.ts";
import type { OutcomeFields } from "../outcome/types.ts";
import type { Reply, Surface } from "../verdict/types.ts";

export interface SessionOptions {
  readonly mode: Mode;
  /** In shadow: hold answers as enforce would, and pass them on unchanged. */
  readonly shadowHold: boolean;
  readonly label: string;
  readonly tools: ReadonlyMap<string, ToolContract>;
  readonly surface: Surface;
  readonly maxInspectBytes: number;
  readonly maxParallelChecks: number;
}

/** `now` is monotonic milliseconds; the core has no clock of its own. */
export type Event =
  | { readonly type: "clientBytes"; readonly bytes: Uint8Array; readonly now: number }
  | { readonly type: "serverBytes"; readonly bytes: Uint8Array; readonly now: number }
  | { readonly type: "verifierDone"; readonly check: number; readonly reply: Reply; readonly now: number }
  /** The record of a held line is written (or given up on): the line may go. */
  | { readonly type: "recorded"; readonly line: number; readonly now: number }
  /** Time passed; due deadlines act. */
  | { readonly type: "tick"; readonly now: number }
  /** The client closed its end: no more bytes from it. */
  | { readonly type: "clientClosed"; readonly now: number }
  /** The server's output ended: no more bytes from it. */
  | { readonly type: "serverExited"; readonly now: number }
  /** fourgate was told to stop; whatever is held goes out now. */
  | { readonly type: "stop"; readonly now: number };

export type Command =
  | { readonly type: "toServer"; readonly bytes: Uint8Array }
  | { readonly type: "toClient"; readonly bytes: Uint8Array }
  /** Close the server's stdin: the client has no more to say. */
  | { readonly type: "closeServer" }
  | {
      readonly type: "verify";
      readonly check: number;
      readonly tool: string;
      /** One JSON object for the verifier's stdin. */
      readonly input: string;
      readonly budgetMs: number;
    }
  | { readonly type: "cancelVerify"; readonly check: number }
  /** With `line`, that held line waits until the event `recorded` says that the record is safe. */
  | { readonly type: "record"; readonly record: OutcomeFields; readonly line?: number }
  | { readonly type: "note"; readonly note: Note }
  /** Every call is settled and the server has ended. */
  | { readonly type: "exit" };

/** Takes commands as they arise, in order: a list, or whoever executes them at once. */
export interface Emit {
  push(command: Command): void;
}

/** Something that a person may want to know; `run/` words and prints it. Holds names only, never values. */
export type Note =
  /** A line of the client is too long to keep: fields of calls in it are missing. */
  | { readonly code: "request_too_large" }
  | { readonly code: "fault"; readonly where: string }
  /** Contracts for tools that are not in the server's list, each with the name there that it may mean. */
  | {
      readonly code: "tools_missing";
      readonly tools: readonly { readonly tool: string; readonly nearest: string | undefined }[];
    };
