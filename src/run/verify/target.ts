// What `fourgate verify FILE` is about: a read-back file, or the read-back of one tool of a contract.

import { resolve } from "node:path";
import { formatIssue } from "../../core/contract/issue.ts";
import type { Contract, ContractIssue } from "../../core/contract/types.ts";
import { readReadback } from "../../core/readback/read.ts";
import type { Readback } from "../../core/readback/types.ts";
import { contractHost, readContractFile } from "../../io/contract-file.ts";
import { programPath } from "../../io/program.ts";

export type Target =
  | { readonly ok: true; readonly readback: Readback; readonly tool: string | undefined }
  /** What is wrong, one line each. */
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reads the file, and picks the tool where it is a contract. */
export async function loadTarget(path: string, tool: string | undefined): Promise<Target> {
  const file = resolve(path);
  const read = readContractFile(file);
  if (!read.ok) return refuse([read.issue]);
  const host = contractHost(file, programPath());
  const found = await readReadback(read.bytes, host);
  if (found.type === "refused") return refuse(found.issues);
  if (found.type === "readback") {
    if (tool !== undefined) return { ok: false, problems: ["--tool goes with a contract; this file is one read-back"] };
    return { ok: true, readback: found.readback, tool: undefined };
  }
  const { readContract } = await import("../../core/contract/read.ts");
  const contract = await readContract(read.bytes, host);
  return contract.ok ? pickTool(contract.contract, tool) : refuse(contract.issues);
}

function pickTool({ tools }: Contract, name: string | undefined): Target {
  const able = [...tools.values()].filter(({ readback }) => readback !== undefined);
  const names = able.map((tool) => JSON.stringify(tool.tool)).join(", ");
  const problem = (text: string): Target => ({ ok: false, problems: [text] });
  if (name === undefined) {
    const [only, ...others] = able;
    if (only === undefined)
      return problem("no tool of this contract has a readback; its verifiers are programs to run");
    if (others.length > 0) return problem(`this is a contract; say which tool is meant with --tool: ${names}`);
    return { ok: true, readback: only.readback!, tool: only.tool };
  }
  const tool = tools.get(name);
  if (tool === undefined)
    return problem(`the contract has no such tool; those with a readback are: ${names || "none"}`);
  if (tool.readback === undefined) return problem("this tool is checked by a verifier; run its command by hand");
  return { ok: true, readback: tool.readback, tool: name };
}

function refuse(issues: readonly ContractIssue[]): Target {
  return { ok: false, problems: issues.map(formatIssue) };
}
