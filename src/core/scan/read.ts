// Bytes of a scan file -> a checked scan, or everything that is wrong with it and with the contract file that it names.

import { readDocument } from "../contract/document.ts";
import type { ContractHost } from "../contract/host.ts";
import { positions } from "../contract/position.ts";
import { checkStructure } from "../contract/structure.ts";
import { memberOf } from "../contract/tree.ts";
import type { Contract, ContractIssue, ContractResult } from "../contract/types.ts";
import { loadPatternCompiler } from "../select/regex.ts";
import { compileScan } from "./compile.ts";
import { scanFormat } from "./format.ts";
import type { ScanResult } from "./types.ts";
import { words } from "./words.ts";

export interface ScanHost extends ContractHost {
  /** Reads a contract file at a path relative to the scan file. */
  readonly contract: (path: string) => Promise<ContractResult>;
}

/** Reads a scan. Never throws for any bytes; issues are sorted by position, those of the contract file behind, and never empty. */
export async function readScan(bytes: Uint8Array, host: ScanHost): Promise<ScanResult> {
  const document = await readDocument(bytes, host.file);
  if (!document.ok) return { ok: false, issues: document.issues.map(asScan) };
  const { root, text } = document;
  const named = memberOf(root, "contracts");
  let contracts: Contract | undefined;
  let others: readonly ContractIssue[] = [];
  if (named?.type === "string" && named.text !== "") {
    const read = await host.contract(named.text);
    if (read.ok) contracts = read.contract;
    else others = read.issues;
  }
  const { scan, findings } = compileScan(root, {
    text,
    host,
    compilePattern: text.includes("regex") ? await loadPatternCompiler() : undefined,
    readbacks: await host.readbacks(),
    position: positions(text),
    contracts,
  });
  const all = [...document.findings, ...checkStructure(root, scanFormat), ...findings];
  const issues = [...document.issues(all), ...others];
  if (issues.length > 0 || scan === undefined) return { ok: false, issues };
  return { ok: true, scan };
}

/** What is said of a file without any value names what a contract would need. */
function asScan(issue: ContractIssue): ContractIssue {
  return issue.code === "empty_file" ? { ...issue, ...words.empty() } : issue;
}
