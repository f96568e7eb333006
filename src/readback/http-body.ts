// Undoes the compression of a body that came compressed although it was asked for as it is.

import { MAX_READBACK_BODY_BYTES } from "../core/limits.ts";

/** The body as it was meant, or a few words on why there is none. Never rejects. */
export async function decodeBody(body: Uint8Array, contentEncoding: string): Promise<Uint8Array | string> {
  const encoding = contentEncoding.trim().toLowerCase();
  if (encoding === "" || encoding === "identity") return body;
  const { brotliDecompress, gunzip, inflate } = await import("node:zlib");
  const decoders: Readonly<Record<string, typeof gunzip>> = {
    gzip: gunzip,
    "x-gzip": gunzip,
    deflate: inflate,
    br: brotliDecompress,
  };
  const decode = Object.hasOwn(decoders, encoding) ? decoders[encoding] : undefined;
  if (decode === undefined) return "compressed in a way that is not known here";
  return new Promise((resolve) => {
    decode(body, { maxOutputLength: MAX_READBACK_BODY_BYTES }, (error, decoded) => {
      if (error === null) resolve(decoded);
      else if (error instanceof RangeError) resolve("answered with more than 1 MiB");
      else resolve("answered with a body that cannot be decompressed");
    });
  });
}
