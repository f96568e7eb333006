// The end of a verifier's stderr, kept in bounded memory and shown without secrets.

import {
  MAX_REDACTED_INPUT_CHARACTERS,
  VERIFIER_STDERR_MARGIN_BYTES,
  VERIFIER_STDERR_TAIL_BYTES,
} from "../core/limits.ts";

const KEPT_BYTES = VERIFIER_STDERR_TAIL_BYTES + VERIFIER_STDERR_MARGIN_BYTES;

/** Takes chunks of any size and remembers the last few KiB of them. */
export class StderrTail {
  private kept: Buffer = Buffer.alloc(0);

  push(chunk: Buffer): void {
    // Copied, so that a small tail does not keep a large chunk alive.
    this.kept = Buffer.concat([this.kept, chunk.subarray(-KEPT_BYTES)]).subarray(-KEPT_BYTES);
    if (this.kept.buffer.byteLength > KEPT_BYTES) this.kept = Buffer.from(this.kept);
  }

  /** All that is kept, bad UTF-8 shown as U+FFFD; longer than what may be shown, see `presentStderr`. */
  text(): string {
    return this.kept.toString("utf8");
  }
}

/**
 * Takes kept stderr text, secret values, and the verifier's input. Gives at most the last VERIFIER_STDERR_TAIL_BYTES
 * characters, with each secret, also in base64 and percent-encoded, and each longer value of the input replaced, and
 * control characters other than newline and tab taken out.
 */
export function presentStderr(text: string, secrets: readonly string[], input: string): string {
  if (text === "") return "";
  const values = inputValues(input);
  // What cannot be kept private is not shown.
  if (values === undefined) return "(not shown: the input is too large to keep its values out)";
  let shown = text;
  for (const form of secretForms(secrets)) shown = shown.replaceAll(form, "[redacted]");
  for (const value of values) shown = shown.replaceAll(value, "[value]");
  return shown.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "").slice(-VERIFIER_STDERR_TAIL_BYTES);
}

/** The texts and numbers in the input that are long enough to tell something, longest first; undefined past the limit. */
function inputValues(input: string): string[] | undefined {
  if (input.length > MAX_REDACTED_INPUT_CHARACTERS) return undefined;
  const values = new Set<string>();
  // Each text as it is and as JSON spells it; each number with the digits that it came with.
  for (const [found, token = found, name] of input.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?|-?\d[\d.eE+-]*/g)) {
    if (name !== undefined) continue;
    values.add(token.replace(/^"|"$/g, ""));
    try {
      values.add(String(JSON.parse(token)));
    } catch {
      // A token that is not JSON: the input is not ours to judge.
    }
  }
  return [...values].filter((value) => value.length >= 4).sort((a, b) => b.length - a.length);
}

/** Longest first, so that a secret that holds another is not left in pieces. */
function secretForms(secrets: readonly string[]): string[] {
  const forms = new Set<string>();
  for (const secret of secrets) {
    // A key of several lines may be printed line by line; a short line is no secret by itself.
    for (const form of [secret, ...secret.split(/\r?\n/).filter((line) => line.length >= 8)]) {
      if (form === "") continue;
      forms.add(form);
      forms.add(encodeURIComponent(form.replace(/\p{Surrogate}/gu, "\ufffd")));
      for (const encoded of base64Forms(Buffer.from(form))) forms.add(encoded);
    }
  }
  return [...forms].sort((a, b) => b.length - a.length);
}

/** Base64 text that holds the bytes wherever they stood in what was encoded, as in `user:token`. */
function base64Forms(bytes: Buffer): string[] {
  const forms: string[] = [];
  for (const before of [0, 1, 2]) {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]);
    const first = before === 0 ? 0 : before + 1;
    const last = Math.floor((encoded.length * 8) / 6);
    for (const alphabet of ["base64", "base64url"] as const) forms.push(encoded.toString(alphabet).slice(first, last));
  }
  return forms.filter((form) => form.length >= 6);
}
