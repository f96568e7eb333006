// Loads a scan file, and the contract file that it names.

import { resolve } from "node:path";
import { readScan } from "../core/scan/read.ts";
import type { ScanResult } from "../core/scan/types.ts";
import { contractHost, readContractFile } from "../io/contract-file.ts";
import { programPath } from "../io/program.ts";
import { loadContract } from "./load-contract.ts";

/** Reads and checks the scan at `path` (relative to the working directory). Gives it, or every problem. */
export async function loadScan(path: string): Promise<ScanResult> {
  const file = resolve(path);
  const read = readContractFile(file);
  if (!read.ok) return { ok: false, issues: [read.issue] };
  const host = contractHost(file, programPath());
  return readScan(read.bytes, { ...host, contract: (other) => loadContract(host.path(other)) });
}
