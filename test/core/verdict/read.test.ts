// What a read-back's end comes to, and what the agent is told about it.

import { expect, test } from "vitest";
import { decide } from "../../../src/core/verdict/decide.ts";
import type { Reply } from "../../../src/core/verdict/types.ts";
import { verdictText } from "../../../src/core/verdict/wording.ts";

const read = (outcome: object): Reply => ({ ended: "read", outcome: { attempts: 1, note: "", ...outcome } as never });
const mismatch = { type: "fail", reason: "field_mismatch", unmet: ["labels"], fields: ["labels"] };

test("PASS and UNKNOWN are taken over; a FAIL that the contract does not allow is UNKNOWN", () => {
  const allowed = new Set(["field_mismatch"]);
  expect(decide(read({ type: "pass" }), allowed)).toEqual({ status: "pass", reason: "postcondition_satisfied" });
  expect(decide(read({ type: "unknown", reason: "readback_timeout" }), allowed)).toEqual({
    status: "unknown",
    reason: "readback_timeout",
  });
  expect(decide(read(mismatch), allowed)).toEqual({
    status: "fail",
    reason: "field_mismatch",
    unmetFields: ["labels"],
  });
  expect(decide(read({ ...mismatch, reason: "record_missing" }), allowed)).toEqual({
    status: "unknown",
    reason: "readback_unconfirmed",
  });
});

test("the agent is told which fields are not met, beside what exists", () => {
  const verdict = {
    label: "s",
    tool: "t",
    reason: "field_mismatch",
    checkedFields: ["id", "labels"],
    recovery: "stop",
  } as const;
  expect(verdictText({ ...verdict, unmetFields: ["labels"] })).toContain(
    "the task is not complete. Not as asked: labels. Do not repeat",
  );
  expect(verdictText({ ...verdict, unmetFields: [] })).not.toContain("Not as asked");
  expect(verdictText(verdict)).not.toContain("Not as asked");
});
