// What a change does to a file, as a unified diff for people. Comments and values are blanked: they may be secrets.

import { applyEdits, inOrder } from "./change.ts";
import type { Edit, Span } from "./types.ts";

const CONTEXT = 3;
const BLANK = "\u2026";

interface Range {
  readonly from: number;
  /** The line after the last. */
  readonly to: number;
}

interface Block {
  readonly old: Range;
  readonly new: Range;
}

/** A diff of `text` and what `edits` make of it. Of `secrets`, only what lies in `shown` can be read. */
export function showDiff(
  name: string,
  text: string,
  edits: readonly Edit[],
  secrets: readonly Span[],
  shown: readonly Span[],
): string {
  const inside = (span: Span, outer: Span) => outer.at <= span.at && span.end <= outer.end;
  const masks = secrets
    .filter((secret) => !shown.some((span) => inside(secret, span)))
    .map((secret): Edit => ({ ...secret, text: blanked(text.slice(secret.at, secret.end)) }));
  const kept = masks.filter((mask) => !edits.some((edit) => edit.end > edit.at && inside(mask, edit)));
  const before = shownLines(applyEdits(text, masks));
  const after = shownLines(applyEdits(text, [...edits, ...kept]));
  const blocks = changedLines(text, edits).map((block) => trimmed(block, before, after));
  const out = [`--- ${name}`, `+++ ${name}`];
  for (const hunk of hunksOf(blocks)) {
    const [first, last] = [hunk[0]!, hunk.at(-1)!];
    const from = Math.max(0, first.old.from - CONTEXT);
    const to = Math.min(before.length, last.old.to + CONTEXT);
    const shift = first.new.from - first.old.from;
    const grown = last.new.to - last.old.to;
    out.push(`@@ -${from + 1},${to - from} +${from + shift + 1},${to + grown - from - shift} @@`);
    let at = from;
    for (const block of hunk) {
      out.push(...before.slice(at, block.old.from).map((line) => ` ${line}`));
      out.push(...before.slice(block.old.from, block.old.to).map((line) => `-${line}`));
      out.push(...after.slice(block.new.from, block.new.to).map((line) => `+${line}`));
      at = block.old.to;
    }
    out.push(...before.slice(at, to).map((line) => ` ${line}`));
  }
  return `${out.join("\n")}\n`;
}

/** A blank in the place of a spelling: what opens and closes it stays, and so do its line ends. */
function blanked(raw: string): string {
  const [, open, close] = /^("""|'''|["']|\/\/|\/\*|#)?[\s\S]*?("""|'''|["']|\*\/)?$/.exec(raw) ?? [];
  const ends = raw.match(/\r\n|\n|\r/g)?.join("") ?? "";
  return `${open ?? ""}${BLANK}${ends}${close ?? ""}`;
}

/** The lines that each edit touches, before and after; neighbours are one block. */
function changedLines(text: string, edits: readonly Edit[]): Block[] {
  const blocks: Block[] = [];
  let grown = 0;
  for (const { at, end, text: put } of inOrder(edits)) {
    const from = lineAt(text, at);
    const old = { from, to: lineAt(text, end) + 1 };
    const added = linesOf(put).length - linesOf(text.slice(at, end)).length;
    const now = { from: from + grown, to: old.to + grown + added };
    grown += added;
    const last = blocks.at(-1);
    if (last && last.old.to >= old.from) {
      blocks.pop();
      blocks.push({ old: { from: last.old.from, to: old.to }, new: { from: last.new.from, to: now.to } });
    } else blocks.push({ old, new: now });
  }
  return blocks;
}

/** A block without the lines that are the same at its ends. */
function trimmed(block: Block, before: readonly string[], after: readonly string[]): Block {
  let { from: a, to: b } = block.old;
  let { from: c, to: d } = block.new;
  for (; a < b && c < d && before[a] === after[c]; a++) c++;
  for (; a < b && c < d && before[b - 1] === after[d - 1]; b--) d--;
  return { old: { from: a, to: b }, new: { from: c, to: d } };
}

/** Blocks whose context meets, together. */
function hunksOf(blocks: readonly Block[]): Block[][] {
  const hunks: Block[][] = [];
  for (const block of blocks) {
    const last = hunks.at(-1)?.at(-1);
    if (last && block.old.from - last.old.to <= 2 * CONTEXT) hunks.at(-1)!.push(block);
    else hunks.push([block]);
  }
  return hunks;
}

/** The end of the last line begins no line. */
const shownLines = (text: string): string[] => linesOf(text.replace(/(?:\r\n|\n|\r)$/, ""));
const linesOf = (text: string): string[] => text.split(/\r\n|\n|\r/);
const lineAt = (text: string, offset: number): number => linesOf(text.slice(0, offset)).length - 1;
