// Offsets in the text -> lines and columns, as editors count them: both from 1, columns in UTF-16 units.

import type { Node } from "./tree.ts";

export interface Position {
  readonly line: number;
  readonly column: number;
}

/**
 * Makes a look-up for one text. A line ends at LF, CR LF or CR; the BOM is not part of the text and has no column. The text
 * is gone through at the first question only, since a good contract raises none.
 */
export function positions(text: string): (offset: number) => Position {
  let starts: number[] | undefined;
  return (offset) => {
    starts ??= lineStarts(text);
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - starts[low]! + 1 };
  };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 10 || (unit === 13 && text.charCodeAt(i + 1) !== 10)) starts.push(i + 1);
  }
  return starts;
}

/**
 * The offset in the file of a unit inside a string value. Exact for JSON strings and for YAML strings on one line without
 * escapes; else the string's beginning.
 */
export function offsetInString(text: string, node: Node & { type: "string" }, unit: number): number {
  const quote = text[node.at];
  const quoted = quote === '"' || quote === "'";
  let at = quoted ? node.at + 1 : node.at;
  for (let i = 0; i < unit; i++) {
    if (quote === '"' && text[at] === "\\") at += text[at + 1] === "u" ? 6 : 2;
    else if (text[at] === node.text[i]) at += 1;
    else return node.at;
  }
  return at <= node.end ? at : node.at;
}
