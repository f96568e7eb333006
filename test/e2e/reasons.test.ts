// The table of reasons (docs/verdicts.md) row by row, for all that does not come from a verifier that misbehaves: the answer goes
// on byte for byte, the record says why, nothing is left running, and the next check works.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { answerOf, besideSound, enforced, enforcedInTurn, goesOn, onlyLeft, warm } from "./checked.ts";
import { FAILS, fixture, type Guard, guard, node, PASSES, scratch, verdictOf } from "./harness.ts";

/** Answers each line with what the line's `params.say` holds, word for word. */
const server = [node, fixture("says.mjs")];
const GOOD = '{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"id":12}}}';
const result = (json: string) => `{"jsonrpc":"2.0","id":1,"result":${json}}`;
const saying = (say: string, id = "1") =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"create","say":${JSON.stringify(say)}}}`;

test("answers with nothing to check", async () => {
  const answers = {
    "an error response": ['{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"no"}}', "not_success_result"],
    "isError true": [result('{"isError":true,"content":[],"structuredContent":{"id":12}}'), "not_success_result"],
    "a result that is a text": [result('"done"'), "not_success_result"],
    "a result that is null": [result("null"), "not_success_result"],
    "a result that is a list": [result("[]"), "not_success_result"],
    "the record id missing": [result('{"content":[],"structuredContent":{}}'), "success_without_record_id"],
    "the record id null": [result('{"content":[],"structuredContent":{"id":null}}'), "success_without_record_id"],
    "the record id empty": [result('{"content":[],"structuredContent":{"id":""}}'), "success_without_record_id"],
  };
  const rows = Object.entries(answers) as [string, [string, string]][];
  const calls = rows.map(([what, [answer]]) => [what, { server, ask: (to: Guard) => to.send(saying(answer)), answer }]);
  expect(await enforcedInTurn(besideSound(FAILS), Object.fromEntries(calls))).toEqual(
    Object.fromEntries(rows.map(([what, [, reason]]) => [what, `unknown/${reason}`])),
  );
});

test.each([
  ["a task", result('{"task":{"taskId":"t","status":"working"}}')],
  ["a request for input", result('{"resultType":"input_required","inputRequests":{}}')],
])("an answer that is %s, and nothing more", async (_what, answer) => {
  const { record } = await enforced(besideSound(FAILS), { server, ask: (to) => to.send(saying(answer)), answer });
  expect(record).toMatchObject({ status: "unknown", reason_code: "deferred" });
});

test("request ids that cannot be matched", async () => {
  const ids = {
    null: "null",
    "an object": '{"a":1}',
    "a list": "[1]",
    true: "true",
    "longer than 4096 bytes": `"${"i".repeat(5000)}"`,
  };
  const calls = Object.entries(ids).map(([what, id]) => {
    const answer = `{"jsonrpc":"2.0","id":${id},"result":{"content":[],"structuredContent":{"id":12}}}`;
    return [what, { server, ask: (to: Guard) => to.send(saying(answer, id)), answer }];
  });
  expect(await enforcedInTurn(besideSound(FAILS), Object.fromEntries(calls))).toEqual(
    Object.fromEntries(Object.keys(ids).map((what) => [what, "unknown/request_id_ambiguous"])),
  );
});

test("a selected field missing", async () => {
  const extract = {
    id: { source: "result", path: "result.structuredContent.id" },
    title: { source: "arguments", path: "title" },
  };
  const { record } = await enforced(besideSound(FAILS, { extract }));
  expect(record).toMatchObject({ status: "unknown", reason_code: "required_field_missing" });
});

test("an answer longer than --max-inspect", async () => {
  const answer = answerOf(1, { content: [{ type: "text", text: "x".repeat(5000) }], structuredContent: { id: 1 } });
  const { record } = await enforced(besideSound(FAILS), {
    flags: ["--max-inspect", "4096"],
    answer,
    ask: (to) => to.call(1, "create", { size: 5000 }),
  });
  expect(record).toMatchObject({ status: "unknown", reason_code: "response_too_large" });
});

test("one id for two calls in flight: both are unknown, and both answers go on", async () => {
  const session = guard({ contract: besideSound(FAILS), flags: ["--mode", "enforce"], server });
  await warm(session);
  session.send(saying(""));
  session.send(saying(`${GOOD}\n${GOOD}`));
  expect([await session.next(), await session.next()]).toEqual([GOOD, GOOD]);
  await goesOn(session);
  expect(await session.end()).toBe(0);
  expect(session.left()).toEqual([]);
  expect(session.records().map((record) => record.reason_code)).toEqual([
    "request_id_ambiguous",
    "request_id_ambiguous",
    "record_missing",
  ]);
});

describe("a check that is not waited for to its end", () => {
  const slow = (seconds: number) => [
    "sh",
    "-c",
    `read -r input; sleep ${seconds}; echo '{"status":"fail","reason_code":"record_missing"}'`,
  ];

  test("a later write to the record makes a would-be FAIL overlapped", async () => {
    const later = answerOf("later", { content: [] });
    const { record } = await enforced(besideSound(slow(0.5)), {
      ask: (to) => {
        const alone = to.left().length;
        to.call(1);
        void to
          .until(() => to.left().length > alone)
          .then(() => to.call("later", "update", { record: 1, reply: { content: [] } }));
      },
      answer: `${later}\n${answerOf(1)}`,
    });
    expect(record).toMatchObject({ status: "unknown", reason_code: "overlapped" });
  });

  test("a call cancelled during its check: its answer is not sent, its verifier is ended at once", async () => {
    const session = guard({ contract: besideSound(slow(100)), flags: ["--mode", "enforce"] });
    await warm(session);
    const alone = session.left().length;
    session.call(1);
    await session.until(() => session.left().length > alone);
    session.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
    await onlyLeft(session, alone);
    await goesOn(session);
    expect(await session.end()).toBe(0);
    expect(session.lines).toEqual([]);
    expect(session.left()).toEqual([]);
    expect(session.records().map((record) => record.reason_code)).toEqual(["cancelled", "record_missing"]);
    expect(session.records()[0]!.gate_ms).toBeLessThan(2000);
  });

  test("a check whose limit we miss ends at the outer bound, as our own fault", async () => {
    const limit = 300;
    const contract = besideSound(slow(100), { verifier: { timeout_ms: limit } });
    // The timer of the check's limit, the first of its length, never comes; those that are set later do.
    const fault = join(scratch(), "fault.mjs");
    writeFileSync(
      fault,
      `const set = globalThis.setTimeout;
      let missed = false;
      globalThis.setTimeout = (act, ms, ...more) => {
        if (missed || !(ms > ${limit - 50} && ms <= ${limit})) return set(act, ms, ...more);
        missed = true;
        return set(() => {}, 0);
      };`,
    );
    const env = { NODE_OPTIONS: `--import ${pathToFileURL(fault)}` };
    const { record } = await enforced(contract, { env, withinMs: limit + 250 + 500 });
    expect(record).toMatchObject({ status: "unknown", reason_code: "internal_error" });
  });
});

test("PASS changes no byte, and FAIL puts its verdict before what is there", async () => {
  const { record } = await enforced(besideSound(PASSES));
  expect(record).toMatchObject({ status: "pass", reason_code: "postcondition_satisfied" });
  const session = guard({ contract: besideSound(FAILS), flags: ["--mode", "enforce"] });
  await warm(session);
  session.call(1);
  const line = (await session.next())!;
  expect(verdictOf(JSON.parse(line))).toContain("outcome_failed");
  const item = /\{"type":"text","text":"\[FOURGATE\](?:[^"\\]|\\.)*"\},/.exec(line)!;
  expect(line.replace(item[0], "")).toBe(answerOf(1));
  expect(await session.end()).toBe(0);
  expect(session.records()).toMatchObject([{ status: "fail", reason_code: "record_missing" }]);
});
