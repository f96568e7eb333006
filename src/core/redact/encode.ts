// The encodings in which a secret may come back, written out.

const STANDARD = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const FOR_URLS = `${STANDARD.slice(0, 62)}-_`;

/** Base64 without padding. */
export function base64(bytes: Uint8Array, alphabet: "standard" | "url"): string {
  const letters = alphabet === "standard" ? STANDARD : FOR_URLS;
  let text = "";
  for (let i = 0; i < bytes.length; i += 3) {
    const group = (bytes[i]! << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    const some = Math.min(4, bytes.length - i + 1);
    for (let n = 0; n < some; n++) text += letters[(group >> (18 - 6 * n)) & 63];
  }
  return text;
}

/**
 * The characters that stand for the bytes in base64 wherever they begin in what was encoded, as in `user:token`; those at the edges
 * that depend on neighbours are left out.
 */
export function base64Anywhere(bytes: Uint8Array, alphabet: "standard" | "url"): string[] {
  return [0, 1, 2].map((before) => {
    const shifted = new Uint8Array(before + bytes.length);
    shifted.set(bytes, before);
    const first = before === 0 ? 0 : before + 1;
    return base64(shifted, alphabet).slice(first, Math.floor((shifted.length * 8) / 6));
  });
}

export function hex(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += byte.toString(16).padStart(2, "0");
  return text;
}

/** As in a URL: of characters that few programs encode and of blanks both ways, and hexadecimal digits in either case. */
export function percentForms(text: string): string[] {
  const whole = text.replace(/\p{Surrogate}/gu, "\ufffd");
  const encoded = encodeURIComponent(whole);
  const strict = encoded.replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  const uri = encodeURI(whole);
  return [encoded, strict, uri].flatMap((form) => [
    form,
    form.replaceAll("%20", "+"),
    form.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
  ]);
}

/** As JSON spells it inside a string, with and without escapes outside ASCII. */
export function jsonForms(text: string): string[] {
  const plain = JSON.stringify(text).slice(1, -1);
  const ascii = plain.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return [plain, ascii, plain.replaceAll("/", "\\/"), JSON.stringify(plain).slice(1, -1)];
}
