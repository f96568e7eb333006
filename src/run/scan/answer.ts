// What became of one request to the server under scan.

import type { Span } from "../../core/wire/json.ts";

export type Answer =
  /** `bytes` is valid JSON; `message` is where in it the response stands. */
  | { readonly type: "response"; readonly bytes: Uint8Array; readonly message: Span }
  /** A response longer than what is kept. */
  | { readonly type: "too_large" }
  /** A response whose id is given more than once. */
  | { readonly type: "ambiguous" }
  /** No answer in time; `broken`: there was one, and it is not JSON. */
  | { readonly type: "timeout"; readonly broken: boolean }
  /** The server is gone. */
  | { readonly type: "closed" }
  /** fourgate was told to stop. */
  | { readonly type: "stopped" };
