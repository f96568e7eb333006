// The read-backs of a scan, by the very adapters and decisions of a guard's reader, but in this process: a scan makes one check at
// a time and wants to tell what was seen, and a second process would cost more than most reads do.

import { parseValue, type Value } from "../../core/compare/value.ts";
import type { ToolContract } from "../../core/contract/types.ts";
import { type Explained, explain, jsonText, shapeOf } from "../../core/readback/explain.ts";
import { parseFields } from "../../core/readback/fields.ts";
import type { Readback, ReadbackOutcome } from "../../core/readback/types.ts";
import { type Environment, readerEnvironment } from "../../io/environment.ts";
import { type Adapter, openAdapter } from "../../readback/adapter.ts";
import { checkReadback } from "../../readback/check.ts";
import { readContext } from "../read-context.ts";

/** What the last attempt saw. */
export interface Sight {
  /** What is asked, without values. */
  readonly asks: string;
  /** The structure of what was read. */
  readonly shape: string | undefined;
  readonly comparisons: readonly SeenValue[];
}

export interface SeenValue extends Pick<Explained, "path" | "compare" | "outcome"> {
  /** JSON texts. */
  readonly expected: string | undefined;
  readonly observed: string | undefined;
}

export interface Read {
  readonly outcome: ReadbackOutcome;
  readonly sight: Sight | undefined;
}

export interface Reads {
  /** Reads until the outcome is settled or the time is up. `input` is a JSON object of the fields. Never rejects. */
  run(readback: Readback, input: string, limitMs: number, stop: AbortSignal): Promise<Read>;
  /** Starts ahead what the first reads would have to wait for. */
  warm(contracts: Iterable<ToolContract>): void;
  /** Lets go of connections and processes. Never rejects. */
  close(): Promise<void>;
}

const FAILED: ReadbackOutcome = { type: "unknown", reason: "readback_error", attempts: 0, note: "the read failed" };

/** Read-backs that read from one place share what is kept open for it. */
export function openReads(own: Environment): Reads {
  const adapters = new Map<string, Promise<Adapter>>();

  function adapterOf({ source, credentials, environment }: Readback): Promise<Adapter> {
    const key = JSON.stringify([source, credentials, environment]);
    let adapter = adapters.get(key);
    if (adapter === undefined) {
      // It sees what a reader would see, and nothing else.
      const seen = readerEnvironment(own, [...credentials, ...environment]);
      adapter = readContext(source, seen).then((context) => openAdapter(source, context));
      adapter.catch(() => {});
      adapters.set(key, adapter);
    }
    return adapter;
  }

  return {
    async run(readback, input, limitMs, stop) {
      const begin = performance.now();
      const fields = parseFields(input);
      if (fields === undefined) return { outcome: FAILED, sight: undefined };
      let sight: Sight | undefined;
      try {
        const adapter = await adapterOf(readback);
        const waited = performance.now() - begin;
        const outcome = await checkReadback(readback, adapter, {
          fields,
          budgetMs: limitMs - waited,
          ageMs: waited,
          signal: stop,
          onAttempt: (observation) => {
            const value = observation.type === "record" ? parseValue(observation.json) : undefined;
            sight = {
              asks: adapter.describe(),
              shape: value && shapeOf(value),
              comparisons: explain(readback, observation, fields).map(tellValue),
            };
          },
        });
        return { outcome, sight };
      } catch {
        return { outcome: FAILED, sight };
      }
    },
    warm(contracts) {
      for (const { readback } of contracts) {
        if (readback !== undefined)
          void adapterOf(readback).then(
            (adapter) => adapter.warm?.(),
            () => {},
          );
      }
    },
    async close() {
      await Promise.all([...adapters.values()].map((adapter) => adapter.then((open) => open.close()).catch(() => {})));
    },
  };
}

function tellValue({ path, compare, outcome, expected, observed }: Explained): SeenValue {
  const text = (value: Value | undefined) => value && jsonText(value);
  return { path, compare, outcome, expected: text(expected), observed: text(observed) };
}
