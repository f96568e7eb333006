// What happens in a fuzzed session, as data that fast-check can shrink and a corpus file can hold.

import fc from "fast-check";

/** Ids are drawn from few, so that they meet: types, spellings and directions differ. */
export const IDS = ["1", '"1"', "1.0", "10e-1", "0", '""', '"a"', '"\\u0061"', "9007199254740993", "-2"] as const;

/** What a server says to a call. */
export const ANSWERS = [
  "success",
  "success",
  "success",
  "error",
  "isError",
  "noId",
  "task",
  "extTask",
  "input",
  "later",
] as const;

/** How a message is written: seeds for blanks, escapes and the order of members, and where the line is cut. */
export interface Style {
  readonly blanks: number;
  readonly escapes: number;
  readonly crlf: boolean;
  /** Lengths of the pieces, in turns; the last piece of a line may wait for the next line of its direction. */
  readonly cuts: readonly number[];
  readonly waits: boolean;
}

export type Action = Style &
  (
    | {
        readonly type: "call";
        readonly id: number;
        readonly tool: string;
        readonly shares: boolean;
        readonly batch: number;
      }
    | {
        readonly type: "answer";
        readonly pick: number;
        readonly kind: number;
        readonly again: boolean;
        readonly batch: number;
      }
    | { readonly type: "cancel"; readonly pick: number }
    | { readonly type: "retry"; readonly pick: number; readonly id: number }
    | { readonly type: "askTask"; readonly pick: number; readonly id: number; readonly asks: number }
    | { readonly type: "tellTask"; readonly pick: number; readonly status: number }
    | { readonly type: "request"; readonly id: number; readonly from: number }
    | { readonly type: "noise"; readonly from: number; readonly text: number }
    | { readonly type: "verdict"; readonly pick: number; readonly reply: number }
    | { readonly type: "written" }
    | { readonly type: "time"; readonly ms: number }
  );

const style = fc.record({
  blanks: fc.nat(1 << 16),
  escapes: fc.nat(1 << 16),
  crlf: fc.boolean(),
  cuts: fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 3 }),
  waits: fc.boolean(),
});
const nat = fc.nat(30);
const from = fc.nat(1);
const batch = fc.constantFrom(0, 0, 0, 1, 2);

/** One thing that happens; calls, answers and verdicts most of all. */
const action: fc.Arbitrary<Action> = fc
  .tuple(
    style,
    fc.oneof(
      {
        weight: 8,
        arbitrary: fc.record({
          type: fc.constant("call" as const),
          id: nat,
          tool: fc.constantFrom("create", "create", "update", "other"),
          shares: fc.boolean(),
          batch,
        }),
      },
      {
        weight: 8,
        arbitrary: fc.record({
          type: fc.constant("answer" as const),
          pick: nat,
          kind: nat,
          again: fc.boolean(),
          batch,
        }),
      },
      { weight: 2, arbitrary: fc.record({ type: fc.constant("cancel" as const), pick: nat }) },
      { weight: 2, arbitrary: fc.record({ type: fc.constant("retry" as const), pick: nat, id: nat }) },
      {
        weight: 3,
        arbitrary: fc.record({ type: fc.constant("askTask" as const), pick: nat, id: nat, asks: fc.nat(2) }),
      },
      { weight: 2, arbitrary: fc.record({ type: fc.constant("tellTask" as const), pick: nat, status: nat }) },
      { weight: 2, arbitrary: fc.record({ type: fc.constant("request" as const), id: nat, from }) },
      { weight: 2, arbitrary: fc.record({ type: fc.constant("noise" as const), from, text: nat }) },
      { weight: 6, arbitrary: fc.record({ type: fc.constant("verdict" as const), pick: nat, reply: fc.nat(5) }) },
      { weight: 4, arbitrary: fc.record({ type: fc.constant("written" as const) }) },
      {
        weight: 1,
        arbitrary: fc.record({ type: fc.constant("time" as const), ms: fc.integer({ min: 1, max: 3000 }) }),
      },
    ),
  )
  .map(([how, what]) => ({ ...how, ...what }));

/** A session: its mode, what happens, and how it ends. */
export interface Script {
  readonly mode: "shadow" | "enforce";
  readonly actions: readonly Action[];
  readonly end: "closed" | "dies" | "stop";
}

export const script: fc.Arbitrary<Script> = fc.record({
  mode: fc.constantFrom("shadow", "enforce", "enforce"),
  actions: fc.array(action, { minLength: 1, maxLength: 60 }),
  end: fc.constantFrom("closed", "closed", "dies", "stop"),
});
