// The digest of a contract that stands in every record.

import { createHash } from "node:crypto";
import type { Contract } from "../../core/contract/types.ts";

/** Short enough for a log line, long enough that two contracts never share one by chance. Equal meaning, equal digest. */
export function contractDigest(contract: Contract): string {
  return `sha256:${createHash("sha256").update(contract.canonicalText).digest("hex").slice(0, 16)}`;
}
