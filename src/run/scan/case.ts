// One case from its call to its report: the call once, the check, the clean-up.

import { fillCaseArguments } from "../../core/scan/arguments.ts";
import { argumentFields, judgeAnswer } from "../../core/scan/judge.ts";
import type { ScanCase } from "../../core/scan/types.ts";
import type { CaseReport, Leftover } from "../../report/model.ts";
import { type CallEnd, callTool, followTask } from "./call.ts";
import { type Checked, check, credentialMissing } from "./check.ts";
import { cleanUp } from "./clean-up.ts";
import type { ScanContext } from "./context.ts";
import { checkedFields, isForeign, mismatchedFields, tellAnswer, tellCheck, tellRequest } from "./evidence.ts";
import { reproSteps } from "./repro.ts";

export interface CaseDone {
  readonly report: CaseReport;
  readonly leftover: Leftover | undefined;
  /** Nothing may be written any more, for this reason. */
  readonly stopped: string | undefined;
}

/** What a case came to before anything is told of it. */
interface CaseEnd {
  readonly status: CaseReport["status"];
  readonly reason: string;
  readonly fatal: boolean;
  readonly call?: CallEnd;
  readonly checked?: Checked;
}

/** `file` and `again` are the scan file as it was given and the command that runs the case again. */
export async function runCase(context: ScanContext, one: ScanCase, file: string, again: string): Promise<CaseDone> {
  const begin = performance.now();
  const argumentsJson = fillCaseArguments(one.arguments, context.runId);
  const fields = argumentFields(one.contract, argumentsJson);
  const end = await makeCase(context, one, argumentsJson, fields);
  const durationMs = Math.round(performance.now() - begin);
  const { call, checked, status } = end;
  const cleaned = await cleanUp(context, one, {
    called: call !== undefined,
    unsettled: call?.type === "unknown" && call.fatal,
    foreign: checked !== undefined && isForeign(checked, one.contract, fields, context.runId),
    missing: status === "fail" && end.reason === "record_missing",
    argumentsJson,
    fields,
  });
  const asExpected = status === one.expected;
  const { redactor } = context;
  const decided = status !== "unknown";
  const mismatched = status === "fail" && checked ? mismatchedFields(checked, context) : [];
  const report: CaseReport = {
    index: one.index,
    name: redactor.text(one.name),
    tool: one.tool,
    place: { file, ...one.place },
    expected: one.expected,
    status,
    reason_code: end.reason,
    as_expected: asExpected,
    attempts: checked?.attempts ?? 0,
    duration_ms: durationMs,
    checked_fields: decided ? checkedFields(one.contract) : [],
    mismatched_fields: mismatched,
    ...((status !== "pass" || !asExpected) && {
      evidence: {
        request: tellRequest(one.tool, argumentsJson, context),
        tool_response: tellAnswer(call, context),
        readback: checked ? tellCheck(checked, context) : { reason_code: notRead(end.reason) },
      },
    }),
    ...(status === "fail" && { repro_steps: reproSteps(one, end.reason, mismatched, checked, file, again, redactor) }),
    ...(cleaned && { cleanup: cleaned.cleanup }),
  };
  return { report, leftover: cleaned?.leftover, stopped: end.fatal ? end.reason : cleaned?.stopped };
}

async function makeCase(
  context: ScanContext,
  one: ScanCase,
  argumentsJson: string,
  fields: Map<string, string>,
): Promise<CaseEnd> {
  const { session, stop, giveUp, environment, callTimeoutMs } = context;
  const { contract, cleanup, tool } = one;
  // What could not be removed afterwards, or not be checked, is not made.
  const needed = cleanup === undefined ? [tool] : [tool, cleanup.tool];
  if (!needed.every((name) => session.tools.has(name))) return unknown("tool_not_discovered");
  if (credentialMissing(contract, environment)) return unknown("credential_missing");
  const begin = performance.now();
  // Told to stop, a scan still hears what the call made, so that it can be removed.
  let call = await callTool(context, tool, argumentsJson, callTimeoutMs, giveUp);
  for (;;) {
    if (call.type === "unknown") return { ...unknown(call.reason), fatal: call.fatal, call };
    const judged = judgeAnswer(contract, call.bytes, call.holder, fields);
    if (judged.type === "undecidable") return { ...unknown(judged.reason), call };
    if (judged.type === "check") {
      const checked = await check(context, contract, one.own, judged.input);
      const { status, reason } = checked.outcome;
      return { status, reason, fatal: stop.aborted, call, checked };
    }
    call = await followTask(context, judged.taskId, callTimeoutMs - (performance.now() - begin), giveUp);
  }
}

const unknown = (reason: string): CaseEnd => ({ status: "unknown", reason, fatal: false });

function notRead(reason: string): string {
  if (reason === "success_without_record_id") return "readback_not_run_without_record_id";
  return "readback_not_run";
}
