// What two contracts mean differently. Lines of their pages are compared, so that order, comments and format are no change.

import type { Contract } from "../contract/types.ts";
import { CREDENTIALS, type ToolPage, toolPages } from "./tool-page.ts";

export interface ToolChange {
  readonly tool: string;
  readonly kind: "added" | "removed" | "changed";
  /** By section, what is no longer so and what is so now. */
  readonly sections: readonly {
    readonly title: string;
    readonly before: readonly string[];
    readonly now: readonly string[];
  }[];
}

/** Empty exactly when the two decide alike. */
export function contractChanges(before: Contract, now: Contract): ToolChange[] {
  if (before.canonicalText === now.canonicalText) return [];
  const [earlier, later] = [byTool(before), byTool(now)];
  const names = [...new Set([...earlier.keys(), ...later.keys()])].sort();
  const changes = names.flatMap((tool): ToolChange[] => {
    const [old, own] = [earlier.get(tool), later.get(tool)];
    if (old === undefined) return [{ tool, kind: "added", sections: [] }];
    if (own === undefined) return [{ tool, kind: "removed", sections: [] }];
    if (canonicalOf(before, tool) === canonicalOf(now, tool) && sources(old) === sources(own)) return [];
    const titles = new Set([...own.sections, ...old.sections].map(({ title }) => title));
    const sections = [...titles].flatMap((title) => {
      const [then, lines] = [linesOf(old, title), linesOf(own, title)];
      const gone = then.filter((line) => !lines.includes(line));
      const come = lines.filter((line) => !then.includes(line));
      return gone.length + come.length === 0 ? [] : [{ title, before: gone, now: come }];
    });
    return [{ tool, kind: "changed", sections }];
  });
  return changes;
}

const linesOf = ({ sections }: ToolPage, wanted: string): readonly string[] =>
  sections.find(({ title }) => title === wanted)?.lines ?? [];

/** Where credentials come from stands beside the tools. */
const sources = (page: ToolPage): string => linesOf(page, CREDENTIALS).join("\n");

const byTool = (contract: Contract): Map<string, ToolPage> =>
  new Map(toolPages(contract).map((page) => [page.tool, page]));

function canonicalOf(contract: Contract, tool: string): string {
  return JSON.stringify((JSON.parse(contract.canonicalText) as { tools: Record<string, unknown> }).tools[tool]);
}
