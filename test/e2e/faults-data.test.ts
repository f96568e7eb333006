// Faults in what is selected, parsed and rewritten: hostile paths, patterns and depths, and answers that can take no verdict. Each
// leaves the answer byte for byte, in time, with its one record, and the guard goes on.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { answerOf, besideSound, enforced, enforcedInTurn, together } from "./checked.ts";
import { contractFor, FAILS, fixture, type Guard, node, PASSES, scratch } from "./harness.ts";

const server = [node, fixture("says.mjs")];
const DEEP = 100_000;

/** A call answered word for word; `args` is the JSON text of its arguments. */
function saying(say: string, args = "{}"): (session: Guard) => void {
  const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create","arguments":${args},"say":${JSON.stringify(say)}}}`;
  return (session) => session.send(call);
}

/** The outcome of each answer in one session. */
function outcomesOf(contract: object, answers: Record<string, string>): Promise<Record<string, string>> {
  const calls = Object.entries(answers).map(([what, answer]) => [what, { server, ask: saying(answer), answer }]);
  return enforcedInTurn(contract, Object.fromEntries(calls));
}

/** A server that answers each line with the next of a file and reads none: JSON.parse ends at such a depth. */
const saysInTurn = (file: string) => [
  node,
  "-e",
  `const said = require("fs").readFileSync(process.argv[1], "utf8").split("\\n");
   require("readline").createInterface({ input: process.stdin }).on("line", () => console.log(said.shift()))`,
  file,
];

const each = (answers: object, outcome: string) =>
  Object.fromEntries(Object.keys(answers).map((what) => [what, outcome]));

test("select: paths onto what every object or list has in JavaScript, and onto nothing", async () => {
  const paths = [
    "result.structuredContent.__proto__",
    "result.structuredContent.constructor.name",
    "result.content.length",
    "result.content.-1",
    "result.content.99999999999999999999",
    "$.result['structuredContent']['toString']",
  ];
  const contracts = paths.map((path) => contractFor(FAILS, { extract: { id: { source: "result", path } } }, [path]));
  const calls = paths.map((path) => [path, { ask: (session: Guard) => session.call(1, path) }]);
  const outcomes = await enforcedInTurn(together(...contracts), Object.fromEntries(calls));
  expect(outcomes).toEqual(Object.fromEntries(paths.map((path) => [path, "unknown/success_without_record_id"])));
});

test("select: a field of the arguments and of the answer, 100,000 levels deep", async () => {
  const deep = "[".repeat(DEEP) + "]".repeat(DEEP);
  const extract = {
    id: { source: "result", path: "result.structuredContent.id" },
    asked: { source: "arguments", path: "deep" },
  };
  // The shell's own `read` takes a second for a line of 900 KiB.
  const contract = besideSound(["sh", "-c", `cat >/dev/null; echo '{"status":"pass"}'`], { extract });
  const answer = `{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"id":${deep}}}}`;
  const objects = `${'{"a":'.repeat(DEEP)}1${"}".repeat(DEEP)}`;
  const file = join(scratch(), "answers");
  writeFileSync(file, [answerOf("warm"), answer, answerOf("sound")].join("\n"));
  const { record } = await enforced(contract, {
    server: saysInTurn(file),
    ask: saying("", `{"deep":${objects}}`),
    answer,
  });
  expect(record).toMatchObject({ status: "pass", reason_code: "postcondition_satisfied" });
});

test("select: patterns that take for ever elsewhere, on text made against them", async () => {
  const patterns = ["((a+)+)b", "(a|a)*c", "(a?){50}a{50}c", "(((a{1,9}){1,9}){1,9})c", "(.*)(.*)(.*)(.*)(.*)d"];
  const reply = { content: [{ type: "text", text: "a".repeat(8192) }] };
  const contracts = patterns.map((pattern) => {
    const id = { source: "result", path: "result.content.0.text", parse: "regex", pattern, group: 1 };
    return contractFor(PASSES, { extract: { id } }, [pattern]);
  });
  const calls = patterns.map((pattern) => [
    pattern,
    { ask: (session: Guard) => session.call(1, pattern, { reply }), answer: answerOf(1, reply), withinMs: 1000 },
  ]);
  const outcomes = await enforcedInTurn(together(...contracts), Object.fromEntries(calls));
  expect(outcomes).toEqual(Object.fromEntries(patterns.map((each) => [each, "unknown/success_without_record_id"])));
});

test("select: embedded JSON in text made of braces", async () => {
  const id = { source: "result", path: "result.content.0.text", parse: "embedded_json", field: "id" };
  const answers: Record<string, string> = {};
  for (const text of [
    "{".repeat(8192),
    '{"a":'.repeat(1600),
    '{"id"'.repeat(1600),
    "{}".repeat(4096),
    "{".repeat(8193),
  ]) {
    answers[text.slice(0, 8) + text.length] = answerOf(1, { content: [{ type: "text", text }] });
  }
  const outcomes = await outcomesOf(besideSound(PASSES, { extract: { id } }), answers);
  expect(outcomes).toEqual(each(answers, "unknown/success_without_record_id"));
});

test("rewrite: answers in which a verdict has no one place", async () => {
  const structured = '"structuredContent":{"id":12}';
  const result = (json: string) => `{"jsonrpc":"2.0","id":1,"result":${json}}`;
  const answers = {
    "no content": result(`{${structured}}`),
    "content null": result(`{"content":null,${structured}}`),
    "content a text": result(`{"content":"done",${structured}}`),
    "content an object": result(`{"content":{"0":{"type":"text","text":"done"}},${structured}}`),
    "content twice": result(`{"content":[],"content":[],${structured}}`),
    "content twice, once escaped": result(`{"content":[],"c\\u006fntent":[],${structured}}`),
    "result twice": `{"jsonrpc":"2.0","id":1,"result":{"content":[],${structured}},"result":{"content":[],${structured}}}`,
    "result twice, once escaped": `{"jsonrpc":"2.0","id":1,"r\\u0065sult":{"content":[],${structured}},"result":{"content":[],${structured}}}`,
    "isError twice": result(`{"isError":false,"isError":false,"content":[],${structured}}`),
    "content only inside": result(`{"_meta":{"content":[]},${structured}}`),
  };
  expect(await outcomesOf(besideSound(FAILS), answers)).toEqual(each(answers, "unknown/not_success_result"));
});
