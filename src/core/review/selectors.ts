// Where fields come from, in words. Read off the contract's canonical text, which has patterns as they are written.

import type { Contract } from "../contract/types.ts";

interface CanonicalSelector {
  readonly source: "arguments" | "result";
  readonly path: readonly Step[];
  readonly parse?: {
    readonly parse: string;
    readonly pattern?: string;
    readonly group?: string | number;
    readonly field?: readonly Step[];
  };
}

type Step = readonly [type: string, name?: string];

/** A verifier's command as it is written, with its placeholders. */
export function writtenCommand(contract: Contract, tool: string): readonly string[] {
  const { tools } = JSON.parse(contract.canonicalText) as {
    tools: Record<string, { verifier?: { command: readonly string[] } }>;
  };
  return tools[tool]?.verifier?.command ?? [];
}

/** Each field of a tool with where its value is found. */
export function fieldWords(contract: Contract, tool: string): ReadonlyMap<string, string> {
  const { tools } = JSON.parse(contract.canonicalText) as {
    tools: Record<string, { extract: Record<string, CanonicalSelector> }>;
  };
  const extract = Object.hasOwn(tools, tool) ? tools[tool]!.extract : {};
  return new Map(Object.entries(extract).map(([field, selector]) => [field, selectorWords(selector)]));
}

function selectorWords({ source, path, parse }: CanonicalSelector): string {
  const where = pathWords(path);
  const from = source === "arguments" ? "the call's arguments" : "the server's answer";
  if (parse === undefined) return where === "" ? `all of ${from}` : `${from}, ${where}`;
  if (parse.parse === "regex")
    return `${from}, ${where}: what group ${parse.group} of the pattern ${parse.pattern} matches`;
  return `${from}, ${where}: the member ${pathWords(parse.field ?? [])} of the JSON object in that text`;
}

function pathWords(path: readonly Step[]): string {
  return path
    .map(([type, name], at) => {
      if (type === "each") return "[*]";
      const plain = /^[^.[\]\s'"]+$/.test(name ?? "");
      return plain ? `${at === 0 ? "" : "."}${name}` : `[${JSON.stringify(name)}]`;
    })
    .join("");
}
