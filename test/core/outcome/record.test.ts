// The text of an outcome record: its keys, their order, and that any name survives it on one line of ASCII.

import fc from "fast-check";
import { expect, test } from "vitest";
import { encodeRecord, type RecordEnvelope } from "../../../src/core/outcome/record.ts";
import type { OutcomeFields } from "../../../src/core/outcome/types.ts";

const outcome: OutcomeFields = {
  server: "tracker",
  tool: "create_issue",
  mode: "enforce",
  status: "fail",
  reason_code: "record_missing",
  checked_fields: ["title", "issue_id"],
  gate_ms: 41.6,
  verify_ms: 40,
  call_ms: 12,
};
const envelope: RecordEnvelope = { timestampMs: 1_780_000_000_120, session: "s1", seq: 3, contract: "sha256:ab" };

test("a record is one line with its keys sorted and its time in seconds to the millisecond", () => {
  expect(encodeRecord(outcome, envelope)).toBe(
    '{"call_ms":12,"checked_fields":["issue_id","title"],"contract":"sha256:ab","gate_ms":42,"mode":"enforce",' +
      '"reason_code":"record_missing","seq":3,"server":"tracker","session":"s1","status":"fail",' +
      '"timestamp":1780000000.120,"tool":"create_issue","v":1,"verify_ms":40}',
  );
});

test("a verdict that was withheld is said, and what is absent is left out", () => {
  const { verify_ms, call_ms, ...rest } = outcome;
  const record = JSON.parse(encodeRecord({ ...rest, verdict_withheld: "line_too_long" }, envelope));
  expect(record.verdict_withheld).toBe("line_too_long");
  expect(Object.keys(record)).not.toContain("verify_ms");
  expect(Object.keys(record)).not.toContain("call_ms");
  expect(Object.keys(record)).toEqual(Object.keys(record).sort());
});

test("a forged mark is said", () => {
  expect(JSON.parse(encodeRecord({ ...outcome, mark_forged: true }, envelope)).mark_forged).toBe(true);
  expect(encodeRecord(outcome, envelope)).not.toContain("mark_forged");
});

test("a time that is no number is left out instead of breaking the line", () => {
  const record = JSON.parse(encodeRecord({ ...outcome, gate_ms: Number.NaN, verify_ms: -1, call_ms: 1 / 0 }, envelope));
  expect(record).not.toHaveProperty("gate_ms");
  expect(record).not.toHaveProperty("verify_ms");
  expect(record).not.toHaveProperty("call_ms");
});

test("any tool name comes back from one line of printable ASCII, half characters as U+FFFD", () => {
  const names = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("\ud800", "a\udc00b", "\u2028\n\u007f", "__proto__"),
  );
  fc.assert(
    fc.property(names, (tool) => {
      const line = encodeRecord({ ...outcome, tool }, envelope);
      expect(line).toMatch(/^[\x20-\x7e]+$/);
      expect(JSON.parse(line).tool).toBe(Buffer.from(tool).toString());
      expect(line).not.toMatch(/\\ud[89ab]..(?!\\ud[c-f])/);
    }),
  );
});
