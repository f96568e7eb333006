// Compiles read-backs in tests and runs them to their outcome.

import { readReadback } from "../../src/core/readback/read.ts";
import type { Readback, ReadbackOutcome } from "../../src/core/readback/types.ts";
import type { Fields } from "../../src/core/select/types.ts";
import { openAdapter } from "../../src/readback/adapter.ts";
import { checkReadback } from "../../src/readback/check.ts";

/** A read-back as it would be read from a file. */
export async function readback(written: object): Promise<Readback> {
  const result = await readReadback(new TextEncoder().encode(JSON.stringify(written)), {
    file: "readback.json",
    directory: () => undefined,
    path: (path) => `/home/user/${path}`,
    readbacks: () => import("../../src/core/readback/part.ts"),
    placeholders: { node: [], fourgate: [], python: [] },
  });
  if (result.type === "readback") return result.readback;
  throw new Error(result.type === "contract" ? "a contract" : result.issues.map(({ message }) => message).join("\n"));
}

/** Fields of plain values; use `raw` for numbers that JavaScript would round. */
export function fieldsOf(values: Record<string, unknown>, raw: Record<string, string> = {}): Fields {
  const plain = Object.entries(values).map(([name, value]) => [name, JSON.stringify(value)] as const);
  return new Map([...plain, ...Object.entries(raw)]);
}

export interface RunOptions {
  readonly fields?: Fields;
  readonly environment?: Record<string, string>;
  readonly budgetMs?: number;
  readonly ageMs?: number;
  readonly signal?: AbortSignal;
}

/** Runs a read-back once. */
export async function run(written: object, options: RunOptions = {}): Promise<ReadbackOutcome> {
  const spec = await readback(written);
  const adapter = await openAdapter(spec.source, { environment: options.environment ?? {} });
  try {
    return await checkReadback(spec, adapter, {
      fields: options.fields ?? fieldsOf({ id: 7, title: "t" }),
      budgetMs: options.budgetMs ?? 10_000,
      ageMs: options.ageMs ?? 0,
      signal: options.signal ?? new AbortController().signal,
    });
  } finally {
    await adapter.close();
  }
}
