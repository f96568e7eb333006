// Whether a guard may start with a contract that nobody, or somebody else, has approved.

import type { KeyObject } from "node:crypto";
import { existsSync } from "node:fs";
import type { Contract } from "../../core/contract/types.ts";
import { approvalFile, UNAPPROVED } from "../../core/review/approval.ts";
import type { GuardOptions } from "../guard.ts";

/** Undefined when all is well. `refuse`: the session must not start. */
export async function approvalProblem(
  {
    mode,
    requireApproval,
    approvalKey,
    contracts,
  }: Pick<GuardOptions, "mode" | "requireApproval" | "approvalKey" | "contracts">,
  contract: Contract,
): Promise<{ readonly problem: string; readonly refuse: boolean } | undefined> {
  const refuse = requireApproval || contract.approvalRequired;
  // Shadow mode changes nothing that anybody would have to answer for.
  if (!refuse && mode !== "enforce") return undefined;
  const remedy = `read it with fourgate review ${contracts}, then approve it with --approve --by NAME`;
  const unapproved = (...problems: readonly string[]) => ({
    problem: `the contract ${contracts} is not approved: ${problems.join("; ")}; ${remedy}`,
    refuse,
  });
  // Most have none, and what looks into one takes a while to load.
  if (approvalKey === undefined && !existsSync(approvalFile(contract.file))) return unapproved(UNAPPROVED);
  const { approvalState, readKey } = await import("../review/approve.ts");
  let key: KeyObject | undefined;
  if (approvalKey !== undefined) {
    const read = readKey(approvalKey, "public");
    if (typeof read === "string") return { problem: `--approval-key: ${read}`, refuse: true };
    key = read;
  }
  const state = approvalState(contract, key);
  return state.type === "holds" ? undefined : unapproved(...state.problems);
}
