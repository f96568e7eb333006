// What is kept of one JSON-RPC message, and the members that it is read from.

import { MAX_REPEATED_MEMBERS } from "../limits.ts";
import { type IdKey, stringToken, tokenIs } from "./ids.ts";

/** What a line says about one message. Counts show members that are given more than once. */
export interface Envelope {
  /** Offsets in the line of the message's `{` and of the byte after its `}`. */
  readonly start: number;
  end: number;
  idCount: number;
  /** The usable ids among the `id` members, in order; of many the first few and the last, since readers take one of those. */
  ids: readonly IdKey[];
  methodCount: number;
  /** The string values among the `method` members, bounded like `ids`. */
  methods: readonly string[];
  paramsCount: number;
  resultCount: number;
  errorCount: number;
  nameCount: number;
  /** The string values among the `params.name` members, bounded like `ids`. */
  names: readonly string[];
}

/** The members of a message that matter. */
export enum Member {
  Other,
  Id,
  Method,
  Params,
  Result,
  Error,
  Name,
}

/** Shared by all messages that have no such member: most lines never need a list of their own. */
const NONE: readonly never[] = [];

/** The list with one more; of many the first few and the last stay. */
export function added<T>(values: readonly T[], value: T): readonly T[] {
  return values.length === 0 ? [value] : [...values.slice(0, MAX_REPEATED_MEMBERS - 1), value];
}

/** A message that begins at `start`. */
export function emptyEnvelope(start: number): Envelope {
  return {
    start,
    end: start,
    idCount: 0,
    ids: NONE,
    methodCount: 0,
    methods: NONE,
    paramsCount: 0,
    resultCount: 0,
    errorCount: 0,
    nameCount: 0,
    names: NONE,
  };
}

/** The member that a key names; the token is without its quotes. */
export function memberOf(bytes: Uint8Array, start: number, end: number): Member {
  for (let i = start; i < end; i++) if (bytes[i] === 0x5c) return escapedMember(bytes, start, end);
  switch (end - start) {
    case 2:
      return tokenIs(bytes, start, end, "id") ? Member.Id : Member.Other;
    case 5:
      return tokenIs(bytes, start, end, "error") ? Member.Error : Member.Other;
    case 6:
      if (tokenIs(bytes, start, end, "result")) return Member.Result;
      if (tokenIs(bytes, start, end, "params")) return Member.Params;
      return tokenIs(bytes, start, end, "method") ? Member.Method : Member.Other;
    default:
      return Member.Other;
  }
}

function escapedMember(bytes: Uint8Array, start: number, end: number): Member {
  const text = stringToken(bytes, start, end);
  if (text === "id") return Member.Id;
  if (text === "error") return Member.Error;
  if (text === "result") return Member.Result;
  if (text === "params") return Member.Params;
  return text === "method" ? Member.Method : Member.Other;
}

/** Notes that the message has the member once more. */
export function count(message: Envelope, member: Member): void {
  if (member === Member.Id) message.idCount++;
  else if (member === Member.Method) message.methodCount++;
  else if (member === Member.Params) message.paramsCount++;
  else if (member === Member.Result) message.resultCount++;
  else if (member === Member.Error) message.errorCount++;
}
