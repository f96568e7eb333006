// How many columns of a terminal a text takes, near enough to keep a line that is drawn over within one row.

const NO_COLUMN = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
// East Asian wide and full-width forms, and emoji.
const TWO_COLUMNS =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f000}-\u{1faff}\u{20000}-\u{3fffd}]$/u;

/** The beginning of a text that fits into a number of columns. */
export function fitted(text: string, columns: number): string {
  let width = 0;
  let kept = "";
  for (const character of text) {
    width += NO_COLUMN.test(character) ? 0 : TWO_COLUMNS.test(character) ? 2 : 1;
    if (width > columns) break;
    kept += character;
  }
  return kept.trimEnd();
}
