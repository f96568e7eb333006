// Client configurations in JSON, with comments and trailing commas or without: their servers, and the places of what may be private.

import type { Finding } from "../contract/issue.ts";
import { nextToken, type Token } from "../contract/json-tokens.ts";
import { parseJson } from "../contract/parse-json.ts";
import { type Member as JsonMember, type Node, nodeAt } from "../contract/tree.ts";
import { type Member, toEntry, type Value } from "./entry.ts";
import type { ConfigResult, Container, DisabledBy, Edit, Entry, Span, Syntax } from "./types.ts";
import { words } from "./words.ts";

export const json: Syntax = {
  read,
  quote: (text) => JSON.stringify(text),
  addArgs(text, command, list): Edit {
    const { end } = command.value;
    const gap = /(?:\r\n|\n|\r)[ \t]*$/.exec(text.slice(0, command.at))?.[0] ?? " ";
    return { at: end, end, text: `,${gap}"args": ${list}` };
  },
  dropArgs(text, command, args): Span | undefined {
    const between = text.slice(command.value.end, args.at);
    return /^,\s*$/.test(between) ? { at: command.value.end, end: args.value.end } : undefined;
  },
};

function read(text: string, containers: readonly Container[], disabledBy: DisabledBy): ConfigResult {
  // Clients differ in what they allow beside plain JSON; what one of them refuses stays as it was.
  const { root, findings } = text.trim() === "" ? { root: undefined, findings: [] } : parseJson(text, true);
  if (root === undefined && findings.length === 0) return { ok: true, document: { text, entries: [], secrets: [] } };
  if (root === undefined) {
    const tooDeep = findings.map((found) => (found.code === "too_deep" ? { ...found, ...words.tooDeep() } : found));
    return { ok: false, findings: tooDeep };
  }
  if (root.type !== "object") return { ok: false, findings: [{ at: root.at, ...words.notAnObject() }] };
  const entries: Entry[] = [];
  const problems: Finding[] = [];
  for (const container of containers) {
    for (const found of descend(root, container, [], problems)) {
      for (const member of found.members) {
        const steps = [...found.steps, member.key];
        if (member.value.type === "object") {
          const entry = toEntry(member.key, steps, member.at, member.value.members.map(asMember(text)), disabledBy);
          entries.push(isListed(root, entry, disabledBy) ? { ...entry, disabled: true } : entry);
        } else problems.push({ at: member.value.at, steps, ...words.entryShape() });
      }
    }
  }
  if (problems.length > 0) return { ok: false, findings: problems };
  return { ok: true, document: { text, entries, secrets: secretSpans(text) } };
}

interface Found {
  readonly steps: readonly string[];
  readonly members: readonly JsonMember[];
}

/** The objects of servers that a container's keys lead to. */
function descend(node: Node, [step, ...rest]: Container, steps: readonly string[], problems: Finding[]): Found[] {
  if (node.type !== "object") {
    if (step === undefined && node.type !== "null") problems.push({ at: node.at, steps, ...words.containerShape() });
    return [];
  }
  const taken = step === undefined || step === "*" ? node.members : node.members.filter(({ key }) => key === step);
  const seen = new Set<string>();
  for (const { key, at } of taken) {
    if (seen.has(key)) problems.push({ at, steps: [...steps, key], ...words.keyTwice() });
    seen.add(key);
  }
  if (step === undefined) return [{ steps, members: node.members }];
  return taken.flatMap(({ key, value }) => descend(value, rest, [...steps, key], problems));
}

/** Whether a list beside the entry's container names it. */
function isListed(root: Node, { name, steps }: Entry, { list }: DisabledBy): boolean {
  const names = list && nodeAt(root, [...steps.slice(0, -2), ...list]);
  return names?.type === "list" && names.items.some((item) => item.type === "string" && item.text === name);
}

const asMember =
  (text: string) =>
  ({ key, at, value }: JsonMember): Member => {
    const token = nextToken(text, at, () => {}) as Token & { type: "string" };
    return { name: key, at, end: value.end, key: { at, end: token.end }, value: asValue(text, value) };
  };

function asValue(text: string, node: Node): Value {
  const { at, end } = node;
  if (node.type === "object") return { type: "table", at, end, members: node.members.map(asMember(text)) };
  if (node.type === "list") return { type: "list", at, end, items: node.items.map((item) => asValue(text, item)) };
  if (node.type === "string" || node.type === "boolean") return node;
  return { type: "other", at, end };
}

/** Comments, and every string and number that is no key. Of good text only. */
function secretSpans(text: string): Span[] {
  const spans: Span[] = [];
  const onComment = (at: number): void => {
    const end = text.startsWith("/*", at) ? text.indexOf("*/", at + 2) + 2 : at + text.slice(at).search(/[\r\n]|$/);
    spans.push({ at, end });
  };
  let last: Span | undefined;
  for (let offset = 0; ; ) {
    const token = nextToken(text, offset, onComment);
    if (token.type === "problem" || (token.type === "sign" && token.sign === "")) break;
    const isKey = token.type === "sign" && token.sign === ":";
    if (last && !isKey) spans.push(last);
    last = token.type === "string" || token.type === "number" ? token : undefined;
    offset = token.end;
  }
  if (last) spans.push(last);
  return spans.sort((a, b) => a.at - b.at);
}
