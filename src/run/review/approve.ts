// Writes approvals and looks whether one holds.

import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import type { Contract } from "../../core/contract/types.ts";
import {
  type Approval,
  type ApprovalDocument,
  approvalFile,
  approvalProblems,
  readApproval,
  signedText,
  UNAPPROVED,
} from "../../core/review/approval.ts";
import { writeReportFile } from "../../io/report-file.ts";
import { decidingFiles, meaningDigest } from "./deciding-files.ts";

/** Approves what is there now. Gives the files that are covered, or what kept it from being written. */
export async function approve(
  contract: Contract,
  by: string,
  at: string,
  key: KeyObject | undefined,
): Promise<{ readonly covered: readonly string[] } | { readonly problem: string }> {
  const files = filesNow(contract);
  if (typeof files === "string") return { problem: files };
  const approval: Approval = { approval_version: 1, contract: meaningDigest(contract), files, by, at };
  const signature = key && sign(null, Buffer.from(signedText(approval)), key).toString("base64");
  const document: ApprovalDocument = signature === undefined ? approval : { ...approval, signature };
  const path = approvalFile(contract.file);
  const problem = await writeReportFile(path, `${JSON.stringify(document, null, 2)}\n`);
  return problem === undefined
    ? { covered: files.map((file) => file.path) }
    : { problem: `${path} cannot be written: ${problem}` };
}

function filesNow(contract: Contract): ReturnType<typeof decidingFiles> | string {
  try {
    return decidingFiles(contract);
  } catch (error) {
    return `the files that decide cannot all be read: ${(error as NodeJS.ErrnoException).code ?? (error as Error).message}`;
  }
}

export type ApprovalState =
  | { readonly type: "holds"; readonly by: string; readonly signed: boolean }
  /** Why not, each in a sentence. */
  | { readonly type: "none"; readonly problems: readonly string[] };

/** Whether the contract is approved as it is; with a key, only by a signature of it. */
export function approvalState(contract: Contract, key: KeyObject | undefined): ApprovalState {
  const none = (...problems: string[]): ApprovalState => ({ type: "none", problems });
  let text: string;
  try {
    // Opening a pipe would wait for somebody to write to it.
    if (!statSync(approvalFile(contract.file)).isFile()) return none("its approval file is not one");
    text = readFileSync(approvalFile(contract.file), "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return none(code === "ENOENT" ? UNAPPROVED : `its approval cannot be read: ${code}`);
  }
  const document = readApproval(text);
  if (document === undefined) return none("its approval file is not one");
  const { signature } = document;
  if (key !== undefined) {
    if (signature === undefined) return none("its approval is not signed");
    if (!verify(null, Buffer.from(signedText(document)), key, Buffer.from(signature, "base64"))) {
      return none("the signature of its approval is not by this key");
    }
  }
  const now = filesNow(contract);
  if (typeof now === "string") return none(now);
  const problems = approvalProblems(document, { contract: meaningDigest(contract), files: now });
  return problems.length > 0 ? none(...problems) : { type: "holds", by: document.by, signed: key !== undefined };
}

/** An Ed25519 key out of a PEM file, or what is wrong with it. */
export function readKey(path: string, kind: "private" | "public"): KeyObject | string {
  try {
    const pem = readFileSync(path, "utf8");
    // Node would make the public key of it; a private one does not belong where guard is configured.
    if (kind === "public" && pem.includes("PRIVATE KEY"))
      return `${path} holds a private key; give guard the public one`;
    const key = kind === "private" ? createPrivateKey(pem) : createPublicKey(pem);
    return key.asymmetricKeyType === "ed25519" ? key : `${path} is no Ed25519 key`;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code?.startsWith("E") && !code.startsWith("ERR")
      ? `${path} cannot be read: ${code}`
      : `${path} holds no ${kind} key in PEM`;
  }
}
