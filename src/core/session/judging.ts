// What is known of a server's line while it is judged, and the checks that come out of it.

import { checkLimitMs } from "../contract/check.ts";
import type { Check, FollowedTask, HeldLine, ProtectedCall, TaskRequest } from "./calls.ts";
import type { Judged } from "./judge.ts";
import type { Session } from "./state.ts";
import type { Emit } from "./types.ts";

/** A line that is being judged. */
export interface Judging {
  readonly session: Session;
  /** Undefined when it was not kept. */
  readonly bytes: Uint8Array | undefined;
  /** Whether it is JSON, found out when that matters first. Clients skip what is not, so that is no answer. */
  readonly valid: () => boolean;
  /** Keeps the line back; undefined where lines are not kept back. */
  readonly hold: (() => HeldLine) | undefined;
  readonly now: number;
  readonly out: Emit;
  held: HeldLine | undefined;
  /** The line repeats an answer that is held in this one, and must not overtake it. */
  follows: HeldLine | undefined;
  readonly checks: Check[];
}

/** Makes a check of a finished outcome; its line is kept back where lines are. */
export function makeCheck(
  judging: Judging,
  call: ProtectedCall,
  { input, answer }: Extract<Judged, { type: "check" }>,
  task: FollowedTask | undefined,
  request: ProtectedCall | TaskRequest | undefined,
): void {
  const { session, now } = judging;
  const held = keptBack(judging, request);
  const made: Check = {
    number: ++session.numbers,
    call,
    input,
    deadline: now + checkLimitMs(call.contract),
    startedAt: undefined,
    deliveries: [{ answer, held }],
    task,
  };
  if (task) task.check = made;
  judging.checks.push(made);
}

/** The line with the answer, kept back for one more check; its request stays taken until it is with the client. */
export function keptBack(judging: Judging, request: ProtectedCall | TaskRequest | undefined): HeldLine | undefined {
  const { session } = judging;
  judging.held ??= judging.hold?.();
  const { held } = judging;
  if (!held) return undefined;
  held.undecided++;
  if (request) {
    held.keys.push(request.key);
    request.held = held;
    session.inFlight.set(request.key, request);
  }
  return held;
}
