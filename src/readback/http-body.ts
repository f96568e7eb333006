// The body of one answer: all of it, within a bound, and without the compression that it may have come in.

import type { IncomingMessage } from "node:http";
import { MAX_READBACK_BODY_BYTES } from "../core/limits.ts";
import { errorWord } from "./error-word.ts";

export type Body =
  | { readonly type: "body"; readonly bytes: Uint8Array }
  /** A few words on why it is not taken. */
  | { readonly type: "refused"; readonly note: string }
  /** It did not arrive whole. */
  | { readonly type: "broken"; readonly word: string };

const TOO_LARGE: Body = { type: "refused", note: "answered with more than 1 MiB" };

/** Reads the body to its end. What is refused or broken is read no further, and the caller is to drop the connection. */
export async function readBody(response: IncomingMessage): Promise<Body> {
  if (Number(response.headers["content-length"]) > MAX_READBACK_BODY_BYTES) return TOO_LARGE;
  const received = await new Promise<Body>((resolve) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    response.on("data", (chunk: Uint8Array) => {
      size += chunk.length;
      if (size > MAX_READBACK_BODY_BYTES) resolve(TOO_LARGE);
      else chunks.push(chunk);
    });
    const cut: Body = { type: "broken", word: "ECONNRESET" };
    // The end of a connection is not the end of a body that says how long it is.
    response.on("end", () => resolve(response.complete ? { type: "body", bytes: Buffer.concat(chunks) } : cut));
    response.on("error", (error) => resolve({ type: "broken", word: errorWord(error) }));
    response.on("close", () => resolve(cut));
  });
  return received.type === "body" ? decode(received.bytes, response.headers["content-encoding"]) : received;
}

/** Undoes the compression of a body that came compressed although it was asked for as it is. */
async function decode(bytes: Uint8Array, contentEncoding = ""): Promise<Body> {
  const encoding = contentEncoding.trim().toLowerCase();
  if (encoding === "" || encoding === "identity") return { type: "body", bytes };
  const { brotliDecompress, gunzip, inflate } = await import("node:zlib");
  const decoders: Readonly<Record<string, typeof gunzip>> = {
    gzip: gunzip,
    "x-gzip": gunzip,
    deflate: inflate,
    br: brotliDecompress,
  };
  const decoder = Object.hasOwn(decoders, encoding) ? decoders[encoding] : undefined;
  if (decoder === undefined) return { type: "refused", note: "compressed in a way that is not known here" };
  return new Promise((resolve) => {
    decoder(bytes, { maxOutputLength: MAX_READBACK_BODY_BYTES }, (error, decoded) => {
      if (error === null) resolve({ type: "body", bytes: decoded });
      else if (error instanceof RangeError) resolve(TOO_LARGE);
      else resolve({ type: "refused", note: "answered with a body that cannot be decompressed" });
    });
  });
}
