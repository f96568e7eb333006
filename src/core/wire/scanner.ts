// Reads one line of JSON-RPC as it streams by and keeps only what matching needs: ids, methods, the tool name, who answers.
// It is lenient on purpose: what is not JSON must pass, and what a lax server might accept must not slip by unseen.

import { MAX_ID_BYTES } from "../limits.ts";
import { added, count, type Envelope, emptyEnvelope, Member, memberOf } from "./envelope.ts";
import { idKey, stringToken, tokenIs } from "./ids.ts";
import { endsScalar } from "./json.ts";
import { closingQuote, LastText } from "./strings.ts";

enum Role {
  Skip,
  Key,
  Id,
  Method,
  ParamsKey,
  Name,
}

const NO_BYTES = new Uint8Array(0);

/** How many bytes of a string are looked at one by one before the native search takes over. */
const STEP_BYTES = 48;

/**
 * A resumable scanner of one line. `push` the pieces of the line in any cutting, read `messages`, then `reset`.
 * Never throws, keeps no more than the ids and names, and costs one pass over the bytes.
 */
export class LineScanner {
  /** The messages that ended so far: one for a plain line, several for a batch. */
  messages: Envelope[] = [];

  #depth = 0;
  /** Depth inside a message's braces: 1, or 2 in a batch. */
  #base = 1;
  #started = false;
  #offset = 0;
  #inString = false;
  #escaped = false;
  #inScalar = false;
  #role = Role.Skip;
  /** Bytes of a wanted token from earlier pieces. */
  #carry: Uint8Array = NO_BYTES;
  #message: Envelope | undefined;
  #expectKey = false;
  #member = Member.Other;
  #inParams = false;
  #expectParamsKey = false;
  #paramsMember = Member.Other;
  readonly #methods = new LastText();
  readonly #names = new LastText();

  /** A whole JSON value has been read; only white space may follow. */
  get complete(): boolean {
    return this.#started && this.#depth === 0 && !this.#inString;
  }

  /** Gives the messages that ended so far and forgets them, for a line too long to wait for its end. */
  takeMessages(): Envelope[] {
    const { messages } = this;
    this.messages = [];
    return messages;
  }

  /** Forgets the line and begins the next. */
  reset(): void {
    if (this.messages.length > 0) this.messages = [];
    this.#depth = 0;
    this.#base = 1;
    this.#started = false;
    this.#offset = 0;
    this.#inString = false;
    this.#escaped = false;
    this.#inScalar = false;
    this.#carry = NO_BYTES;
    this.#message = undefined;
    this.#inParams = false;
  }

