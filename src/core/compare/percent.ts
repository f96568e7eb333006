// Undoes percent-encoding, as far as there is any in a text.

/** A character in UTF-8, or else a single byte. */
const ENCODED =
  /%[0-7][0-9a-f]|%[cd][0-9a-f]%[89ab][0-9a-f]|%e[0-9a-f](?:%[89ab][0-9a-f]){2}|%f[0-4](?:%[89ab][0-9a-f]){3}|%[89a-f][0-9a-f]/gi;

/** The text with each encoded character replaced, once; bytes that are not UTF-8 are Latin-1, and any other percent sign stays. */
export function decodePercent(text: string): string {
  return text.includes("%") ? text.replace(ENCODED, decoded) : text;
}

function decoded(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return String.fromCharCode(
      ...encoded
        .slice(1)
        .split("%")
        .map((byte) => Number.parseInt(byte, 16)),
    );
  }
}

/**
 * The text with blanks for what may stand for them in an encoded form, where blanks themselves are never found. Without any
 * percent-encoding only a plus between two words of plain letters is taken for one, so that `C++` and `+1` keep theirs.
 */
export function decodeForm(text: string): string {
  if (!text.includes("+") || /\s/.test(text)) return text;
  if (text.search(ENCODED) >= 0) return text.replaceAll("+", " ");
  return /^[\w*.+-]+$/.test(text) ? text.replace(/(?<=[^+])\+(?=[^+])/g, " ") : text;
}
