// Whether a guard may start with a contract that nobody, or somebody else, has approved.

import type { KeyObject } from "node:crypto";
import type { Contract } from "../../core/contract/types.ts";
import type { GuardOptions } from "../guard.ts";
import { approvalState, readKey } from "../review/approve.ts";

/** Undefined when all is well. `refuse`: the session must not start. */
export function approvalProblem(
  {
    mode,
    requireApproval,
    approvalKey,
    contracts,
  }: Pick<GuardOptions, "mode" | "requireApproval" | "approvalKey" | "contracts">,
  contract: Contract,
): { readonly problem: string; readonly refuse: boolean } | undefined {
  const refuse = requireApproval || contract.approvalRequired;
  // Shadow mode changes nothing that anybody would have to answer for.
  if (!refuse && mode !== "enforce") return undefined;
  let key: KeyObject | undefined;
  if (approvalKey !== undefined) {
    const read = readKey(approvalKey, "public");
    if (typeof read === "string") return { problem: `--approval-key: ${read}`, refuse: true };
    key = read;
  }
  const state = approvalState(contract, key);
  if (state.type === "holds") return undefined;
  const remedy = `read it with fourgate review ${contracts}, then approve it with --approve --by NAME`;
  return { problem: `the contract ${contracts} is not approved: ${state.problems.join("; ")}; ${remedy}`, refuse };
}
