// A question by HTTP, and what can become of it.

import type { UrlTemplate } from "../core/readback/url-template.ts";

export interface HttpQuestion {
  readonly method: "GET" | "POST";
  readonly url: Pick<UrlTemplate, "origin" | "loopback">;
  /** Path and query, percent-encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

export type HttpAnswer =
  | {
      readonly type: "answer";
      readonly status: number;
      /** By lower-case name. */
      readonly headers: Readonly<Record<string, string | string[] | undefined>>;
      readonly body: Uint8Array;
    }
  | { readonly type: "timeout" }
  /** The status where there was one, and a word that holds no value. */
  | { readonly type: "refused"; readonly status: number; readonly note: string }
  | { readonly type: "error"; readonly code: string };
