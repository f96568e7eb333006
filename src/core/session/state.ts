// What a session remembers: calls in flight, checks, held lines and the two half-read lines. No behaviour lives here.

import type { ToolContract } from "../contract/types.ts";
import type { Edit } from "../wire/edit.ts";
import type { IdKey } from "../wire/ids.ts";
import type { Span } from "../wire/json.ts";
import { LineScanner } from "../wire/scanner.ts";
import type { SessionOptions } from "./types.ts";

/** A request of the client whose answer is still to come. */
export type InFlight =
  | ProtectedCall
  /** `tools/list`: its answer says which tools only read. */
  | { readonly type: "list"; readonly seq: number }
  /** Any other request; `answers` counts those still expected under the id. */
  | { readonly type: "other"; readonly seq: number; answers: number };

/** A call of a protected tool, from its request until its answer is with the client. */
export interface ProtectedCall {
  readonly type: "call";
  /** Position among all requests; a line that the server began earlier cannot answer it. */
  readonly seq: number;
  readonly key: IdKey;
  readonly contract: ToolContract;
  /** JSON texts of the fields that come from the arguments; a missing one has no entry. */
  readonly fields: ReadonlyMap<string, string>;
  /** Its arguments were too large to keep: fields from them are missing through no fault of the contract. */
  readonly unread: boolean;
  /** Characters in `fields`, counted in `heldBytes` until the call is recorded. */
  readonly size: number;
  /** Normal form of the record id, as soon as it is known. */
  recordId: string | undefined;
  readonly calledAt: number;
  answeredAt: number | undefined;
  /** The number of requests so far when the answer came. */
  answeredSeq: number;
  /** Another write may have changed the record since: a FAIL would prove nothing. */
  overlapped: boolean;
  /** The held line with its answer; the id stays taken until that line is with the client. */
  held: HeldLine | undefined;
}

/** A verifier's run for one answered call, waiting or under way. */
export interface Check {
  readonly number: number;
  readonly call: ProtectedCall;
  readonly input: string;
  /** When the time limit of the contract ends, waiting included. */
  readonly deadline: number;
  startedAt: number | undefined;
  /** Where in the held line the answer stands. */
  readonly answer: Answer | undefined;
  readonly held: HeldLine | undefined;
}

/** The parts of an answer that a verdict is put into. */
export interface Answer {
  readonly result: Span;
  readonly content: Span;
  readonly structured: boolean;
}

/** A line kept back until each of its protected answers is decided and recorded. */
export interface HeldLine {
  readonly number: number;
  readonly bytes: Uint8Array;
  readonly keys: IdKey[];
  readonly edits: Edit[];
  /** One message, not a batch. */
  readonly alone: boolean;
  /** The server's output ended with this line, without a newline: nothing may follow it. */
  readonly last: boolean;
  undecided: number;
  unrecorded: number;
  /** When the wait for the log ends. */
  recordBy: number;
  /** The client cancelled its only call: the line is not sent. */
  dropped: boolean;
  /** Later lines for the same ids: they must not overtake this one. */
  readonly followers: Uint8Array[];
}

/** A line that is still coming in. */
export interface LineState {
  readonly scanner: LineScanner;
  /** Its pieces, as far as they are kept. */
  kept: Uint8Array[];
  /** Bytes so far, kept or not. */
  length: number;
  /** Keep this line for inspection. */
  keep: boolean;
  /** Keep this line from the client until it is complete. */
  hold: boolean;
  /** How many of its messages were already looked at. */
  inspected: number;
  /** It passed the cap and only streams by. */
  tooLong: boolean;
  /** The number of requests when its first byte came. */
  seq: number;
}

export interface Session {
  readonly options: SessionOptions;
  readonly client: LineState;
  readonly server: LineState;
  readonly inFlight: Map<IdKey, InFlight>;
  readonly cancelled: Set<IdKey>;
  /** Undecided calls by the record that they write. */
  readonly openRecords: Map<string, Set<ProtectedCall>>;
  /** Records that a call which was given up may still write, with the time until when. */
  readonly unsettled: Map<string, number>;
  readonly checks: Map<number, Check>;
  readonly heldLines: Map<number, HeldLine>;
  readonly readOnlyTools: Set<string>;
  /** Checks that wait for a place, in order. */
  waiting: Check[];
  running: number;
  /** Requests so far. */
  seq: number;
  /** Numbers given to checks and held lines so far. */
  numbers: number;
  /** Protected calls without an answer. */
  awaited: number;
  /** `tools/list` requests without an answer. */
  lists: number;
  /** What is kept of lines and calls until they are decided. */
  heldBytes: number;
  notedTooLarge: boolean;
  /** Released lines that wait for the client's stream to be between two lines. */
  released: Uint8Array[];
  lastLine: Uint8Array | undefined;
  clientMidLine: boolean;
  clientName: string | undefined;
  serverEnded: boolean;
  stopped: boolean;
  exited: boolean;
  /** The log did not take a record in time: until it takes one again, nothing waits for it. */
  logLate: boolean;
  /** No deadline is earlier than this. */
  nextDue: number;
}

/** A session before its first byte. */
export function openSession(options: SessionOptions): Session {
  return {
    options,
    client: emptyLine(),
    server: emptyLine(),
    inFlight: new Map(),
    cancelled: new Set(),
    openRecords: new Map(),
    unsettled: new Map(),
    checks: new Map(),
    heldLines: new Map(),
    readOnlyTools: new Set(),
    waiting: [],
    running: 0,
    seq: 0,
    numbers: 0,
    awaited: 0,
    lists: 0,
    heldBytes: 0,
    notedTooLarge: false,
    released: [],
    lastLine: undefined,
    clientMidLine: false,
    clientName: undefined,
    serverEnded: false,
    stopped: false,
    exited: false,
    logLate: false,
    nextDue: Number.POSITIVE_INFINITY,
  };
}

function emptyLine(): LineState {
  return {
    scanner: new LineScanner(),
    kept: [],
    length: 0,
    keep: false,
    hold: false,
    inspected: 0,
    tooLong: false,
    seq: 0,
  };
}

/** Answers are kept back in enforce mode, and in shadow when asked to measure what that would cost. */
export function holdsAnswers(session: Session): boolean {
  return (session.options.mode === "enforce" || session.options.shadowHold) && !session.stopped;
}
