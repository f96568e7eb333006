// Texts that are secrets by their looks, whatever they are called.

export const REDACTED = "[REDACTED]";

const LOOKS: readonly (readonly [RegExp, string])[] = [
  [/\bgh[pousr]_[A-Za-z0-9_]{16,255}/g, REDACTED],
  [/\bgithub_pat_[A-Za-z0-9_]{16,255}/g, REDACTED],
  [/\bglpat-[A-Za-z0-9_-]{16,255}/g, REDACTED],
  [/\bxox[abeprs]-[A-Za-z0-9-]{8,255}/g, REDACTED],
  [/\bAKIA[A-Z0-9]{16}\b/g, REDACTED],
  [/\b(?:sk|rk|pk)[-_](?:(?:live|test)_)?[A-Za-z0-9_-]{8,255}/g, REDACTED],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{4,4096}/gi, `$1 ${REDACTED}`],
  [/([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/@:"'<>]{0,256}:[^\s/@"'<>]{1,256}@/gi, `$1${REDACTED}@`],
  [
    /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[A-Za-z0-9+/=\s]{0,16384}(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?/g,
    REDACTED,
  ],
];

/** The text with what looks like a secret taken out. */
export function withoutLooks(text: string): string {
  return LOOKS.reduce((rest, [look, instead]) => rest.replace(look, instead), text);
}
