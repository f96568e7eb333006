// Wraps and unwraps an entry: text in, edits out. What the entry held stays spelled as it was, within its new arguments, so
// that the file alone is enough to go back, to the byte.

import type { Finding } from "../contract/issue.ts";
import type { Container, DisabledBy, Edit, Entry, Span, SpelledList, Syntax } from "./types.ts";
import { words } from "./words.ts";
import { wrappedCommandAt } from "./wrapped.ts";

/** The program and its arguments up to the server's command, the `--` left out. */
export interface Guard {
  readonly command: string;
  readonly args: readonly string[];
}

export interface Format {
  readonly syntax: Syntax;
  readonly containers: readonly Container[];
  readonly disabledBy: DisabledBy;
}

export type Change =
  | {
      readonly ok: true;
      readonly text: string;
      readonly edits: readonly Edit[];
      /** What of the text before is no secret: the command, and guard's own arguments. */
      readonly shown: readonly Span[];
    }
  | { readonly ok: false; readonly findings: readonly Finding[] };

/** Whether the entry starts guard. */
export const isWrapped = ({ command, args }: Entry): boolean =>
  command !== undefined && wrappedCommandAt(command.value.text, texts(args?.value)) !== undefined;

/** Puts guard in front of what the entry starts. */
export function wrapEntry(text: string, entry: Entry, guard: Guard, format: Format): Change {
  const { command, args } = entry;
  if (entry.findings.length > 0 || command === undefined) return refuse(...entry.findings);
  if (isWrapped(entry)) return refuse({ at: entry.at, steps: entry.steps, ...words.alreadyWrapped() });
  const { quote, addArgs } = format.syntax;
  const raw = text.slice(command.value.at, command.value.end);
  const own = guard.args.map(quote);
  const swap: Edit = { ...spanOf(command.value), text: quote(guard.command) };
  // No args before: no `--` either, so that unwrap knows. guard takes its server's command without it as well.
  if (args === undefined) {
    const add = addArgs(text, command, `[${[...own, raw].join(", ")}]`);
    return proved(text, entry, [swap, add], [guard.command, ...guard.args, command.value.text], format);
  }
  const list = args.value;
  const first = list.items[0];
  const at = first?.at ?? list.at + 1;
  const gap = /(?:\r\n|\n|\r)[ \t]*$/.exec(text.slice(list.at, at))?.[0] ?? " ";
  const joined = [...own, quote("--"), raw].join(`,${gap}`);
  const put: Edit = { at, end: at, text: first ? `${joined},${gap}` : joined };
  const wanted = [guard.command, ...guard.args, "--", command.value.text, ...texts(list)];
  return proved(text, entry, [swap, put], wanted, format);
}

/** Gives the entry back what it started before. */
export function unwrapEntry(text: string, entry: Entry, format: Format): Change {
  const { command, args } = entry;
  if (entry.findings.length > 0 || command === undefined) return refuse(...entry.findings);
  const list = args?.value;
  const own = wrappedCommandAt(command.value.text, texts(list));
  if (own === undefined || args === undefined || list === undefined) {
    return refuse({ at: entry.at, steps: entry.steps, ...words.notWrapped() });
  }
  const server = list.items[own];
  if (server === undefined) return refuse({ at: list.at, steps: entry.steps, ...words.wrapsNothing() });
  const swap: Edit = { ...spanOf(command.value), text: text.slice(server.at, server.end) };
  const rest = list.items.slice(own + 1);
  const dashed = list.items[own - 1]!.text === "--";
  const drop = dashed || rest.length > 0 ? undefined : format.syntax.dropArgs(text, command, args);
  const cut = drop ?? (rest[0] ? { at: list.items[0]!.at, end: rest[0].at } : emptied(text, list, server));
  return proved(text, entry, [swap, { ...spanOf(cut), text: "" }], [server.text, ...texts({ items: rest })], format);
}

/** What to take out of a list of which nothing is left. */
function emptied(text: string, list: SpelledList, last: Span): Span {
  const first = list.items[0]!;
  const comma = /^\s*,/.exec(text.slice(last.end, list.end))?.[0].length ?? 0;
  // wrap puts its first directly behind the bracket of an empty list. It does not stand there: a client spread the list over lines.
  const blank = `${text.slice(list.at + 1, first.at)}${text.slice(last.end + comma, list.end - 1)}`.trim() === "";
  const spread = first.at > list.at + 1 && blank;
  return spread ? { at: list.at + 1, end: list.end - 1 } : { at: first.at, end: last.end + comma };
}

/** Applies edits; none overlaps another. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let result = "";
  let from = 0;
  for (const edit of inOrder(edits)) {
    result += text.slice(from, edit.at) + edit.text;
    from = edit.end;
  }
  return result + text.slice(from);
}

export const inOrder = (edits: readonly Edit[]): Edit[] => [...edits].sort((a, b) => a.at - b.at || a.end - b.end);

/** The change, read again: only this entry may differ, and only as wanted. Anything else is refused. */
function proved(text: string, entry: Entry, edits: readonly Edit[], wanted: readonly string[], format: Format): Change {
  const changed = applyEdits(text, edits);
  const [before, after] = [text, changed].map((each) => format.syntax.read(each, format.containers, format.disabledBy));
  const others = (result: typeof before, but: Entry | undefined): string =>
    result?.ok ? JSON.stringify(result.document.entries.filter((one) => !sameSteps(one, but)).map(meaning)) : "";
  const now = after?.ok ? after.document.entries.find((one) => sameSteps(one, entry)) : undefined;
  const good =
    now !== undefined &&
    now.findings.length === 0 &&
    JSON.stringify(startOf(now)) === JSON.stringify(wanted) &&
    JSON.stringify([now.envNames, now.disabled]) === JSON.stringify([entry.envNames, entry.disabled]) &&
    others(before, entry) === others(after, entry);
  const own = wrappedCommandAt(entry.command?.value.text ?? "", texts(entry.args?.value));
  const shown = [entry.command?.value ?? [], own === undefined ? [] : entry.args!.value.items.slice(0, own + 1)].flat();
  return good
    ? { ok: true, text: changed, edits, shown }
    : refuse({ at: entry.at, steps: entry.steps, ...words.notExact() });
}

const startOf = ({ command, args }: Entry): string[] => [command?.value.text ?? "", ...texts(args?.value)];
const meaning = (entry: Entry) => [entry.steps, entry.type, startOf(entry), entry.envNames, entry.disabled];
const texts = (list: Pick<SpelledList, "items"> | undefined): string[] => list?.items.map(({ text }) => text) ?? [];
const spanOf = ({ at, end }: Span) => ({ at, end });
const refuse = (...findings: readonly Finding[]): Change => ({ ok: false, findings });
/** Whether two are the same server of a document. */
const sameSteps = (one: Entry, other: Entry | undefined): boolean =>
  JSON.stringify(one.steps) === JSON.stringify(other?.steps);
