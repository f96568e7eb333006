// Through the built program: which answers are taken for which calls, and what a verdict does to the bytes around it.

import { expect, test } from "vitest";
import { contractFor, FAILS, fixture, guard, node, says, verdictOf } from "./harness.ts";

const ENFORCE = ["--mode", "enforce"];
/** Answers each line with what the line's `params.say` holds, word for word. */
const SAYS = [node, fixture("says.mjs")];

/** A call whose answer is given word for word; `args` as JSON text. */
function saying(id: string, say: string, method = '"tools/call"'): string {
  return `{"jsonrpc":"2.0","id":${id},"method":${method},"params":{"name":"create","say":${JSON.stringify(say)}}}`;
}

const RESULT = '{"content":[{"type":"text","text":"Created"}],"structuredContent":{"id":12}}';

test.each([
  ["1", "1"],
  ['"1"', '"1"'],
  ["0", "0"],
  ['""', '""'],
  ["9007199254740993", "9007199254740993"],
  ["-0.5e1", "-5"],
  ['"\\u0061"', '"a"'],
])("a call with id %s is answered by id %s, and gets its verdict", async (asked, answered) => {
  const session = guard({ contract: contractFor(FAILS), flags: ENFORCE, server: SAYS }).read();
  session.send(saying(asked, `{"id":${answered},"result":${RESULT}}`));
  expect(verdictOf(await session.message())).toMatch(/^\[FOURGATE\] \{"kind":"outcome_failed"/);
  await session.end();
  expect(session.records()).toMatchObject([{ status: "fail", reason_code: "record_missing" }]);
});

test.each([
  ["1", '"1"'],
  ['"1"', "1"],
  ["9007199254740993", "9007199254740992"],
  ["1", "true"],
  ["0", "null"],
  ['""', "null"],
])("a call with id %s is not answered by id %s: no verdict, no check", async (asked, answered) => {
  const session = guard({ contract: contractFor(FAILS), flags: ENFORCE, server: SAYS }).read();
  const answer = `{"id":${answered},"result":${RESULT}}`;
  session.send(saying(asked, answer));
  expect(await session.next()).toBe(answer);
  await session.end();
  expect(session.records()).toMatchObject([{ status: "unknown", reason_code: "no_response" }]);
});

test.each(['"tools\\/call"', '"\\u0074ools/call"'])(
  "a call is known however its method is written: %s",
  async (method) => {
    const session = guard({ contract: contractFor(FAILS), flags: ENFORCE, server: SAYS }).read();
    session.send(saying("1", `{"id":1,"result":${RESULT}}`, method));
    expect(verdictOf(await session.message())).toMatch(/^\[FOURGATE\] \{"kind":"outcome_failed"/);
    await session.end();
  },
);

test.each([
  ["two ids", `{"id":2,"id":1,"result":${RESULT}}`],
  ["two results", `{"id":1,"result":${RESULT},"result":${RESULT}}`],
  ["two isError", `{"id":1,"result":{"isError":false,"isError":true,"content":[]}}`],
  ["no content", `{"id":1,"result":{"structuredContent":{"id":12}}}`],
  ["content that is no list", `{"id":1,"result":{"content":"done","structuredContent":{"id":12}}}`],
  ["an error beside the result", `{"id":1,"result":${RESULT},"error":{"code":1,"message":""}}`],
])("an answer with %s goes on as it is and is unknown", async (_, answer) => {
  const session = guard({ contract: contractFor(FAILS), flags: ENFORCE, server: SAYS }).read();
  session.send(saying("1", answer));
  expect(await session.next()).toBe(answer);
  await session.end();
  expect(session.records()).toMatchObject([{ status: "unknown" }]);
});

test("a request of the server with the id of a call does not use the call up", async () => {
  const session = guard({ contract: contractFor(FAILS), flags: ENFORCE, server: SAYS }).read();
  const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
  session.send(saying("1", `${ping}\n{"id":1,"result":${RESULT}}`));
  expect(await session.next()).toBe(ping);
  expect(verdictOf(await session.message())).toMatch(/^\[FOURGATE\] \{"kind":"outcome_failed"/);
  await session.end();
});

test("one id for two calls in flight: both unknown, both answers as they are", async () => {
  const session = guard({ contract: contractFor(FAILS), flags: ENFORCE, server: SAYS }).read();
  session.send(saying("1", ""));
  const answer = `{"id":1,"result":${RESULT}}`;
  session.send(saying("1", `${answer}\n${answer}`));
  expect([await session.next(), await session.next()]).toEqual([answer, answer]);
  await session.end();
  expect(session.records().map((record) => record.reason_code)).toEqual([
    "request_id_ambiguous",
    "request_id_ambiguous",
  ]);
});

test.each([
  ["protected first", "create", "other"],
  ["protected last", "other", "create"],
])("one id for a protected call and another in flight, %s: unknown, both answers as they are", async (_, ...tools) => {
  const session = guard({ contract: contractFor(FAILS), flags: ENFORCE, server: SAYS }).read();
  const answer = `{"id":1,"result":${RESULT}}`;
  const call = (tool: string, say: string) =>
    session.send({ id: 1, method: "tools/call", params: { name: tool, say } });
  call(tools[0]!, "");
  call(tools[1]!, `${answer}\n${answer}`);
  expect([await session.next(), await session.next()]).toEqual([answer, answer]);
  await session.end();
  expect(session.records()).toMatchObject([{ status: "unknown", reason_code: "request_id_ambiguous" }]);
});

test("in shadow a batch passes as it is, and each of its protected calls has its record", async () => {
  const session = guard({ contract: contractFor(FAILS), server: SAYS }).read();
  const answers = `[{"id":2,"result":${RESULT}},{"id":1,"result":${RESULT}} , {"id":3,"result":{}}]`;
  const call = (id: number, name: string) => `{"id":${id},"method":"tools/call","params":{"name":"${name}"}}`;
  session.send(`[${saying("1", answers)},${call(2, "create")},${call(3, "other")}]`);
  expect(await session.next()).toBe(answers);
  await session.end();
  expect(session.records().map(({ reason_code }) => reason_code)).toEqual(["record_missing", "record_missing"]);
});

test("a batch is answered by a batch with the verdict in its own element", async () => {
  const session = guard({ contract: contractFor(FAILS), flags: ENFORCE, server: SAYS }).read();
  const other = '{ "id" : 2 , "result" : {"x":1e400} }';
  const call = saying("1", `[{"id":1,"result":${RESULT}}, ${other}]`);
  session.send(`[${call},{"jsonrpc":"2.0","id":2,"method":"ping"}]`);
  const line = (await session.next())!;
  expect(line.endsWith(`, ${other}]`)).toBe(true);
  expect(verdictOf(JSON.parse(line.replace("1e400", "0"))[0])).toMatch(/^\[FOURGATE\] \{"kind":"outcome_failed"/);
  await session.end();
  expect(session.records()).toHaveLength(1);
});

test("answers that are no outcome yet: unchanged, unknown, not checked", async () => {
  for (const result of [
    '{"task":{"taskId":"t","status":"working"}}',
    '{"resultType":"input_required","inputRequests":{}}',
  ]) {
    const session = guard({ contract: contractFor(FAILS), flags: ENFORCE, server: SAYS }).read();
    const answer = `{"id":1,"result":${result}}`;
    session.send(saying("1", answer));
    expect(await session.next()).toBe(answer);
    await session.end();
    expect(session.records()).toMatchObject([{ status: "unknown", reason_code: "deferred" }]);
  }
});

test("around a verdict every byte of the server's stays: odd blanks, escapes, numbers, letters, twice the same key", async () => {
  const session = guard({ contract: contractFor(FAILS), flags: ENFORCE, server: SAYS }).read();
  const answer =
    ' {"result" :\t{"x":1e400,"x":0.1000000000000000055511151231257827,"content": [ {"type":"text","text":"\\u00e9\\/é—😀"} ] ,"structuredContent":{"id":1E2,"n":123456789012345678901234567890}} ,"id":1 } \r';
  session.send(saying("1", answer));
  const line = (await session.next())!;
  const item = /\{"type":"text","text":"\[FOURGATE\](?:[^"\\]|\\.)*"\},/.exec(line)!;
  expect(line.slice(0, item.index) + line.slice(item.index + item[0].length)).toBe(answer);
  await session.end();
});

test("--surface error: an error result without structuredContent", async () => {
  const session = guard({
    contract: contractFor(FAILS),
    flags: [...ENFORCE, "--surface", "error"],
    server: SAYS,
  }).read();
  session.send(saying("1", `{"id":1,"result":${RESULT}}`));
  const { result } = await session.message();
  expect(Object.keys(result).sort()).toEqual(["content", "isError"]);
  expect(result.isError).toBe(true);
  expect(result.content).toHaveLength(2);
  await session.end();
});

test("a verdict is withheld from a line that it would push over 10 MiB, and the record says so", async () => {
  const session = guard({ contract: contractFor(FAILS), flags: ENFORCE }).read();
  session.call(1, "create", { size: 10 * 1024 * 1024 - 200 });
  const line = (await session.next())!;
  expect(line).not.toContain("[FOURGATE]");
  await session.end();
  expect(session.records()).toMatchObject([{ status: "fail", verdict_withheld: "line_too_long" }]);
});

test("a reason that the contract does not allow is no verdict", async () => {
  const contract = contractFor(says({ status: "fail", reason_code: "something_else" }));
  const session = guard({ contract, flags: ENFORCE, server: SAYS }).read();
  const answer = `{"id":1,"result":${RESULT}}`;
  session.send(saying("1", answer));
  expect(await session.next()).toBe(answer);
  await session.end();
  expect(session.records()).toMatchObject([{ status: "unknown", reason_code: "verifier_malformed" }]);
});
