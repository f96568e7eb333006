// What a client's configuration says about its MCP servers, with the places of what a wrap changes. Offsets are in the decoded text.

import type { Finding } from "../contract/issue.ts";

export interface Span {
  readonly at: number;
  readonly end: number;
}

/** A string and the place of its spelling, quotes included. */
export interface Spelled extends Span {
  readonly text: string;
}

/** A list of strings; `at` is its opening bracket. */
export interface SpelledList extends Span {
  readonly items: readonly Spelled[];
}

/** A key with its value. */
export interface MemberOf<Value extends Span> extends Span {
  readonly key: Span;
  readonly value: Value;
}

/** One configured MCP server. */
export interface Entry {
  readonly name: string;
  /** Keys from the document's root to the entry, its name last. */
  readonly steps: readonly string[];
  /** Where the name stands. */
  readonly at: number;
  /** `remote` is reached at a URL; `other` is started by the client in a way of its own. */
  readonly type: "command" | "remote" | "other";
  readonly disabled: boolean;
  readonly command: MemberOf<Spelled> | undefined;
  readonly args: MemberOf<SpelledList> | undefined;
  /** Names of the environment variables that the entry sets. */
  readonly envNames: readonly string[];
  /** Why command and args cannot be taken apart. */
  readonly findings: readonly Finding[];
}

/** Where a client keeps its servers: keys from the root; `*` is any key. */
export type Container = readonly string[];

/** What turns a server off: a key of its entry that is false, or a list of names beside its container. */
export interface DisabledBy {
  readonly key?: "enabled";
  readonly list?: readonly string[];
}

/** A piece of text in the place of another. */
export interface Edit extends Span {
  readonly text: string;
}

/** A configuration that could be read. */
export interface ConfigDocument {
  readonly text: string;
  readonly entries: readonly Entry[];
  /** Comments and values: what may be private, and is not shown. */
  readonly secrets: readonly Span[];
}

export type ConfigResult =
  | { readonly ok: true; readonly document: ConfigDocument }
  | { readonly ok: false; readonly findings: readonly Finding[] };

/** What differs between the formats when an entry is changed. */
export interface Syntax {
  readonly read: (text: string, containers: readonly Container[], disabledBy: DisabledBy) => ConfigResult;
  readonly quote: (text: string) => string;
  /** Puts an `args` beside the command that stands alone. */
  readonly addArgs: (text: string, command: MemberOf<Spelled>, list: string) => Edit;
  /** Takes it out again; undefined when it does not stand where addArgs puts it. */
  readonly dropArgs: (text: string, command: MemberOf<Spelled>, args: MemberOf<SpelledList>) => Span | undefined;
}
