// Reports for tests: one as a user gets it, parts of others, and reports of any content.

import type { CaseReport, ScanReport, Totals } from "../../src/report/model.ts";

/** A case that passed, with what a test says about it. */
export function aCase(given: Partial<CaseReport> = {}): CaseReport {
  return {
    index: 1,
    name: "create_ticket #1",
    tool: "create_ticket",
    place: { file: "ci/scan.jsonc", line: 12, column: 5 },
    expected: "pass",
    status: "pass",
    reason_code: "postcondition_satisfied",
    as_expected: true,
    attempts: 1,
    duration_ms: 84,
    checked_fields: ["ticket_id", "title"],
    mismatched_fields: [],
    ...given,
  };
}

/** A report of some cases, with the counts that they come to. */
export function aReport(cases: readonly CaseReport[], given: Partial<ScanReport> = {}, notRun = 0): ScanReport {
  return {
    scan_version: 1,
    report_version: 1,
    generated_at_utc: "2026-11-30T23:50:00.000Z",
    fourgate: "0.4.0",
    scan_file: "ci/scan.jsonc",
    test_account: "tickets-sandbox",
    run_id: "r7k2m9q4",
    server: { name: "tickets", version: "1.0.0", protocol_version: "2025-11-25" },
    duration_ms: 3210,
    totals: totalsOf(cases, notRun),
    cases,
    leftovers: [],
    stopped: null,
    ...given,
  };
}

function totalsOf(cases: readonly CaseReport[], notRun: number): Totals {
  const count = (wanted: (one: CaseReport) => boolean): number => cases.filter(wanted).length;
  return {
    cases: cases.length + notRun,
    pass: count(({ status }) => status === "pass"),
    fail: count(({ status }) => status === "fail"),
    unknown: count(({ status }) => status === "unknown"),
    as_expected: count(({ as_expected }) => as_expected),
    not_run: notRun,
  };
}

const missing = aCase({
  index: 2,
  name: "A ticket is stored",
  place: { file: "ci/scan.jsonc", line: 25, column: 5 },
  status: "fail",
  reason_code: "record_missing",
  as_expected: false,
  attempts: 3,
  duration_ms: 1240,
  evidence: {
    request: { method: "tools/call", params: { name: "create_ticket", arguments: { title: "[WITHHELD]" } } },
    tool_response: {
      content: [{ type: "text", text: "Created ticket T-12" }],
      structuredContent: { ticket_id: "T-12" },
    },
    readback: { method: "GET", status: 404, attempts: 3 },
  },
  repro_steps: [
    "Start the server: node server.mjs lying",
    'Call create_ticket with {"title":"fourgate r7k2m9q4"}',
    "Read the ticket that it names: GET /tickets/T-12",
    "The answer is 404, although the tool reported success",
  ],
  cleanup: { status: "failed", reason_code: "id_unknown" },
});

const mismatch = aCase({
  index: 3,
  name: "update_ticket #3",
  tool: "update_ticket",
  place: { file: "ci/scan.jsonc", line: 40, column: 5 },
  status: "fail",
  reason_code: "field_mismatch",
  as_expected: false,
  attempts: 3,
  duration_ms: 1502,
  checked_fields: ["priority", "title"],
  mismatched_fields: [
    { path: "ticket.priority", expected: '"high"', observed: '"normal"' },
    { path: "ticket.title", expected: "[WITHHELD]", observed: "[WITHHELD]" },
  ],
  evidence: {
    request: { method: "tools/call", params: { name: "update_ticket", arguments: { priority: "high" } } },
    tool_response: { content: [{ type: "text", text: "Updated" }] },
    readback: { method: "GET", status: 200 },
  },
});

const proof = aCase({
  index: 4,
  name: "The contract can fail",
  place: { file: "ci/scan.jsonc", line: 55, column: 5 },
  expected: "fail",
  status: "fail",
  reason_code: "field_mismatch",
  mismatched_fields: [{ path: "title", expected: '"another"', observed: '"fourgate"' }],
  duration_ms: 310,
});

const doubt = aCase({
  index: 5,
  name: "delete_ticket #5",
  tool: "delete_ticket",
  place: { file: "ci/scan.jsonc", line: 70, column: 5 },
  status: "unknown",
  reason_code: "call_timeout",
  as_expected: false,
  attempts: 0,
  duration_ms: 5003,
  checked_fields: [],
  evidence: {
    request: { method: "tools/call", params: { name: "delete_ticket" } },
    tool_response: null,
    readback: null,
  },
});

/** What a lying server comes to: a pass, two kinds of FAIL, a FAIL as expected, a doubt that stopped the scan. */
export const sample: ScanReport = aReport(
  [aCase(), missing, mismatch, proof, doubt],
  {
    duration_ms: 8139,
    leftovers: [{ tool: "create_ticket", case: 3, id: "T-13" }],
    stopped: { reason_code: "call_timeout", after_case: 5 },
  },
  2,
);

export const plain = { color: false, env: {} } as const;
