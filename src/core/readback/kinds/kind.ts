// What a type of read-back brings with it: its own keys, and how they are checked.

import type { Compilation } from "../../contract/compile.ts";
import type { Node, Step } from "../../contract/tree.ts";
import type { Source } from "../types.ts";

/** An extracted field that the type's own keys name, and where they do. */
export interface FieldUse {
  readonly name: string;
  readonly at: number;
  readonly steps: readonly Step[];
}

export interface CompiledSource {
  readonly source: Source;
  /** Variables that hold secrets. */
  readonly credentials: readonly string[];
  /** Further variables that reading needs, which are no secret. */
  readonly environment?: readonly string[];
  readonly uses: readonly FieldUse[];
  /** The source as it is written, where `source` depends on where the file lies; the contract's digest is made of it. */
  readonly canonical?: object;
}

export interface ReadbackKind {
  /** The word under `type`. */
  readonly type: string;
  /** JSON Schema of its own keys, each with a description. */
  readonly properties: Readonly<Record<string, object>>;
  readonly required: readonly string[];
  /** That a record is there is something to prove by itself, so that `expected_fields` may be left out. */
  readonly existenceIsEnough?: boolean;
  /** What would be right for each of its keys, for messages; see words.ts. */
  readonly right: Readonly<Record<string, string>>;
  /** Compiles the type's own keys; the schema has been checked beside it. Undefined when something is wrong, which is noted. */
  readonly compile: (node: Node, steps: readonly Step[], compilation: Compilation) => CompiledSource | undefined;
}
