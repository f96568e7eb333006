// Loads a contract file: the one way in which guard, doctor and the other commands get at a contract.

import { resolve } from "node:path";
import { readContract } from "../core/contract/read.ts";
import type { ContractResult } from "../core/contract/types.ts";
import { contractHost, readContractFile } from "../io/contract-file.ts";
import { programPath } from "../io/program.ts";

/**
 * Reads and checks the contract at `path` (relative to the working directory). Gives the contract, or every problem of the
 * file; formatIssue makes a line of each. `program` is fourgate's entry file, which `{fourgate}` stands for.
 */
export async function loadContract(path: string, program: string = programPath()): Promise<ContractResult> {
  const file = resolve(path);
  const read = readContractFile(file);
  if (!read.ok) return { ok: false, issues: [read.issue] };
  return readContract(read.bytes, contractHost(file, program));
}
