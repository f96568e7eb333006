// The contract file itself, and each tool's check.

import { placeName } from "../contract/issue.ts";
import type { ToolContract } from "../contract/types.ts";
import { MAX_GUARDED_READBACK_MS } from "../limits.ts";
import type { Readback } from "../readback/types.ts";
import type { Facts, Finding, Level } from "./types.ts";

export function contractFindings({
  file,
  contract,
  issues,
  looseFiles,
  missingDrivers,
  mode,
  secretProblems,
}: Facts): Finding[] {
  const say = (level: Level, code: string, text: string): Finding => ({ section: "Contract", level, code, text });
  if (contract === undefined) return issues.map((issue) => say("fail", "contract_invalid", issue));
  const count = contract.tools.size;
  return [
    say("ok", "contract_valid", `${file}: ${count} protected tool${count === 1 ? "" : "s"}`),
    ...missingDrivers.map((problem) => say("fail", "driver_missing", problem)),
    ...secretProblems.map((problem) => say("fail", "secret_unreadable", problem)),
    // In enforce guard does not start with them.
    ...looseFiles.map((problem) => say(mode === "enforce" ? "fail" : "warn", "file_not_ours_alone", problem)),
  ];
}

export function verifierFindings(facts: Facts): Finding[] {
  const tools = [...(facts.contract?.tools.values() ?? [])];
  return tools.flatMap((tool) =>
    tool.readback ? readbackFindings(tool, tool.readback) : programFindings(tool, facts),
  );
}

function programFindings({ tool }: ToolContract, { programs }: Facts): Finding[] {
  const section = `Verifier of ${tool}`;
  const facts = programs.get(tool);
  if (facts === undefined) return [];
  const { program, there, script } = facts;
  const place = placeName(["tools", tool, "verifier", "command"]);
  const missing = !there ? program : script?.there === false ? script.path : undefined;
  if (missing !== undefined) {
    const text = `${place}: ${missing} is not found or may not be run; until it is there, every check is UNKNOWN`;
    return [{ section, level: "fail", code: "verifier_missing", text }];
  }
  const text = `${script?.path ?? program} is there; what it reads and decides cannot be looked into, so prove it with fourgate scan`;
  return [{ section, level: "warn", code: "verifier_custom", text }];
}

/** What stands out in a read-back. */
export function readbackFindings({ tool, allowedFailureReasons }: ToolContract, readback: Readback): Finding[] {
  const section = `Verifier of ${tool}`;
  const { source, attempts, intervalMs, timeoutMs, expect } = readback;
  const said: [level: Level, code: string, text: string][] = [];
  const mayBeMissing = allowedFailureReasons.has("record_missing");
  if (expect === "present" && mayBeMissing && !canProveAbsence(readback)) {
    said.push([
      "warn",
      "absence_unprovable",
      `record_missing is allowed, but ${absenceRemedy(readback)}; a missing record stays UNKNOWN`,
    ]);
  }
  if (expect === "present" && !mayBeMissing && canProveAbsence(readback)) {
    said.push([
      "warn",
      "absence_not_allowed",
      "the read-back can tell that a record is missing, but record_missing is not in allowed_failure_reasons; a missing record stays UNKNOWN",
    ]);
  }
  if (timeoutMs > MAX_GUARDED_READBACK_MS) {
    said.push([
      "info",
      "budget_cut",
      `timeout_ms is ${timeoutMs}, but under guard a read-back ends after ${MAX_GUARDED_READBACK_MS} ms`,
    ]);
  }
  const budget = Math.min(timeoutMs, MAX_GUARDED_READBACK_MS);
  if ((attempts - 1) * intervalMs >= budget) {
    said.push([
      "warn",
      "attempts_do_not_fit",
      `${attempts} attempts ${intervalMs} ms apart do not fit into ${budget} ms; the last ones are never made`,
    ]);
  }
  const ok: Finding = {
    section,
    level: "ok",
    code: "readback_valid",
    text: `${source.type} read-back, ${attempts} attempt${attempts === 1 ? "" : "s"}`,
  };
  return [ok, ...said.map(([level, code, text]): Finding => ({ section, level, code, text }))];
}

/** Whether something that the read-back may see proves that there is no such record. */
function canProveAbsence({ source, find, tombstone }: Readback): boolean {
  if (find?.complete || tombstone !== undefined) return true;
  switch (source.type) {
    case "http":
      // What a search does not find may be on the next page.
      return source.missingStatuses.length > 0 && find === undefined;
    case "graphql":
      return source.nullIsMissing;
    case "mcp":
      return source.absentWhen.length > 0;
    case "sql":
      // PostgreSQL is asked whether it hides rows from this reader; a list is a list.
      return !source.list;
    case "file":
      return true;
  }
}

function absenceRemedy({ source, find }: Readback): string {
  if (find !== undefined) return "a search or a list that is not declared complete proves no absence";
  switch (source.type) {
    case "http":
      return "no status in missing_statuses says that there is no such record";
    case "graphql":
      return "null is not declared to mean that there is no such record";
    case "mcp":
      return "no text in absent_when says that there is no such record";
    default:
      return "an empty answer is not declared to mean that there is no such record";
  }
}
