// Bytes of a read-back file -> a checked read-back, or everything that is wrong with it.

import type { Compilation } from "../contract/compile.ts";
import { readDocument } from "../contract/document.ts";
import type { ContractHost } from "../contract/host.ts";
import type { Finding } from "../contract/issue.ts";
import { memberNamed, type Node } from "../contract/tree.ts";
import type { ContractIssue } from "../contract/types.ts";
import { checkReadback, compileReadback } from "./part.ts";
import type { Readback } from "./types.ts";

export type ReadbackFile =
  | { readonly type: "readback"; readonly readback: Readback }
  /** It is a contract, and is to be read as one. */
  | { readonly type: "contract" }
  | { readonly type: "refused"; readonly issues: readonly ContractIssue[] };

/** Reads a file for `fourgate verify`. Never throws for any bytes. */
export async function readReadback(bytes: Uint8Array, host: ContractHost): Promise<ReadbackFile> {
  const document = await readDocument(bytes, host.file);
  if (!document.ok) return { type: "refused", issues: document.issues };
  if (memberNamed(document.root, "tools") !== undefined) return { type: "contract" };
  const root = withoutSchema(document.root);
  const findings: Finding[] = [...document.findings, ...checkReadback(root, [])];
  const compilation: Compilation = {
    text: document.text,
    host,
    compilePattern: undefined,
    note: (at, steps, wording) => void findings.push({ at, steps, ...wording }),
  };
  const readback = root.type === "object" ? compileReadback(root, [], undefined, compilation) : undefined;
  if (findings.length > 0 || readback === undefined) return { type: "refused", issues: document.issues(findings) };
  return { type: "readback", readback: readback.spec };
}

/** `$schema` is for editors and means nothing here. */
function withoutSchema(root: Node): Node {
  if (root.type !== "object") return root;
  return { ...root, members: root.members.filter(({ key, value }) => key !== "$schema" || value.type !== "string") };
}
