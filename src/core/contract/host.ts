// What the core must ask of the machine to check and compile a contract; io/ answers it, tests answer it with plain values.

import type { Readback } from "../readback/types.ts";
import type { Compilation, Compiled } from "./compile.ts";
import type { Finding } from "./issue.ts";
import type { Node, Step } from "./tree.ts";

/** How what stands under `readback` is checked and compiled; src/core/readback/part.ts. */
export interface ReadbackPart {
  readonly checkReadback: (node: Node, steps: readonly Step[]) => Finding[];
  readonly compileReadback: (
    node: Node,
    steps: readonly Step[],
    fields: readonly string[] | undefined,
    compilation: Compilation,
  ) => Compiled<Readback> | undefined;
  /** The reasons that such a read-back can fail for. */
  readonly failureReasons: (readback: Readback) => readonly string[];
}

export interface ContractHost {
  /** Absolute path of the contract file. */
  readonly file: string;
  /** The absolute path of an existing directory, `path` being relative to the contract file; undefined when there is none. */
  readonly directory: (path: string) => string | undefined;
  /** The absolute form of a path that is relative to the contract file, whether there is anything or not. */
  readonly path: (path: string) => string;
  /** Loads the part for read-backs, which only contracts that have one need. */
  readonly readbacks: () => Promise<ReadbackPart>;
  /** What the placeholders stand for: program first, then arguments. */
  readonly placeholders: {
    readonly node: readonly string[];
    readonly fourgate: readonly string[];
    readonly python: readonly string[];
  };
}
