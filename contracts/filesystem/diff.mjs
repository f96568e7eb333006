// Reads the unified diff in an answer of edit_file: for each hunk, the lines that are claimed to stand in the file now.

const header = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** Context lines at a hunk's end; fewer than this and the file ends there. Differs by version (3 or 4); the smaller one is safe. */
const CONTEXT_LINES = 3;

/**
 * Gives for each hunk `start` (its line in the file as it is left, from 1; 0 when the file is left empty), `before` and `after` (what
 * it replaces and what it leaves, context included, as `{lines, endsWithNewline}`) and `endsFile` (nothing follows).
 * Throws when the text is no diff as the server writes it.
 */
export function parseDiff(text) {
  if (typeof text !== "string") throw new Error("the answer holds no diff");
  const lines = text.split("\n");
  const fileHeader = lines.findIndex((line, index) => line.startsWith("--- ") && lines[index + 1]?.startsWith("+++ "));
  if (fileHeader < 0) throw new Error("the answer holds no diff");
  const hunks = [];
  let index = fileHeader + 2;
  while (index < lines.length) {
    const match = header.exec(lines[index]);
    if (match === null) break;
    const before = { lines: [], endsWithNewline: true };
    const after = { lines: [], endsWithNewline: true };
    const oldCount = Number(match[1] ?? 1);
    const newCount = Number(match[3] ?? 1);
    let trailingContext = 0;
    let sign = "";
    index += 1;
    while (before.lines.length < oldCount || after.lines.length < newCount || lines[index]?.startsWith("\\")) {
      const line = lines[index];
      if (line === undefined || !" +-\\".includes(line.charAt(0) || "?")) throw new Error("the diff is cut off");
      index += 1;
      if (line.startsWith("\\")) {
        // "No newline at end of file", said of the line before it.
        if (sign !== "+") before.endsWithNewline = false;
        if (sign !== "-") after.endsWithNewline = false;
        continue;
      }
      sign = line.charAt(0);
      trailingContext = sign === " " ? trailingContext + 1 : 0;
      if (sign !== "+") before.lines.push(line.slice(1));
      if (sign !== "-") after.lines.push(line.slice(1));
    }
    const endsFile = trailingContext < CONTEXT_LINES || !before.endsWithNewline || !after.endsWithNewline;
    hunks.push({ start: Number(match[2]), before, after, endsFile });
  }
  return hunks;
}
