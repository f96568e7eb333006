// All that reading a contract needs of read-backs, in one module, so that contracts without one need not load it.

import type { Finding } from "../contract/issue.ts";
import { checkStructure } from "../contract/structure.ts";
import { memberOf, type Node, type Step } from "../contract/tree.ts";
import { readbackFormats } from "./format.ts";

export { compileReadback, failureReasons } from "./compile.ts";

/** Everything that the schema refuses in a read-back that stands at `steps`. */
export function checkReadback(node: Node, steps: readonly Step[]): Finding[] {
  const type = memberOf(node, "type");
  const formats = readbackFormats(type?.type === "string" ? type.text : undefined);
  const findings = formats.flatMap((format) => checkStructure(node, format));
  return findings.map((found) => ({ ...found, steps: [...steps, ...(found.steps ?? [])] }));
}
