// An entry from its members, the same for every format: which kind of server it is, and what keeps it from being wrapped.

import type { Finding } from "../contract/issue.ts";
import type { Step } from "../contract/tree.ts";
import type { DisabledBy, Entry, MemberOf, Span, Spelled, SpelledList } from "./types.ts";
import { words } from "./words.ts";

/** A value as the formats' readers give it. */
export type Value = Span &
  (
    | { readonly type: "string"; readonly text: string }
    | { readonly type: "boolean"; readonly is: boolean }
    | { readonly type: "list"; readonly items: readonly Value[] }
    | { readonly type: "table"; readonly members: readonly Member[] }
    | { readonly type: "other" }
  );

export interface Member extends MemberOf<Value> {
  readonly name: string;
}

/** Members whose presence says that the server is reached at a URL. */
const ADDRESSES = ["url", "httpUrl", "serverUrl"];

/** What an entry says. `members` are those of the table that stands under the name. */
export function toEntry(
  name: string,
  steps: readonly string[],
  at: number,
  members: readonly Member[],
  disabledBy: DisabledBy,
): Entry {
  const findings: Finding[] = [];
  const find = (where: Span | number, wording: { code: string; message: string }, more: readonly Step[] = []) =>
    findings.push({ at: typeof where === "number" ? where : where.at, steps: [...steps, ...more], ...wording });
  const twice = (all: readonly Member[], more: readonly Step[] = []) => {
    const seen = new Set<string>();
    for (const member of all) {
      if (seen.has(member.name)) find(member.key, words.keyTwice(), [...more, member.name]);
      seen.add(member.name);
    }
  };
  twice(members);
  const named = (of: readonly Member[], key: string) => of.find((member) => member.name === key);

  // Zed had command, args and env under "command" once, and still reads them there.
  const outer = named(members, "command");
  const nested = outer?.value.type === "table" ? outer.value.members : undefined;
  if (nested) twice(nested, ["command"]);
  const under: readonly Step[] = nested ? ["command"] : [];
  const commandMember = nested ? named(nested, "path") : outer;
  const argsMember = named(nested ?? members, "args");
  const env = named(nested ?? members, "env")?.value;

  let command: MemberOf<Spelled> | undefined;
  if (commandMember?.value.type === "string" && commandMember.value.text.trim() !== "") {
    const { key, value, at, end } = commandMember;
    command = { key, value, at, end };
    if (/^[^/\\\s]+\s/.test(value.text)) find(value, words.shellLine(), [...under, commandMember.name]);
    if (value.text.startsWith("-")) find(value, words.dashCommand(), [...under, commandMember.name]);
  } else if (commandMember) {
    find(commandMember.value, words.commandShape(), [...under, commandMember.name]);
  }
  let args: MemberOf<SpelledList> | undefined;
  if (argsMember) {
    const { key, value, at, end } = argsMember;
    const list = value.type === "list" ? value : undefined;
    const items = list?.items.flatMap((item) => (item.type === "string" ? [item] : [])) ?? [];
    if (list && items.length === list.items.length)
      args = { key, at, end, value: { at: list.at, end: list.end, items } };
    else find(list?.items.find(({ type }) => type !== "string") ?? value, words.argsShape(), [...under, "args"]);
  }

  const remote = !commandMember && members.some((member) => ADDRESSES.includes(member.name));
  if (remote) find(at, words.remote());
  else if (!outer) find(at, words.noCommand());
  const off = disabledBy.key && named(members, disabledBy.key)?.value;
  return {
    name,
    steps,
    at,
    type: commandMember ? "command" : remote ? "remote" : "other",
    disabled: off?.type === "boolean" && !off.is,
    command,
    args,
    envNames: env?.type === "table" ? env.members.map((member) => member.name) : [],
    findings,
  };
}
