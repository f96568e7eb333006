// `secret_files` and `secret_command`: where credentials come from that are not to stand in an environment.

import type { Canonical } from "./canonical.ts";
import { readCommand } from "./command.ts";
import type { Compilation } from "./compile.ts";
import type { Finding } from "./issue.ts";
import { memberOf, type Node } from "./tree.ts";
import type { SecretSource } from "./types.ts";
import { words } from "./words.ts";

export interface CompiledSecrets {
  readonly sources: ReadonlyMap<string, SecretSource>;
  readonly files: Canonical;
  readonly commands: Canonical;
  readonly findings: readonly Finding[];
}

/**
 * Compiles both. `used`: the names that checks read, where that is known; any other name is a mistake, and so is one that
 * stands in both.
 */
export function compileSecrets(
  root: Node,
  used: ReadonlySet<string> | undefined,
  options: Omit<Compilation, "note">,
): CompiledSecrets {
  const findings: Finding[] = [];
  const compilation: Compilation = {
    ...options,
    note: (at, steps, wording) => void findings.push({ at, steps, ...wording }),
  };
  const { host, note } = compilation;
  const unused = (name: string) => used !== undefined && !used.has(name);
  const sources = new Map<string, SecretSource>();
  const files = new Map<string, Canonical>();
  const commands = new Map<string, Canonical>();
  for (const { key, at, value } of membersOf(memberOf(root, "secret_files"))) {
    if (value.type !== "string") continue;
    if (unused(key)) note(at, ["secret_files", key], words.secretUnused());
    sources.set(key, { type: "file", path: host.path(value.text) });
    files.set(key, value.text);
  }
  for (const { key, at, value } of membersOf(memberOf(root, "secret_command"))) {
    const steps = ["secret_command", key];
    if (sources.has(key)) note(at, steps, words.secretTwice());
    else if (unused(key)) note(at, steps, words.secretUnused());
    const command = readCommand(value, steps, compilation);
    if (command === undefined) continue;
    sources.set(key, { type: "command", command: command.spec });
    commands.set(key, command.canonical);
  }
  return {
    sources,
    files: files.size > 0 ? files : undefined,
    commands: commands.size > 0 ? commands : undefined,
    findings,
  };
}

const membersOf = (node: Node | undefined) => (node?.type === "object" ? node.members : []);
