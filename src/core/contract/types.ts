// What a checked contract looks like to the rest of the program; how it is read and checked lives in the other files here.

import type { Readback } from "../readback/types.ts";
import type { Selector } from "../select/types.ts";

export type Mode = "shadow" | "enforce";

/** What the agent is told to do after a confirmed FAIL. */
export type Recovery = "stop" | "retry_once" | "ask_user";

/** A program that decides; see docs/verifiers.md. */
export interface VerifierSpec {
  /** Program and arguments, placeholders already expanded. Never empty, never run by a shell. */
  readonly command: readonly string[];
  /** Absolute working directory, or undefined for fourgate's own. */
  readonly cwd: string | undefined;
  /** Whole milliseconds, 1..2000. */
  readonly timeoutMs: number;
  /** Variables that the verifier sees and the wrapped server must not. */
  readonly secretEnv: readonly string[];
  /** When given, the verifier sees only these, a minimal base and `secretEnv`; when undefined, all that fourgate sees. */
  readonly env: readonly string[] | undefined;
  /** Processes to start ahead, 0..4. */
  readonly prewarm: number;
}

export interface ToolContract {
  /** Exact tool name on the wire. */
  readonly tool: string;
  /** Field name -> where its value is found. Never empty. */
  readonly extract: ReadonlyMap<string, Selector>;
  readonly recordIdField: string | undefined;
  /** Exactly one of `verifier` and `readback` is there. */
  readonly verifier: VerifierSpec | undefined;
  readonly readback: Readback | undefined;
  readonly allowedFailureReasons: ReadonlySet<string>;
  readonly recovery: Recovery;
}

/** A file that holds a credential, or a program that prints it. */
export type SecretSource =
  | { readonly type: "file"; readonly path: string }
  | { readonly type: "command"; readonly command: readonly string[] };

export interface Contract {
  /** Absolute path of the file, for messages. */
  readonly file: string;
  readonly tools: ReadonlyMap<string, ToolContract>;
  /** It says itself that it must not be used without somebody's approval. */
  readonly approvalRequired: boolean;
  /** Where credentials come from that are not in the environment, by the name of their variable. */
  readonly secrets: ReadonlyMap<string, SecretSource>;
  /** Stable text of what the contract means; equal texts decide alike. Its hash stands in every record. */
  readonly canonicalText: string;
}

/** One thing that is wrong with a contract, ready to be shown. Never holds a value out of the file other than key names. */
export interface ContractIssue {
  readonly file: string;
  /** 1-based; absent where the file could not be read at all. */
  readonly line?: number;
  readonly column?: number;
  /** Where in the document, like `tools["create_issue"].verifier.timeout_ms`; empty for the whole file. */
  readonly place: string;
  /** Stable word for tests and programs, like `unknown_key`. */
  readonly code: string;
  /** What is wrong, and what would be right. */
  readonly message: string;
}

export type ContractResult =
  | { readonly ok: true; readonly contract: Contract }
  | { readonly ok: false; readonly issues: readonly ContractIssue[] };
