// What a checked read-back looks like, and what comes out of reading. Plain JSON-able values, since they travel to the reader.

import type { CompareOptions } from "../compare/types.ts";
import type { Path } from "../select/types.ts";
import type { FixedReason } from "../verdict/reasons.ts";
import type { FileSource } from "./kinds/file.ts";
import type { GraphqlSource } from "./kinds/graphql.ts";
import type { HttpSource } from "./kinds/http.ts";
import type { McpSource } from "./kinds/mcp.ts";
import type { SqlSource } from "./kinds/sql.ts";

/** Where to read, by type. A new type adds its own. */
export type Source = HttpSource | GraphqlSource | FileSource | SqlSource | McpSource;

/** One value in the record and what it must be: an extracted field's, or a fixed one. */
export interface Expectation {
  /** The path as it is written; names the expectation to people. */
  readonly written: string;
  readonly path: Path;
  readonly expected: { readonly field: string } | { readonly json: string };
  readonly compare: string;
  readonly options: CompareOptions;
}

/** Picks one element of a list as the record. */
export interface Find {
  readonly in: Path;
  readonly where: readonly Expectation[];
  /** The list holds every record there may be, so that an element that is not in it does not exist. */
  readonly complete: boolean;
}

export interface Readback {
  readonly source: Source;
  readonly expect: "present" | "absent";
  /** Each of these groups must hold; a group holds when one of its members does. */
  readonly expected: readonly (readonly Expectation[])[];
  readonly find?: Find;
  /** `onlyWhenDeleted`: a record without that last member is not deleted. */
  readonly tombstone?: { readonly path: Path; readonly json: string; readonly onlyWhenDeleted?: true };
  /** 1..5 */
  readonly attempts: number;
  /** 0..2000 */
  readonly intervalMs: number;
  /** 1..10000, for all attempts together. */
  readonly timeoutMs: number;
  /** Before this age of the answer, neither what a record holds nor that it is not there is settled. */
  readonly settleMs: number;
  /** Variables that hold credentials: the reader sees them, the wrapped server does not. Sorted. */
  readonly credentials: readonly string[];
  /** Further variables that the reader needs and the wrapped server may see too. Sorted. */
  readonly environment: readonly string[];
}

/** The UNKNOWN reasons that reading can give. */
export type DoubtReason = Extract<
  FixedReason,
  | "readback_unconfirmed"
  | "readback_shape_invalid"
  | "readback_error"
  | "readback_timeout"
  | "readback_selector_invalid"
  | "readback_inconsistent"
  | "not_settled"
  | "credential_missing"
>;

/** What one read saw. `note` is a few words for people, never with a value in it; `status` is HTTP's. */
export type Observation = { readonly note: string; readonly status?: number } & (
  | {
      readonly type: "record";
      /** The JSON text that was read. */
      readonly json: string;
      /** More follows on a further page, so that what is not here may be there. */
      readonly more?: boolean;
      /** The further page: path and query at the same host. */
      readonly next?: string;
      /** How many elements there are in all, as far as that stands beside the document. */
      readonly total?: number;
      /** List elements on the pages before this one. */
      readonly before?: number;
    }
  /** The system of record says that there is no such record. */
  | { readonly type: "missing" }
  /** `retryAfterMs` is how long the system asks not to be asked again. */
  | { readonly type: "doubt"; readonly reason: DoubtReason; readonly retryAfterMs?: number }
);

/** What one attempt found, judged. */
export type Finding =
  /** `absence`: because the record is not there, which it may not have been yet. */
  | { readonly type: "match"; readonly absence?: true }
  | {
      readonly type: "fail";
      readonly reason: "record_missing" | "field_mismatch" | "record_present";
      /** The written paths that are not as they should be. */
      readonly unmet: readonly string[];
      /** The fields whose values were not found, for the verdict. */
      readonly fields: readonly string[];
      /** Equal for findings that saw the same. Holds values: never shown, never kept. */
      readonly sight: string;
    }
  | { readonly type: "doubt"; readonly reason: DoubtReason; readonly note?: string; readonly retryAfterMs?: number };

/** The end of a read-back. */
export type ReadbackOutcome = { readonly attempts: number; readonly status?: number; readonly note: string } & (
  | { readonly type: "pass" }
  | {
      readonly type: "fail";
      readonly reason: "record_missing" | "field_mismatch" | "record_present";
      readonly unmet: readonly string[];
      readonly fields: readonly string[];
    }
  | { readonly type: "unknown"; readonly reason: DoubtReason }
);
