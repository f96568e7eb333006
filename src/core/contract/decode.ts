// Bytes of a contract file -> text, or the place of the first byte that is no UTF-8.

export type Decoded =
  | { readonly ok: true; readonly text: string }
  /** `before` is the good text up to the bad byte. */
  | { readonly ok: false; readonly before: string; readonly utf16: boolean };

/** Decodes UTF-8; a BOM at the beginning is dropped. */
export function decodeText(bytes: Uint8Array): Decoded {
  try {
    return { ok: true, text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    // Decoded leniently, each bad byte becomes U+FFFD; encoded again, the first difference is where it stood.
    const lenient = new TextDecoder("utf-8", { ignoreBOM: true });
    const again = new TextEncoder().encode(lenient.decode(bytes));
    let same = 0;
    while (same < bytes.length && bytes[same] === again[same]) same += 1;
    const before = new TextDecoder().decode(bytes.subarray(0, same)).replace(/\ufffd$/, "");
    const utf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
    return { ok: false, before, utf16 };
  }
}
