// The lines between a session and its reader: newline-ended JSON, both ways.

import type { Readback, ReadbackOutcome } from "./types.ts";

/**
 * To the reader. `open` comes once and first; the names under `readbacks` are the tools', those under `credentials` variables'. They come
 * this way since every program of the same user can read what a process was started with.
 */
export type ToReader =
  | {
      readonly type: "open";
      readonly readbacks: readonly (readonly [string, Readback])[];
      readonly credentials?: Readonly<Record<string, string>>;
    }
  | {
      readonly type: "check";
      readonly id: number;
      readonly readback: string;
      /** One JSON object of the extracted fields; as a text, so that its numbers keep their digits. */
      readonly fields: string;
      readonly budgetMs: number;
      /** How long ago the answer came that is checked, milliseconds. */
      readonly ageMs: number;
    }
  | { readonly type: "cancel"; readonly id: number };

/** From the reader. */
export type FromReader = { readonly type: "done"; readonly id: number; readonly outcome: ReadbackOutcome };

/** A line, newline included. */
export function readerLine(message: ToReader | FromReader): string {
  return `${JSON.stringify(message)}\n`;
}

/** What a reader said, as far as it can be used; undefined for a line that says nothing. */
export function parseFromReader(line: string): FromReader | undefined {
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    return undefined;
  }
  const { type, id, outcome } = (message ?? {}) as Partial<FromReader>;
  if (type !== "done" || typeof id !== "number" || typeof outcome !== "object") return undefined;
  return { type, id, outcome };
}
