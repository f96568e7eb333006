// The check of one call: by the same verifiers, read-backs and decisions as under guard.

import { checkLimitMs, credentialNames } from "../../core/contract/check.ts";
import type { ToolContract } from "../../core/contract/types.ts";
import { decide } from "../../core/verdict/decide.ts";
import type { Outcome, Reply } from "../../core/verdict/types.ts";
import type { Environment } from "../../io/environment.ts";
import { authHeaders } from "../../readback/http-auth.ts";
import type { ScanContext } from "./context.ts";
import type { Sight } from "./reads.ts";

export interface Checked {
  readonly outcome: Outcome;
  readonly attempts: number;
  readonly reply: Reply;
  /** Of a read-back. */
  readonly sight: Sight | undefined;
  /** Of a verifier: the end of its stderr, without its input's values. */
  readonly stderr: string;
}

let checks = 0;

/**
 * Runs the check. With a contract of the case's own, a read-back's own time limits hold; with one out of a contract file, those that
 * hold under guard, since that is what is to be proven. Never rejects.
 */
export async function check(
  { verifiers, reads, stop }: Pick<ScanContext, "verifiers" | "reads" | "stop">,
  contract: ToolContract,
  own: boolean,
  input: string,
): Promise<Checked> {
  const { verifier, readback } = contract;
  if (readback !== undefined) {
    const limitMs = own ? readback.timeoutMs : checkLimitMs(contract);
    const { outcome, sight } = await reads.run(readback, input, limitMs, stop);
    const reply: Reply = stop.aborted && outcome.type !== "pass" ? { ended: "cancelled" } : { ended: "read", outcome };
    return { outcome: decided(reply, contract), attempts: outcome.attempts, reply, sight, stderr: "" };
  }
  // A signal that was aborted before tells nobody.
  if (stop.aborted) {
    const reply: Reply = { ended: "cancelled" };
    return { outcome: decided(reply, contract), attempts: 0, reply, sight: undefined, stderr: "" };
  }
  const number = ++checks;
  const cancel = () => verifiers.cancel(number);
  stop.addEventListener("abort", cancel);
  const run = await verifiers.run(number, verifier!, input, checkLimitMs(contract));
  stop.removeEventListener("abort", cancel);
  const outcome = decided(run.reply, contract);
  const stderr = outcome.status === "unknown" ? run.stderrTail : "";
  return { outcome, attempts: 1, reply: run.reply, sight: undefined, stderr };
}

function decided(reply: Reply, { allowedFailureReasons }: ToolContract): Outcome {
  if (reply.ended === "cancelled") return { status: "unknown", reason: "session_ended" };
  return decide(reply, allowedFailureReasons);
}

/** Whether a credential that the check needs is not there, or cannot be sent: then nothing is to be written that could not be checked. */
export function credentialMissing(contract: ToolContract, environment: Environment): boolean {
  if (credentialNames(contract).some((name) => !environment[name])) return true;
  const source = contract.readback?.source;
  const auth = source?.type === "http" || source?.type === "graphql" ? source.auth : undefined;
  return auth !== undefined && !authHeaders(auth, { environment }).ok;
}
