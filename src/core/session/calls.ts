// What is remembered of requests, calls, tasks, checks and held lines. No behaviour lives here.

import type { ToolContract } from "../contract/types.ts";
import type { Outcome } from "../verdict/types.ts";
import type { Edit } from "../wire/edit.ts";
import type { IdKey } from "../wire/ids.ts";
import type { Span } from "../wire/json.ts";

/** A request of the client whose answer is still to come. */
export type InFlight =
  | ProtectedCall
  | TaskRequest
  | ToolsRequest
  | SharedId
  /** Any other request: its position among all requests. Nearly all are such, so no object is made for one. */
  | number;

/** Requests under one id, none of which is looked into; `answers` counts those still expected. */
export interface SharedId {
  readonly type: "shared";
  readonly seq: number;
  answers: number;
}

/** `tools/list`: its answer says which tools there are, and which of them only read. */
export interface ToolsRequest {
  readonly type: "list";
  readonly seq: number;
  /** Names on the pages before this one; undefined when they are not known. */
  readonly names: ReadonlySet<string> | undefined;
}

/** A request about a task that a protected call became. */
export interface TaskRequest {
  readonly type: "task";
  readonly seq: number;
  readonly key: IdKey;
  readonly task: FollowedTask;
  /** Its answer is the outcome of the call, or a task object. */
  readonly asks: "result" | "state";
  held: HeldLine | undefined;
}

/** A protected call that the server turned into a task, until its outcome is decided. */
export interface FollowedTask {
  readonly id: string;
  readonly call: ProtectedCall;
  /** The check of its outcome, while one is under way. */
  check: Check | undefined;
  /** A confirmed FAIL: every further answer with the same outcome gets the same verdict. */
  verdict: Outcome | undefined;
}

/** A call that has to be sent again with the input that the server asked for. */
export interface AwaitedRetry {
  readonly call: ProtectedCall;
  readonly state: string | undefined;
}

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
  /** Its answer holds fourgate's own mark, which the server has no business to write. */
  markForged: boolean;
  /** The held line with its answer; the id stays taken until that line is with the client. */
  held: HeldLine | undefined;
}

/** Whether the id belongs to a protected call that has no answer yet, or one that is held. */
export function isCall(entry: InFlight | undefined): entry is ProtectedCall {
  return typeof entry === "object" && entry.type === "call";
}

/** A verifier's run for one answered call, waiting or under way. */
export interface Check {
  readonly number: number;
  readonly call: ProtectedCall;
  readonly input: string;
  /** When the time limit of the contract ends, waiting included. */
  readonly deadline: number;
  startedAt: number | undefined;
  /** The answer; of a task that is told more than once meanwhile, each time that it is. Never empty. */
  readonly deliveries: Delivery[];
  readonly task: FollowedTask | undefined;
}

/** An outcome on its way to the client. */
export interface Delivery {
  /** Where in its line it stands. */
  readonly answer: Answer;
  /** The line, if it is kept back. */
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
  /** A cancel may drop it: it is one message, not a batch, and its id was not used again meanwhile. */
  droppable: boolean;
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
