// What may stand in a clean-up's arguments, so that it can remove nothing that is older than the run.

import { parseValue, type Value } from "../compare/value.ts";
import type { Compilation } from "../contract/compile.ts";
import type { Node, Step } from "../contract/tree.ts";
import type { ToolContract } from "../contract/types.ts";
import { scalarText } from "../readback/url-template.ts";
import { normalNumber } from "../wire/ids.ts";
import { fillCaseArguments } from "./arguments.ts";
import { argumentFields } from "./judge.ts";
import type { ArgumentTemplate } from "./types.ts";
import { words } from "./words.ts";

export const PLACEHOLDER = /\{([A-Za-z_][\w.-]*)\}/g;

/** A token that no argument holds by chance. */
const PROBE = "fourgateprobe0run0id";

/** What may stand around a placeholder: parts of one name or path, nothing that a second name or a pattern could be made of. */
const PLAIN = /^[\p{L}\p{N}_.\-/:#@]*$/u;

/**
 * Notes each value that could name something older: one of the values must carry something of this run, each item of a list must, and
 * every other text or number must stand in the case's own arguments under the same name.
 */
export function checkCleanup(
  node: Node,
  steps: readonly Step[],
  contract: ToolContract,
  caseArguments: ArgumentTemplate,
  { note }: Compilation,
): void {
  const sent = fillCaseArguments(caseArguments, PROBE);
  const fields = argumentFields(contract, sent);
  const own = namedScalars(parseValue(sent));
  if (carries(node)) look(node, steps, "");
  else note(node.at, steps, words.notOfThisRun());

  /** Whether something in it did not exist before the run: its token, a field of the answer, or an argument with the token. */
  function carries(at: Node): boolean {
    if (at.type === "list") return at.items.some(carries);
    if (at.type === "object") return at.members.some(({ value }) => carries(value));
    return at.type === "string" && [...at.text.matchAll(PLACEHOLDER)].some(([, name]) => isOfThisRun(name!));
  }

  function isOfThisRun(name: string): boolean {
    if (name === "run_id") return true;
    const field = name === "id" ? (contract.recordIdField ?? name) : name;
    // An unknown name is noted elsewhere.
    return contract.extract.get(field)?.source !== "arguments" || (fields.get(field)?.includes(PROBE) ?? false);
  }

  function look(at: Node, here: readonly Step[], name: string): void {
    if (at.type === "list") {
      at.items.forEach((item, i) => {
        if (carries(item)) look(item, [...here, i], name);
        else note(item.at, [...here, i], words.cleanupItem());
      });
    } else if (at.type === "object") {
      for (const { key, value } of at.members) look(value, [...here, key], key);
    } else if (at.type === "number") {
      if (!own.has(entry(name, `n${normalNumber(at.token)}`))) note(at.at, here, words.cleanupFixed());
    } else if (at.type === "string") {
      if (!carries(at)) {
        if (!own.has(entry(name, sentAs(at.text)))) note(at.at, here, words.cleanupFixed());
      } else {
        const around = at.text.replaceAll(PLACEHOLDER, "");
        const plain = PLAIN.test(around) && !at.text.includes("..");
        if (!plain && !own.has(entry("", sentAs(at.text)))) note(at.at, here, words.cleanupText());
      }
    }
  }

  /** What the text comes to before the call is answered; undefined when only the answer can say. */
  function sentAs(text: string): string | undefined {
    const json = (name: string) =>
      name === "run_id" ? `"${PROBE}"` : fields.get(name === "id" ? (contract.recordIdField ?? name) : name);
    const whole = /^\{([A-Za-z_][\w.-]*)\}$/.exec(text)?.[1];
    if (whole !== undefined) return scalarKey(json(whole));
    let known = true;
    const filled = text.replaceAll(PLACEHOLDER, (_, name: string) => {
      const value = scalarText(json(name));
      known &&= value !== undefined;
      return value ?? "";
    });
    return known ? `s${filled}` : undefined;
  }
}

const entry = (name: string, value: string | undefined) => JSON.stringify([name, value ?? null]);

function scalarKey(json: string | undefined): string | undefined {
  const text = scalarText(json);
  if (json === undefined || text === undefined) return undefined;
  return json.startsWith('"') ? `s${text}` : `n${normalNumber(json)}`;
}

/** Every text and number with the name of the member that it stands under, and texts without a name too. */
function namedScalars(root: Value | undefined): ReadonlySet<string> {
  const found = new Set<string>();
  if (root !== undefined) walk(root, "");
  return found;

  function walk(value: Value, name: string): void {
    if (value.type === "list") for (const item of value.items) walk(item, name);
    else if (value.type === "object") for (const [key, member] of value.members) walk(member, key);
    else if (value.type === "number") found.add(entry(name, `n${normalNumber(value.token)}`));
    else if (value.type === "string") found.add(entry(name, `s${value.text}`)).add(entry("", `s${value.text}`));
  }
}
