// docs/verdicts.md and docs/outcome-log.md against the code that they describe.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { encodeRecord } from "../../src/core/outcome/record.ts";
import { reasons } from "../../src/core/verdict/reasons.ts";

const page = (name: string): string => readFileSync(new URL(`../../docs/${name}`, import.meta.url), "utf8");

test("the page on verdicts lists every fixed reason in the code's own words, and no other", () => {
  const rows = page("verdicts.md")
    .split("\n")
    .filter((line) => line.startsWith("| `"));
  expect(rows).toEqual(
    Object.entries(reasons).map(
      ([code, { status, meaning, remedy }]) => `| \`${code}\` | ${status} | ${meaning} | ${remedy} |`,
    ),
  );
});

test("the page on the outcome log explains every key of a record, and no other", () => {
  const documented = [...page("outcome-log.md").matchAll(/^\| `([a-z_]+)` \|/gm)].map((match) => match[1]);
  const record = encodeRecord(
    {
      server: "s",
      tool: "t",
      mode: "enforce",
      status: "fail",
      reason_code: "r",
      checked_fields: [],
      gate_ms: 1,
      verify_ms: 1,
      call_ms: 1,
      verdict_withheld: "line_too_long",
      mark_forged: true,
    },
    { timestampMs: 0, session: "x", seq: 1, contract: "c" },
  );
  expect(documented.sort()).toEqual(Object.keys(JSON.parse(record)));
});

test("the example record on the page is what fourgate writes", () => {
  const example = /```json\n(.*)\n```/.exec(page("outcome-log.md"))![1]!;
  const { timestamp, session, seq, contract, v, ...outcome } = JSON.parse(example);
  expect(encodeRecord(outcome, { timestampMs: timestamp * 1000, session, seq, contract })).toBe(example);
});
