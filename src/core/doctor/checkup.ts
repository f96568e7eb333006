// All rules in the order of the report, and what they come to.

import { contractFindings, verifierFindings } from "./contract-rules.ts";
import { credentialFindings, logFindings, machineFindings, serverFindings } from "./setup-rules.ts";
import type { Facts, Finding } from "./types.ts";

export interface Checkup {
  readonly findings: readonly Finding[];
  readonly warnings: number;
  readonly problems: number;
  /** Ready to run in shadow mode; whether to enforce is for people to say who have read what shadow recorded. */
  readonly ready: boolean;
  readonly serverStarted: boolean;
}

/** Judges the facts. Without a contract that can be read, everything after it is skipped. */
export function checkup(facts: Facts): Checkup {
  const findings = facts.contract === undefined ? invalid(facts) : all(facts);
  const count = (level: Finding["level"]) => findings.filter((one) => one.level === level).length;
  const problems = count("fail");
  const serverStarted = facts.server.type === "session" || facts.server.type === "no_session";
  return { findings, warnings: count("warn"), problems, ready: problems === 0, serverStarted };
}

function all(facts: Facts): Finding[] {
  return [
    ...contractFindings(facts),
    ...verifierFindings(facts),
    ...credentialFindings(facts),
    ...serverFindings(facts),
    ...logFindings(facts),
    ...machineFindings(facts),
  ];
}

function invalid(facts: Facts): Finding[] {
  const [first, ...more] = contractFindings(facts);
  const others = more.length === 0 ? "" : ` (and ${more.length} more, which fourgate guard lists)`;
  return [
    { ...first!, text: `${first!.text}${others}` },
    ...["Verifier", "Credentials", "MCP server", "Mode and log"].map(
      (section): Finding => ({ section, level: "skip", code: "contract_invalid", text: "needs a valid contract" }),
    ),
    ...machineFindings(facts),
  ];
}
