// What every type of read-back gives the rest: one read at a time, and an honest observation. The registry loads a type when it is used.

import type { Observation, Source } from "../core/readback/types.ts";
import type { Fields } from "../core/select/types.ts";

export interface ReadRequest {
  readonly fields: Fields;
  /** The read must have ended by then, body and all (milliseconds from now). */
  readonly limitMs: number;
  /** A further page of the same list, as an observation named it; without it, the first. */
  readonly page?: string;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** One source of records, with whatever it keeps open between reads. */
export interface Adapter {
  /** The method, where it asks by HTTP. */
  readonly method?: string;
  /** What is asked, for people: without values, or with those of `fields`. */
  describe(fields?: Fields): string;
  /** Reads once, and only reads. Never rejects: whatever goes wrong is a doubt. */
  read(request: ReadRequest): Promise<Observation>;
  /** Starts ahead what the first read would have to wait for. */
  warm?(): void;
  /** Lets go of connections and processes. */
  close(): Promise<void>;
}

export interface AdapterContext {
  /** The only variables that the adapter may use: credentials by the names that the read-back gives, and proxies. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** How programs are started and ended on this machine; without it, as Node does by itself. */
  readonly processes?: AdapterProcesses;
}

export interface AdapterProcesses {
  /** What to start for a program and its arguments; EINVAL when it cannot be. */
  launch(
    program: string,
    args: readonly string[],
    env: Readonly<Record<string, string>>,
  ): { readonly program: string; readonly args: readonly string[]; readonly verbatim: boolean } | "EINVAL";
  /** Ends a process with all that it started. Never rejects. */
  endTree(pid: number): Promise<void>;
}

/** Opens the adapter of a source. */
export async function openAdapter(source: Source, context: AdapterContext): Promise<Adapter> {
  switch (source.type) {
    case "http":
      return (await import("./http.ts")).openHttp(source, context);
    case "graphql":
      return (await import("./graphql.ts")).openGraphql(source, context);
    case "file":
      return (await import("./file.ts")).openFile(source, context);
    case "sql":
      return (await import("./sql.ts")).openSql(source, context);
    case "mcp":
      return (await import("./mcp.ts")).openMcp(source, context);
  }
}
