// Messages that no sensible server sends: they pass as they are, stand for no answer, and end neither the session nor its checks.

import { describe, expect, test } from "vitest";
import { contractFor, FAILS, fixture, guard, node, verdictOf } from "./harness.ts";

const SAYS = [node, fixture("says.mjs")];
const DIGITS = "9".repeat(5000);
const nested = (open: string, close: string) => open.repeat(100_000) + close.repeat(100_000);
const DEEP_LIST = nested("[", "]");
const DEEP_OBJECT = `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`;
const RESULT = '{"content":[{"type":"text","text":"Created"}],"structuredContent":{"id":12}}';

/** A call of the tool `create` whose answers are given word for word. */
const saying = (id: number, say: string) =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"create","say":${JSON.stringify(say)}}}`;

const odd: [string, string][] = [
  ["an id that is a list", `{"id":[1],"result":${RESULT}}`],
  ["an id that is an object", `{"id":{"a":1},"result":${RESULT}}`],
  ["an id that is true", `{"id":true,"result":${RESULT}}`],
  ["an id that is null", `{"id":null,"error":{"code":-32700,"message":""}}`],
  ["an id of 5000 digits", `{"id":${DIGITS},"result":${RESULT}}`],
  ["an id of 5000 letters", `{"id":"${"x".repeat(5000)}","result":${RESULT}}`],
  ["an id that no number type holds", `{"id":1e400,"result":${RESULT}}`],
  ["an id that is 100,000 lists", `{"id":${DEEP_LIST},"result":${RESULT}}`],
  ["no id", `{"result":${RESULT}}`],
  ["a result of 100,000 lists", `{"id":2,"result":${DEEP_LIST}}`],
  ["a result of 100,000 objects", `{"result":${DEEP_OBJECT},"id":2}`],
  ["a result of 5000 digits", `{"id":2,"result":${DIGITS}}`],
  ["an error that is deep", `{"id":2,"error":${DEEP_LIST}}`],
  ["a notification that is deep", `{"method":"notifications/message","params":${DEEP_OBJECT}}`],
  ["a request whose method is a list", '{"id":1,"method":["x"]}'],
  ["a request whose id is a list", '{"id":[1],"method":"ping"}'],
  ["a method of 5000 digits", `{"id":1,"method":${DIGITS},"result":${RESULT}}`],
  ["a list of lists", `[${DEEP_LIST},{"id":[1],"result":{}}]`],
  ["a list cut short", DEEP_LIST.slice(0, 100_000)],
];

describe.each(["shadow", "enforce"])("%s: the server says", (mode) => {
  test("what is no answer: it passes, and the call behind it is still checked", async () => {
    const session = guard({ contract: contractFor(FAILS), flags: ["--mode", mode], server: SAYS }).read();
    session.send(saying(1, odd.map(([, line]) => line).join("\n")));
    for (const [what, line] of odd) expect((await session.next()) === line, what).toBe(true);
    session.send({ params: { say: `{"id":1,"result":${RESULT}}` } });
    expect(verdictOf(await session.message()).includes("outcome_failed")).toBe(mode === "enforce");
    expect(await session.end()).toBe(0);
    expect(session.records()).toMatchObject([{ status: "fail", reason_code: "record_missing" }]);
    expect(session.stderr).not.toContain("internal fault");
  });

  test.each([
    ["100,000 lists beside its record", `{"content":[],"structuredContent":{"x":${DEEP_LIST},"id":12}}`],
    ["100,000 objects in its content", `{"content":[${DEEP_OBJECT}],"structuredContent":{"id":12}}`],
    ["a record id of 5000 digits", `{"content":[],"structuredContent":{"id":${DIGITS}}}`],
  ])("an answer with %s: it is checked like any other", async (_, result) => {
    const session = guard({ contract: contractFor(FAILS), flags: ["--mode", mode], server: SAYS }).read();
    const answer = `{"id":1,"result":${result}}`;
    session.send(saying(1, answer));
    const line = (await session.next())!;
    const item = /\{"type":"text","text":"\[FOURGATE\](?:[^"\\]|\\.)*"\},?/.exec(line)?.[0];
    expect(item !== undefined).toBe(mode === "enforce");
    expect((item === undefined ? line : line.replace(item, "")) === answer).toBe(true);
    expect(await session.end()).toBe(0);
    expect(session.records()).toMatchObject([{ status: "fail" }]);
    expect(session.stderr).not.toContain("internal fault");
  });
});
