// What a doctor found, for people and for programs; ASCII, so that no name in it can move a cursor.

import type { Checkup } from "../core/doctor/checkup.ts";
import type { Finding } from "../core/doctor/types.ts";
import { ascii } from "./characters.ts";
import { painter } from "./text.ts";

const TAGS = { ok: "[ OK ]", warn: "[WARN]", fail: "[FAIL]", skip: "[SKIP]", info: "[INFO]" } as const;

export function doctorText(result: Checkup, color: boolean): string {
  const paint = painter(color);
  const colours = { ok: paint.green, warn: paint.yellow, fail: paint.red, skip: paint.dim, info: paint.dim };
  const lines: string[] = [];
  let section = "";
  for (const { section: own, level, text } of result.findings) {
    if (own !== section) lines.push(...(section === "" ? [] : [""]), ascii(own));
    section = own;
    lines.push(`  ${colours[level](TAGS[level])} ${ascii(text)}`);
  }
  const { nothing, server } = safetyWords(result);
  const verdict = result.ready ? paint.green(verdictWords(result)) : paint.red(verdictWords(result));
  return `${[...lines, "", "Write safety", `  ${nothing}`, `  ${server}`, verdict].join("\n")}\n`;
}

export function doctorJson(result: Checkup, version: string): string {
  const document = {
    doctor_version: 1,
    fourgate: version,
    verdict: result.ready ? "ready_for_shadow" : "not_ready",
    warnings: result.warnings,
    problems: result.problems,
    server_started: result.serverStarted,
    findings: result.findings.map(({ section, level, code, text }: Finding) => ({ section, level, code, text })),
  };
  return `${ascii(JSON.stringify(document, null, 2), "\n")}\n`;
}

function verdictWords({ ready, warnings, problems }: Checkup): string {
  const count = (number: number, word: string) => `${number} ${word}${number === 1 ? "" : "s"}`;
  return ready
    ? `Verdict: READY FOR SHADOW (${count(warnings, "warning")})`
    : `Verdict: NOT READY: ${count(problems, "problem")}`;
}

function safetyWords({ serverStarted }: Checkup): { nothing: string; server: string } {
  return {
    nothing: "No tool was called, no verifier was run, nothing was requested over a network, and no file was written.",
    server: serverStarted
      ? "The server was started for its list of tools, with the credentials withheld, and ended."
      : "The server was not started (target: none).",
  };
}
