// All that reading a contract needs of read-backs, in one module, so that contracts without one need not load it.

import type { Finding } from "../contract/issue.ts";
import { checkStructure } from "../contract/structure.ts";
import type { Node, Step } from "../contract/tree.ts";
import { readbackFormat } from "./format.ts";

export { compileReadback, failureReasons } from "./compile.ts";

/** Everything that the schema refuses in a read-back that stands at `steps`. */
export function checkReadback(node: Node, steps: readonly Step[]): Finding[] {
  return checkStructure(node, readbackFormat).map((found) => ({ ...found, steps: [...steps, ...(found.steps ?? [])] }));
}
