// What a doctor looks at and what it says. Facts come from `run/`; every judgement is made here.

import type { Contract, Mode } from "../contract/types.ts";

export type Level = "ok" | "warn" | "fail" | "skip" | "info";

export interface Finding {
  readonly section: string;
  readonly level: Level;
  /** Stable word for programs. */
  readonly code: string;
  /** One sentence or two, without values. */
  readonly text: string;
}

/** What is known of a program that a contract starts. */
export interface ProgramFacts {
  /** The first word of its command. */
  readonly program: string;
  readonly there: boolean;
  /** The script that an interpreter is given, as it is written. */
  readonly script?: { readonly path: string; readonly there: boolean };
}

export interface ListedTool {
  readonly name: string;
  /** `annotations.readOnlyHint`, when the server gives one. */
  readonly readOnly: boolean | undefined;
}

export type ServerFacts =
  | { readonly type: "none" }
  /** The system's word for why it did not start. */
  | { readonly type: "not_started"; readonly code: string }
  /** A reason of the scan's: `handshake_timeout`, `server_closed`, ... */
  | { readonly type: "no_session"; readonly reason: string; readonly noise: number }
  | {
      readonly type: "session";
      readonly name: string | null;
      readonly version: string | null;
      readonly protocolVersion: string | null;
      readonly tools: readonly ListedTool[];
      /** Lines on stdout that are no message. */
      readonly noise: number;
    };

/** How many recorded calls of a tool came to which reason. */
export type History = ReadonlyMap<string, ReadonlyMap<string, number>>;

export interface LogFacts {
  /** As it was given; undefined without --log. */
  readonly path: string | undefined;
  /** Why it could not be opened. */
  readonly problem: string | undefined;
  readonly exists: boolean;
  /** What it holds of this server; undefined when there is nothing to read. */
  readonly history: History | undefined;
}

export interface Facts {
  /** The contract file as it was given. */
  readonly file: string;
  readonly contract: Contract | undefined;
  /** What is wrong with it, ready to be shown. */
  readonly issues: readonly string[];
  readonly mode: Mode;
  /** By tool: of those that are checked by a program of their own. */
  readonly programs: ReadonlyMap<string, ProgramFacts>;
  /** Database drivers that are not installed. */
  readonly missingDrivers: readonly string[];
  /** A sentence on each file that decides and that other users may change. */
  readonly looseFiles: readonly string[];
  /** A sentence on each credential that could not be had from its file or program. */
  readonly secretProblems: readonly string[];
  /** Variables that are set and not empty. */
  readonly set: ReadonlySet<string>;
  /** Variables under which the server sees the value of a withheld one. */
  readonly leaks: readonly { readonly name: string; readonly seenAs: string }[];
  readonly server: ServerFacts;
  /** Why the contract is not approved, where that matters; `refuse`: guard would not start. */
  readonly approval: { readonly problem: string; readonly refuse: boolean } | undefined;
  readonly log: LogFacts;
  /** Where MCP clients are configured to start this server without a guard: client and file. */
  readonly bypasses: readonly string[];
  readonly about: {
    readonly fourgate: string;
    readonly node: string;
    readonly platform: string;
    /** Any program of this user may read the guard's environment, credentials and all. */
    readonly environmentReadable: boolean;
    /** Whether a program may read the memory of others of its user; undefined where that is not known. */
    readonly memoryReadable: boolean | undefined;
    /** Whether bubblewrap is there, for guard's --sandbox. */
    readonly sandbox: boolean;
    /** Variables that lead read-backs through a proxy. */
    readonly proxy: readonly string[];
  };
}
