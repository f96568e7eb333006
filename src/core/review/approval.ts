// Somebody's word that they have read a contract and what decides with it: what it says, and whether it still holds.

export interface ApprovedFile {
  /** Relative to the contract's folder, with `/`. */
  readonly path: string;
  /** Hexadecimal. */
  readonly sha256: string;
}

/** What is approved, and what is signed. */
export interface Approval {
  readonly approval_version: 1;
  /** SHA-256 of what the contract means. */
  readonly contract: string;
  /** Files that decide with it, sorted by path. */
  readonly files: readonly ApprovedFile[];
  /** Who approved. */
  readonly by: string;
  /** ISO 8601, UTC. */
  readonly at: string;
}

export interface ApprovalDocument extends Approval {
  /** Ed25519 over `signedText`, base64. */
  readonly signature?: string | undefined;
}

/** Where the approval of a contract file stands. */
export const approvalFile = (contractFile: string): string => `${contractFile}.approval.json`;

/** Why a contract without such a file is not approved. */
export const UNAPPROVED = "nobody has approved it";

/** The text that a signature is made over: the same for the same approval, however the file is laid out. */
export function signedText({ approval_version, contract, files, by, at }: Approval): string {
  const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : 1)).map(({ path, sha256 }) => ({ path, sha256 }));
  return JSON.stringify({ approval_version, contract, files: sorted, by, at });
}

/** Reads an approval file; undefined for anything that is none. */
export function readApproval(text: string): ApprovalDocument | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const it = value as Partial<ApprovalDocument> | null;
  if (typeof it !== "object" || it === null || it.approval_version !== 1) return undefined;
  const texts = [it.contract, it.by, it.at];
  if (!texts.every((one) => typeof one === "string") || !Array.isArray(it.files)) return undefined;
  if (!it.files.every((file) => typeof file?.path === "string" && typeof file?.sha256 === "string")) return undefined;
  if (it.signature !== undefined && typeof it.signature !== "string") return undefined;
  // A key given twice, or one that nobody signed, could show a reader something else than what counts.
  const { approval_version, contract, files, by, at, signature } = it as ApprovalDocument;
  const known = {
    approval_version,
    contract,
    files: files.map(({ path, sha256 }) => ({ path, sha256 })),
    by,
    at,
    signature,
  };
  const bare = (json: string) => json.replace(/[\s]/g, "");
  return bare(JSON.stringify(known)) === bare(text) ? known : undefined;
}

/** What is no longer as it was approved, in words; empty when the approval holds. */
export function approvalProblems(
  approved: Approval,
  now: { readonly contract: string; readonly files: readonly ApprovedFile[] },
): string[] {
  const problems: string[] = [];
  if (approved.contract !== now.contract) problems.push("the contract means something else now");
  const [then, own] = [byPath(approved.files), byPath(now.files)];
  for (const [path, sha256] of own) {
    const before = then.get(path);
    if (before === undefined) problems.push(`${path} decides too, and was not approved`);
    else if (before !== sha256) problems.push(`${path} has changed`);
  }
  for (const path of then.keys()) if (!own.has(path)) problems.push(`${path} is no longer there`);
  return problems;
}

const byPath = (files: readonly ApprovedFile[]): Map<string, string> =>
  new Map(files.map(({ path, sha256 }) => [path, sha256]));
