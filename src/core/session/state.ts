// What a session remembers: calls in flight, checks, held lines and the two half-read lines. No behaviour lives here.

import type { IdKey } from "../wire/ids.ts";
import { LineScanner } from "../wire/scanner.ts";
import type { AwaitedRetry, Check, FollowedTask, HeldLine, ProtectedCall } from "./calls.ts";
import { InFlightRequests } from "./in-flight.ts";
import type { SessionOptions } from "./types.ts";

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
  readonly inFlight: InFlightRequests;
  /** Ids under which the answer to an earlier request may still come, oldest first. */
  readonly doubtfulIds: Set<IdKey>;
  /** Undecided calls by the record that they write. */
  readonly openRecords: Map<string, Set<ProtectedCall>>;
  /** Records that a call which was given up may still write, with the time until when. */
  readonly unsettled: Map<string, number>;
  /** Calls that became tasks, by task id, oldest first. */
  readonly tasks: Map<string, FollowedTask>;
  /** Calls that the client has to send again, oldest first. */
  readonly retries: AwaitedRetry[];
  readonly checks: Map<number, Check>;
  readonly heldLines: Map<number, HeldLine>;
  readonly readOnlyTools: Set<string>;
  /** Names of tools on the pages of lists that go on, by the cursor of the next page. */
  readonly listPages: Map<string, ReadonlySet<string>>;
  /** Contracted tools that the server's last whole list did not have. */
  missingTools: ReadonlySet<string>;
  /** Checks that wait for a place, in order. */
  waiting: Check[];
  running: number;
  /** Requests so far. */
  seq: number;
  /** Numbers given to checks and held lines so far. */
  numbers: number;
  /** Protected calls, and requests about their tasks, without an answer. */
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
    inFlight: new InFlightRequests(),
    doubtfulIds: new Set(),
    openRecords: new Map(),
    unsettled: new Map(),
    tasks: new Map(),
    retries: [],
    checks: new Map(),
    heldLines: new Map(),
    readOnlyTools: new Set(),
    listPages: new Map(),
    missingTools: new Set(),
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
