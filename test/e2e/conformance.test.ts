// The official conformance suites give the same result for a server behind the guard as for the server itself.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  clientReport,
  conformanceServer,
  type Era,
  failing,
  type Report,
  serverReport,
  type suites,
} from "./conformance.ts";
import { MAIN, node, PASSES, scratch } from "./harness.ts";
import { outcomesIn, readLog } from "./outcomes.ts";

const PROTECTED = [
  "test_simple_text",
  "test_image_content",
  "test_audio_content",
  "test_embedded_resource",
  "test_multiple_content_types",
  "test_tool_with_logging",
  "test_tool_with_progress",
  "test_error_handling",
  "test_sampling",
  "test_elicitation",
  "test_input_required_result_elicitation",
  "test_input_required_result_sampling",
  "test_input_required_result_request_state",
  "test_input_required_result_multi_round",
];

const tool = {
  extract: { kind: { source: "result", path: "result.content.0.type" } },
  verifier: { command: PASSES, timeout_ms: 2000 },
  allowed_failure_reasons: ["record_missing"],
};

function guarded(mode: string, server: readonly string[], names = PROTECTED) {
  const directory = scratch();
  const contract = join(directory, "contract.json");
  const log = join(directory, "outcomes.jsonl");
  const tools = Object.fromEntries(names.map((name) => [name, tool]));
  writeFileSync(contract, JSON.stringify({ contract_version: 1, tools }));
  const flags = ["--contracts", contract, "--mode", mode, "--log", log];
  return { command: [node, MAIN, "guard", ...flags, "--", ...server], log };
}

interface Run {
  readonly suite: keyof typeof suites;
  readonly flags: readonly string[];
  readonly era: Era;
  /** Both where the suite is quick; the two suites of the legacy revisions, a minute of processor time a mode, have one each. */
  readonly modes: readonly ("shadow" | "enforce")[];
  /** How many scenarios there are, so that a suite that runs nothing does not look like one that passes. */
  readonly scenarios: number;
  /** What the records say besides PASS: a refusal, and questions of the server that the suite leaves unanswered. */
  readonly unknown: readonly string[];
  /** Scenarios of extensions and transports that neither the server nor the bridge has. */
  readonly beyond: readonly string[];
}

const REFUSED = ["unknown/not_success_result"];
const runs: Record<string, Run> = {
  "0.1.13 on this Node": {
    suite: "0.1.13",
    flags: [],
    era: "legacy",
    modes: ["enforce"],
    scenarios: 30,
    unknown: REFUSED,
    beyond: [],
  },
  "0.2.0 on Node 22 for revision 2025-11-25": {
    suite: "0.2.0",
    flags: ["--requirements", "2025-11-25", "--timeout", "90000"],
    era: "legacy",
    modes: ["shadow"],
    scenarios: 33,
    unknown: REFUSED,
    beyond: [],
  },
  "0.2.0 on Node 22 for revision 2026-07-28": {
    suite: "0.2.0",
    flags: ["--requirements", "2026-07-28", "--timeout", "90000"],
    era: "modern",
    modes: ["shadow", "enforce"],
    scenarios: 50,
    unknown: [...REFUSED, "unknown/deferred"],
    beyond: [
      "http-custom-header-server-validation",
      "tasks-capability-negotiation",
      "tasks-dispatch-and-envelope",
      "tasks-lifecycle",
      "tasks-mrtr-composition",
      "tasks-mrtr-input",
      "tasks-request-headers",
      "tasks-request-state-removal",
      "tasks-required-task-error",
      "tasks-wire-fields",
    ],
  },
};

describe("conformance suite", () => {
  test.each(Object.entries(runs))("%s: the same with and without the guard", async (_, run) => {
    const server = [node, await conformanceServer(), run.era];
    const guards = run.modes.map((mode) => guarded(mode, server));
    const [direct, ...others] = (await Promise.all(
      [server, ...guards.map(({ command }) => command)].map((command) =>
        serverReport(run.suite, run.flags, run.era, command),
      ),
    )) as [Report, ...Report[]];
    expect(Object.keys(direct)).toHaveLength(run.scenarios);
    expect(failing(direct)).toEqual(run.beyond);
    for (const report of others) expect(report).toEqual(direct);
    for (const { log } of guards) {
      const outcomes = readLog(log).map(({ status, reason_code }) => `${status}/${reason_code}`);
      expect(outcomes.length).toBeGreaterThan(8);
      expect(new Set(outcomes)).toEqual(new Set(["pass/postcondition_satisfied", ...run.unknown]));
    }
  });

  test.each([
    ["initialize", []],
    ["tools_call", ["add_numbers pass/postcondition_satisfied"]],
    ["elicitation-sep1034-client-defaults", ["test_client_elicitation_defaults pass/postcondition_satisfied"]],
  ])("0.1.13, client scenario %s: the same with and without the guard", async (scenario, outcomes) => {
    const names = ["add_numbers", "test_client_elicitation_defaults"];
    const shadow = guarded("shadow", [], names);
    const enforce = guarded("enforce", [], names);
    const [direct, ...others] = (await Promise.all(
      [[], shadow.command, enforce.command].map((guard) => clientReport("0.1.13", scenario, guard)),
    )) as [Report, Report, Report];
    expect(Object.values(direct).flat().length).toBeGreaterThan(0);
    expect(failing(direct)).toEqual([]);
    for (const report of others) expect(report).toEqual(direct);
    for (const { log } of [shadow, enforce]) expect(outcomesIn(log)).toEqual(outcomes);
  });
});
