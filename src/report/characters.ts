// Characters that garble a terminal, hide what a text says or make a file unreadable, made visible. Escaping for a format is the writers'.

// Controls, bidirectional marks and other invisible formatting (joiners stay: scripts and emoji need them), tag characters,
// what Unicode gives no character (XML refuses some of it), and halves of surrogate pairs.
const UNSHOWABLE =
  /[\u0000-\u001f\u007f-\u009f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}\p{Noncharacter_Code_Point}\p{Surrogate}]/gu;

const IN_JSON = new RegExp(UNSHOWABLE.source.replace("[", '["\\\\'), "gu");

/** A text of several lines: ends of lines stay, as `\n`; everything that cannot be shown is written as `\u001b`. */
export function showText(text: string, most: number): string {
  return cut(text, most)
    .split(/\r\n|\n/)
    .map((line) => line.replace(UNSHOWABLE, escaped))
    .join("\n");
}

/** A text in one line; ends of lines become visible too. */
export function showLine(text: string, most: number): string {
  return cut(text, most).replace(UNSHOWABLE, escaped);
}

/** A JSON string. Half a pair would break strict readers, so it becomes U+FFFD. */
export function jsonString(text: string): string {
  return `"${text.replace(IN_JSON, (found) => {
    if (found === '"' || found === "\\") return `\\${found}`;
    return found >= "\ud800" && found <= "\udfff" && found.length === 1 ? "\ufffd" : escaped(found);
  })}"`;
}

/** Printable ASCII alone; everything else is written as `\u001b`, but for the characters of `kept`. */
export function ascii(text: string, kept = ""): string {
  return text.replace(/[^\x20-\x7e]/g, (found) => (kept.includes(found) ? found : unit(found, 0)));
}

/** The same for a text of several lines. */
export const asciiText = (text: string): string => ascii(text, "\n");

function escaped(found: string): string {
  if (found === "\n") return "\\n";
  if (found === "\r") return "\\r";
  if (found === "\t") return "\\t";
  return units(found);
}

/** A character as JSON escapes it: one unit, or the two of a pair. */
function units(found: string): string {
  return found.length === 1 ? unit(found, 0) : unit(found, 0) + unit(found, 1);
}

const unit = (found: string, at: number): string => `\\u${found.charCodeAt(at).toString(16).padStart(4, "0")}`;

/** The beginning of a text, never half a pair, with a word on what is missing. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const code = text.charCodeAt(most - 1);
  const end = code >= 0xd800 && code <= 0xdbff ? most - 1 : most;
  return `${text.slice(0, end)}\u2026 (${text.length - end} more)`;
}
