// What an agent reads, word by word: what exists and what does not, and no invitation to repeat the call.

import { describe, expect, test } from "vitest";
import { CLIENT_SIGHTS } from "../../../src/core/verdict/client-sights.ts";
import { needsErrorShape } from "../../../src/core/verdict/clients.ts";
import { type Verdict, verdictText } from "../../../src/core/verdict/wording.ts";

const verdict = (more: Partial<Verdict>): Verdict => ({
  label: "tracker",
  tool: "create_issue",
  reason: "record_missing",
  checkedFields: ["issue_id", "title"],
  recovery: "stop",
  ...more,
});
const sentence = (more: Partial<Verdict>) => verdictText(verdict(more)).split("\n")[1]!;

const STOP =
  " Do not repeat this call, since it may act twice; do not report success; tell the user what is stated here.";
const ASK = " Do not repeat this call, since it may act twice; tell the user what is stated here and ask how to go on.";
const RETRY =
  " This call may be repeated once, after looking at the state of the record; if the result is the same, stop and tell the user.";

const MISSING =
  "The tool reported success, but the system of record does not have the record: what was asked for is not done.";
const MISMATCH =
  "The tool reported success, and the record exists in the system of record, but not with the values that were asked for: the task is not complete.";
const PRESENT = "The tool reported success, but the system of record still has the record: the removal is not done.";
const OTHER =
  "The tool reported success, but a check of the system of record found otherwise: the task is not complete.";

describe("the sentence", () => {
  test.each([
    ["record_missing", MISSING],
    ["field_mismatch", MISMATCH],
    ["record_present", PRESENT],
    ["a_reason_of_the_contract", OTHER],
    ["constructor", OTHER],
  ])("%s", (reason, finding) => {
    expect(sentence({ reason, recovery: "stop" })).toBe(finding + STOP);
    expect(sentence({ reason, recovery: "ask_user" })).toBe(finding + ASK);
    expect(sentence({ reason, recovery: "retry_once" })).toBe(finding + RETRY);
  });

  test("a record that exists with other values is never said to be missing, and its unmet fields are named", () => {
    const text = sentence({ reason: "field_mismatch", unmetFields: ["title", "labels"] });
    expect(text).toBe(`${MISMATCH} Not as asked: title, labels.${STOP}`);
    expect(text).not.toMatch(/does not have|not done|nothing/);
  });

  test("only the recovery retry_once speaks of repeating as allowed", () => {
    for (const recovery of ["stop", "ask_user"] as const) {
      for (const reason of ["record_missing", "field_mismatch", "record_present", "other"]) {
        expect(sentence({ reason, recovery })).toContain("Do not repeat this call");
        expect(sentence({ reason, recovery })).not.toMatch(/try again|retry|may be repeated/i);
      }
    }
  });
});

test("the statement has exactly four keys, and names of fields but no values", () => {
  const first = verdictText(verdict({ reason: "field_mismatch", unmetFields: ["title"] })).split("\n")[0]!;
  expect(first.startsWith("[FOURGATE] ")).toBe(true);
  expect(JSON.parse(first.slice("[FOURGATE] ".length))).toEqual({
    kind: "outcome_failed",
    tool: "tracker/create_issue",
    evidence: { reason_code: "field_mismatch", checked_fields: ["issue_id", "title"] },
    recovery: "stop",
  });
});

describe("the shape by client", () => {
  test.each(CLIENT_SIGHTS.map(({ client, success }) => [client, success]))("%s", (client, success) => {
    expect(needsErrorShape("auto", client, true)).toBe(success === "structured");
    expect(needsErrorShape("auto", client, false)).toBe(false);
    expect(needsErrorShape("prepend", client, true)).toBe(false);
    expect(needsErrorShape("error", client, false)).toBe(true);
  });

  test.each([undefined, "", "Claude-Code", "claude-code ", "another"])("%j gets the insertion", (client) => {
    expect(needsErrorShape("auto", client, true)).toBe(false);
  });
});
