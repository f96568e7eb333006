// The nearest known name to one that is not known, for "did you mean".

/**
 * The known name that is fewest edits away, or undefined when none is near: at most one edit for names of up to four
 * characters, two for up to eight, three for longer ones. Case, `-` and `_` do not count as edits.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let fewest = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const allowed = candidate.length <= 4 ? 1 : candidate.length <= 8 ? 2 : 3;
    if (Math.abs(candidate.length - name.length) > allowed + 2) continue;
    const edits = editDistance(plain(name), plain(candidate));
    if (edits <= allowed && edits < fewest) {
      fewest = edits;
      best = candidate;
    }
  }
  return best;
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[-_ ]/g, "");
}

/** Insertions, deletions, replacements and swaps of neighbours, each counted once. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let cost = Math.min(previous[j]! + 1, row[j - 1]! + 1, previous[j - 1]! + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, before[j - 2]! + 1);
      row.push(cost);
    }
    before = previous;
    previous = row;
  }
  return previous[b.length]!;
}
