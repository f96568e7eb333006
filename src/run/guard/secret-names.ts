// Which environment variables the wrapped server does not get.

import { credentialNames } from "../../core/contract/check.ts";
import type { Contract } from "../../core/contract/types.ts";

/** Every name that some contract keeps from the server. */
export function secretNames(contract: Pick<Contract, "tools">): string[] {
  const names = new Set<string>();
  for (const tool of contract.tools.values()) for (const name of credentialNames(tool)) names.add(name);
  return [...names].sort();
}