  /** Takes `bytes[from..to)` as the next piece of the line. */
  push(bytes: Uint8Array, from: number, to: number): void {
    let i = from;
    if (this.#inString) i = this.#string(bytes, i, to);
    else if (this.#inScalar) i = this.#scalar(bytes, i, to);
    while (i < to) {
      const byte = bytes[i]!;
      switch (byte) {
        case 0x22:
          i = this.#openString(bytes, i, to);
          continue;
        case 0x7b:
        case 0x5b:
          this.#open(byte, this.#offset + i - from);
          break;
        case 0x7d:
        case 0x5d:
          this.#close(this.#offset + i - from);
          break;
        case 0x2c:
          this.#comma();
          break;
        case 0x20:
        case 0x0d:
        case 0x0a:
        case 0x09:
        case 0x3a:
          break;
        default:
          this.#started = true;
          if (this.#depth === this.#base && this.#member === Member.Id && !this.#expectKey) {
            this.#inScalar = true;
            i = this.#scalar(bytes, i, to);
            continue;
          }
      }
      i++;
    }
    this.#offset += to - from;
  }

  #open(byte: number, offset: number): void {
    if (this.#depth === 0) {
      this.#base = byte === 0x5b ? 2 : 1;
      this.#started = true;
    }
    this.#depth++;
    if (this.#depth === this.#base) {
      this.#message = byte === 0x7b ? emptyEnvelope(offset) : undefined;
      this.#expectKey = true;
      this.#member = Member.Other;
    } else if (this.#depth === this.#base + 1) {
      this.#inParams = byte === 0x7b && this.#member === Member.Params;
      this.#expectParamsKey = true;
      this.#paramsMember = Member.Other;
    }
  }

  #close(offset: number): void {
    if (this.#depth === this.#base && this.#message) {
      this.#message.end = offset + 1;
      if (this.#message.idCount + this.#message.methodCount > 0) this.messages.push(this.#message);
      this.#message = undefined;
    } else if (this.#depth === this.#base + 1) {
      this.#inParams = false;
    }
    if (this.#depth > 0) this.#depth--;
  }

  #comma(): void {
    if (this.#depth === this.#base) {
      this.#expectKey = true;
      this.#member = Member.Other;
    } else if (this.#inParams && this.#depth === this.#base + 1) {
      this.#expectParamsKey = true;
    }
  }

  #openString(bytes: Uint8Array, quote: number, to: number): number {
    this.#started = true;
    this.#inString = true;
    this.#escaped = false;
    this.#carry = NO_BYTES;
    this.#role = Role.Skip;
    if (this.#message && this.#depth === this.#base) {
      if (this.#expectKey) this.#role = Role.Key;
      else if (this.#member === Member.Id) this.#role = Role.Id;
      else if (this.#member === Member.Method) this.#role = Role.Method;
    } else if (this.#inParams && this.#depth === this.#base + 1) {
      if (this.#expectParamsKey) this.#role = Role.ParamsKey;
      else if (this.#paramsMember === Member.Name) this.#role = Role.Name;
    }
    return this.#string(bytes, quote + 1, to);
  }

  /** Goes on in a string at `from`; gives the index after its closing quote, or `to`. */
  #string(bytes: Uint8Array, from: number, to: number): number {
    let i = from;
    if (this.#escaped && i < to) {
      this.#escaped = false;
      i++;
    }
    let native = i + STEP_BYTES;
    while (i < to) {
      const byte = bytes[i]!;
      if (byte === 0x22) {
        this.#endString(bytes, from, i);
        return i + 1;
      }
      if (byte === 0x5c) {
        if (i + 1 >= to) {
          this.#escaped = true;
          break;
        }
        i += 2;
      } else i++;
      if (i >= native && i < to) {
        i = closingQuote(bytes, i, to);
        if (i < 0) {
          this.#escaped = i === -2;
          break;
        }
        native = i + STEP_BYTES;
      }
    }
    if (this.#role !== Role.Skip) this.#keep(bytes, from, to);
    return to;
  }

  #endString(bytes: Uint8Array, from: number, end: number): void {
    this.#inString = false;
    const role = this.#role;
    if (role === Role.Skip) return;
    const message = this.#message!;
    let token = bytes;
    let start = from;
    let stop = end;
    if (this.#carry.length > 0) {
      this.#keep(bytes, from, end);
      token = this.#carry;
      start = 0;
      stop = token.length;
      this.#carry = NO_BYTES;
    }
    const usable = stop - start <= MAX_ID_BYTES;
    if (role === Role.Key) {
      this.#expectKey = false;
      this.#member = usable ? memberOf(token, start, stop) : Member.Other;
      count(message, this.#member);
    } else if (role === Role.ParamsKey) {
      this.#expectParamsKey = false;
      this.#paramsMember = usable && tokenIs(token, start, stop, "name") ? Member.Name : Member.Other;
      if (this.#paramsMember === Member.Name) message.nameCount++;
    } else if (usable) {
      if (role === Role.Id) {
        const text = stringToken(token, start, stop);
        if (text !== undefined) message.ids = added(message.ids, `s:${text}`);
      } else if (role === Role.Method) {
        const text = this.#methods.read(token, start, stop);
        if (text !== undefined) message.methods = added(message.methods, text);
      } else {
        const text = this.#names.read(token, start, stop);
        if (text !== undefined) message.names = added(message.names, text);
      }
    }
  }

  /** Goes on in a number or word that is an id; gives the index of the byte after it, or `to`. */
  #scalar(bytes: Uint8Array, from: number, to: number): number {
    let i = from;
    while (i < to && !endsScalar(bytes[i]!)) i++;
    if (i === to || this.#carry.length > 0) this.#keep(bytes, from, i);
    if (i === to) return to;
    this.#inScalar = false;
    const carried = this.#carry.length > 0;
    const token = carried ? this.#carry : bytes;
    const start = carried ? 0 : from;
    const stop = carried ? token.length : i;
    this.#carry = NO_BYTES;
    if (this.#message && stop - start <= MAX_ID_BYTES) {
      const key = idKey(token, start, stop);
      if (key !== undefined) this.#message.ids = added(this.#message.ids, key);
    }
    return i;
  }

  #keep(bytes: Uint8Array, from: number, to: number): void {
    // One byte past the bound is enough to know that the token is too long.
    const room = MAX_ID_BYTES + 1 - this.#carry.length;
    if (room <= 0) return;
    const end = Math.min(to, from + room);
    const joined = new Uint8Array(this.#carry.length + end - from);
    joined.set(this.#carry);
    joined.set(bytes.subarray(from, end), this.#carry.length);
    this.#carry = joined;
  }
}
