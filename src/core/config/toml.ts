// Client configurations in TOML: their servers, however their tables are written, and the places of what may be private.

import { type AST, ParseError, parseTOML } from "toml-eslint-parser";
import { type Member, toEntry, type Value } from "./entry.ts";
import type { ConfigResult, Container, DisabledBy, Edit, Entry, Span, Syntax } from "./types.ts";
import { words } from "./words.ts";

export const toml: Syntax = {
  read,
  // JSON's escapes are TOML's, but for the one control character that JSON leaves alone.
  quote: (text) => JSON.stringify(text).replaceAll("\u007f", "\\u007f"),
  addArgs(text, command, list): Edit {
    // In front: behind the command a comment may stand.
    const line = /(?:^|\r\n|\n)([ \t]*)$/.exec(text.slice(0, command.at));
    const eol = /\r?\n/.exec(text)?.[0] ?? "\n";
    const gap = line ? `${eol}${line[1]}` : ", ";
    return { at: command.at, end: command.at, text: `${prefix(text, command)}args = ${list}${gap}` };
  },
  dropArgs(text, command, args): Span | undefined {
    const between = text.slice(args.value.end, command.at);
    return /^(?:\r?\n[ \t]*|, )$/.test(between) ? { at: args.at, end: command.at } : undefined;
  },
};

/** What stands before the last part of a dotted key, dot included. */
const prefix = (text: string, { at, key }: { at: number; key: Span }): string => text.slice(at, key.at);

/** A value and the whole of its name from the root; without a value the name of a table. */
interface Leaf extends Span {
  readonly names: readonly string[];
  readonly keys: readonly Span[];
  readonly value: AST.TOMLContentNode | undefined;
}

function read(text: string, containers: readonly Container[], disabledBy: DisabledBy): ConfigResult {
  let tree: AST.TOMLProgram;
  try {
    tree = parseTOML(text);
  } catch (error) {
    if (error instanceof ParseError) {
      return { ok: false, findings: [{ at: error.index, ...words.syntaxToml(error.message) }] };
    }
    // Nesting of many thousand levels.
    if (error instanceof RangeError) return { ok: false, findings: [{ at: 0, ...words.tooDeep() }] };
    throw error;
  }
  const leaves = tree.body[0].body.flatMap((node) => {
    if (node.type === "TOMLKeyValue") return leavesOf(node, [], []);
    const names = node.resolvedKey.map(String);
    const keys = node.key.keys.map(spanOf);
    const table: Leaf = { names, keys, ...spanOf(node), value: undefined };
    return [table, ...node.body.flatMap((inner) => leavesOf(inner, names, keys))];
  });
  const entries = containers.flatMap((container) => {
    const depth = container.length;
    const inside = leaves.filter(({ names }) => names.length > depth && container.every((key, i) => names[i] === key));
    return [...grouped(inside, depth)].map(([name, own]): Entry => {
      const at = (own[0]!.keys[depth] ?? own[0]!).at;
      return toEntry(name, [...container, name], at, membersOf(own, depth + 1), disabledBy);
    });
  });
  return { ok: true, document: { text, entries, secrets: secretSpans(tree) } };
}

function leavesOf(node: AST.TOMLKeyValue, above: readonly string[], keysAbove: readonly Span[]): Leaf[] {
  const { key, value } = node;
  const names = [...above, ...key.keys.map((part) => (part.type === "TOMLBare" ? part.name : part.value))];
  const keys = [...keysAbove, ...key.keys.map(spanOf)];
  if (value.type !== "TOMLInlineTable") return [{ names, keys, ...spanOf(node), value }];
  const table: Leaf = { names, keys, ...spanOf(node), value: undefined };
  return [table, ...value.body.flatMap((inner) => leavesOf(inner, names, keys))];
}

/** The members at a depth, those of tables within tables too. */
function membersOf(leaves: readonly Leaf[], depth: number): Member[] {
  const below = leaves.filter(({ names }) => names.length > depth);
  return [...grouped(below, depth)].map(([name, own]): Member => {
    const direct = own.find(({ names, value }) => names.length === depth + 1 && value !== undefined);
    const { at, end, keys } = direct ?? own[0]!;
    const value: Value = direct
      ? asValue(direct.value!)
      : { type: "table", at, end, members: membersOf(own, depth + 1) };
    return { name, at, end, key: keys[depth] ?? { at, end }, value };
  });
}

function grouped(leaves: readonly Leaf[], depth: number): Map<string, Leaf[]> {
  const groups = new Map<string, Leaf[]>();
  for (const leaf of leaves) groups.set(leaf.names[depth]!, [...(groups.get(leaf.names[depth]!) ?? []), leaf]);
  return groups;
}

function asValue(node: AST.TOMLContentNode): Value {
  const span = spanOf(node);
  if (node.type === "TOMLArray") return { type: "list", ...span, items: node.elements.map(asValue) };
  if (node.type === "TOMLInlineTable") return { type: "other", ...span };
  if (node.kind === "string") return { type: "string", ...span, text: node.value };
  if (node.kind === "boolean") return { type: "boolean", ...span, is: node.value };
  return { type: "other", ...span };
}

/** Comments and every value. */
function secretSpans(tree: AST.TOMLProgram): Span[] {
  const spans = tree.comments.map(spanOf);
  const gather = (node: AST.TOMLContentNode | AST.TOMLKeyValue): void => {
    if (node.type === "TOMLKeyValue") gather(node.value);
    else if (node.type === "TOMLArray") node.elements.forEach(gather);
    else if (node.type === "TOMLInlineTable") node.body.forEach(gather);
    else if (node.kind !== "boolean") spans.push(spanOf(node));
  };
  for (const node of tree.body[0].body) {
    if (node.type === "TOMLKeyValue") gather(node);
    else node.body.forEach(gather);
  }
  return spans.sort((a, b) => a.at - b.at);
}

const spanOf = ({ range: [at, end] }: { readonly range: readonly [number, number] }): Span => ({ at, end });
