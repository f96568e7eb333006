// `verifier.command`: placeholders, and the old spelling of the bundled HTTP verifier.

import type { Compilation, Compiled } from "./compile.ts";
import { nearestName } from "./nearest.ts";
import type { Node, Step } from "./tree.ts";
import { words } from "./words.ts";

const OLD_VERIFIER = ["{python}", "-m", "fourgate.verify_http"];

/** Expands a command. Undefined when it has the wrong type, which checkStructure names. */
export function readCommand(
  node: Node | undefined,
  steps: readonly Step[],
  { host, note }: Compilation,
): Compiled<readonly string[]> | undefined {
  if (node?.type !== "list") return undefined;
  const parts: string[] = [];
  node.items.forEach((item, index) => {
    if (item.type !== "string") return;
    if (item.text === "" && index === 0) note(item.at, [...steps, index], words.noProgram());
    const near = misspelt(item.text, Object.keys(host.placeholders));
    if (near !== undefined) note(item.at, [...steps, index], words.placeholder(`{${near}}`));
    parts.push(item.text);
  });

  const old = OLD_VERIFIER.every((part, index) => parts[index] === part);
  if (old && parts.length !== OLD_VERIFIER.length + 1) note(node.at, steps, words.verifyHttp());
  const written = old ? ["{fourgate}", "verify", ...parts.slice(OLD_VERIFIER.length)] : parts;
  return { spec: written.flatMap((part) => expand(part, host.placeholders)), canonical: written };
}

/** The name in a part like `{name}`; undefined for every other part. */
function placeholderName(part: string): string | undefined {
  return part.startsWith("{") ? /^\{([^{}\s]{1,32})\}$/.exec(part)?.[1] : undefined;
}

function expand(part: string, placeholders: Readonly<Record<string, readonly string[]>>): readonly string[] {
  const name = placeholderName(part);
  return name !== undefined && Object.hasOwn(placeholders, name) ? placeholders[name]! : [part];
}

function misspelt(part: string, known: readonly string[]): string | undefined {
  const name = placeholderName(part);
  return name === undefined || known.includes(name) ? undefined : nearestName(name, known);
}
