// Edits to the bytes of a line: the only way in which fourgate ever changes what a server said.

/** At offset `at`, `remove` bytes give way to `insert`. */
export interface Edit {
  readonly at: number;
  readonly remove: number;
  readonly insert: Uint8Array;
}

/** The line with the edits made; edits must not overlap and may come in any order. All other bytes stay as they are. */
export function applyEdits(line: Uint8Array, edits: readonly Edit[]): Uint8Array {
  const ordered = [...edits].sort((a, b) => a.at - b.at || a.remove - b.remove);
  let length = line.length;
  for (const edit of ordered) length += edit.insert.length - edit.remove;
  const edited = new Uint8Array(length);
  let from = 0;
  let to = 0;
  for (const edit of ordered) {
    edited.set(line.subarray(from, edit.at), to);
    to += edit.at - from;
    edited.set(edit.insert, to);
    to += edit.insert.length;
    from = edit.at + edit.remove;
  }
  edited.set(line.subarray(from), to);
  return edited;
}
