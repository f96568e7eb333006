// What a checked scan file looks like to the rest of the program.

import type { Position } from "../contract/position.ts";
import type { Contract, ContractIssue, ToolContract } from "../contract/types.ts";

/** JSON text between whose parts the run's token stands. */
export type ArgumentTemplate = readonly string[];

/** One part of a clean-up's arguments: JSON text, the run's token in a string, or a field's value, by itself or in a string. */
export type CleanupPart =
  | { readonly type: "json"; readonly text: string }
  | { readonly type: "runId" }
  | { readonly type: "value"; readonly field: string }
  | { readonly type: "text"; readonly field: string };

export interface Cleanup {
  readonly tool: string;
  readonly arguments: readonly CleanupPart[];
  /** How the clean-up itself is checked: by the tool's contract under `contracts`, where it has one. */
  readonly contract: ToolContract | undefined;
}

export interface ScanCase {
  /** From 1. */
  readonly index: number;
  readonly name: string;
  readonly tool: string;
  /** Where it begins in the file. */
  readonly place: Position;
  readonly arguments: ArgumentTemplate;
  readonly expected: "pass" | "fail";
  readonly contract: ToolContract;
  /** Its contract stands in the scan file and not under `contracts`: then its own time limits hold, not the guard's. */
  readonly own: boolean;
  readonly cleanup: Cleanup | undefined;
}

export interface ScanServer {
  readonly command: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  readonly testAccount: string;
  readonly protocolVersion: string;
  readonly callTimeoutMs: number;
  readonly startTimeoutMs: number;
  /** Names of the only variables that it gets beside a minimal base; undefined: all but the credentials of checks. */
  readonly env: readonly string[] | undefined;
}

export interface Scan {
  /** Absolute path of the file. */
  readonly file: string;
  readonly server: ScanServer;
  readonly writeTools: ReadonlySet<string>;
  readonly cases: readonly ScanCase[];
  /** The contract file that `contracts` names. */
  readonly contracts: Contract | undefined;
}

export type ScanResult =
  | { readonly ok: true; readonly scan: Scan }
  | { readonly ok: false; readonly issues: readonly ContractIssue[] };
