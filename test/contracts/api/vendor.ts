// What the table test needs to know of a vendor: its fake, the calls that are made, and what the record must be.

import type { ApiReply, ApiRequest, Held } from "../../fixtures/api.ts";

/** One call of a tool, the answer of an honest server, and the record as it then is. */
export interface Case {
  readonly tool: string;
  /** Why there is a second case for a tool. */
  readonly about?: string;
  readonly args: object;
  /** The text of the answer. */
  readonly answer: string;
  readonly good: Held;
  /** Records that do not have what was asked for, each FAIL with `field_mismatch` (`record_present` for a delete). */
  readonly wrong: Readonly<Record<string, Held>>;
  /** What an empty store, or what stands here, comes to. */
  readonly missing: Readonly<Record<string, readonly [Held, "fail" | "unknown"]>>;
  /** Records and arguments that neither prove nor disprove the write. */
  readonly doubtful?: Readonly<Record<string, Held>>;
}

export interface Vendor {
  /** Folder of the ready contract. */
  readonly contract: string;
  /** The address that stands in the contract, which the test puts its own in the place of. */
  readonly origin: string;
  /** The credentials that the fake knows. */
  readonly env: Readonly<Record<string, string>>;
  reply(request: ApiRequest, held: Held): ApiReply;
  readonly cases: readonly Case[];
}

export const json = (value: unknown) => JSON.stringify(value);
/** Nothing is there. */
export const none: Held = {};
