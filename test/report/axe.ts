// axe-core in a page: the rules of WCAG 2 AA, and what else it holds for good practice.

import { readFileSync } from "node:fs";
import type { Page } from "./chromium.ts";

const source = readFileSync("node_modules/axe-core/axe.min.js", "utf8");

/** What axe finds wrong: the rule and the first place. */
export async function axe(page: Page): Promise<string[]> {
  await page.evaluate(`${source}; 0`);
  const expression = "axe.run(document).then(({ violations, passes }) => ({ violations, passes: passes.length }))";
  const { result } = await page.send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
  const { violations, passes } = result.value;
  if (passes < 5) throw new Error("axe looked at nothing");
  return violations.map((one: { id: string; nodes: { html: string }[] }) => `${one.id}: ${one.nodes[0]?.html}`);
}
