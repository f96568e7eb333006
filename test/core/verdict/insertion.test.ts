// The verdict is an insertion: whatever JSON the server wrote around it stays as it was written, byte for byte.

import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openSession } from "../../../src/core/session/state.ts";
import { step } from "../../../src/core/session/step.ts";
import type { SessionOptions } from "../../../src/core/session/types.ts";
import { call, contract, fail, options } from "../../playbook.ts";

const space = fc.string({ unit: fc.constantFrom(" ", "\t", "\r"), maxLength: 2 });
const string = fc.oneof(
  fc.string({ maxLength: 8 }).map((text) => JSON.stringify(text)),
  fc.constantFrom('"\\u00e9\\/\\ud83d\\ude00"', '"é😀"', '"\\"]},{[\\\\"', '"\\ud800"', '""'),
);
const number = fc.constantFrom(
  "0",
  "-0",
  "1e400",
  "1E+2",
  "12345678901234567890123",
  "0.1000000000000000055511151231257827",
);
const json: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.oneof(string, number, fc.constantFrom("true", "false", "null")),
    fc.tuple(fc.array(fc.tuple(space, tie("value"), space), { maxLength: 3 }), space).map(list),
    fc.tuple(fc.array(fc.tuple(space, string, space, space, tie("value"), space), { maxLength: 3 }), space).map(object),
  ),
})).value;

function list([items, empty]: [[string, string, string][], string]): string {
  return items.length === 0 ? `[${empty}]` : `[${items.map((parts) => parts.join("")).join(",")}]`;
}

function object([members, empty]: [string[][], string]): string {
  const written = members.map(([before, key, a, b, value, after]) => `${before}${key}${a}:${b}${value}${after}`);
  return written.length === 0 ? `{${empty}}` : `{${written.join(",")}}`;
}

/** Members of a result that decide nothing, also twice. */
const member = fc
  .tuple(
    space,
    fc.constantFrom('"_meta"', '"structuredContent"', '"x"', '"cont\\u0065nts"', '"\\/"'),
    space,
    space,
    json,
    space,
  )
  .map(([before, key, a, b, value, after]) => `${before}${key}${a}:${b}${value}${after}`);

const item = fc.oneof(
  string.map((text) => `{"type":"text","text":${text}}`),
  string.map((text) => `{ "text" : ${text} , "type":"text","annotations":{"priority":1e0}}`),
);

const answer = fc
  .tuple(
    fc.array(member, { maxLength: 3 }),
    fc.array(item, { maxLength: 3 }),
    fc.array(member, { maxLength: 3 }),
    space,
    space,
  )
  .map(([before, items, after, a, b]) => {
    const content = `${a}"cont\\u0065nt"${b}:${a}[${b}${items.join(`${a},${b}`)}${a}]${b}`;
    return `{${a}"result"${b}:${a}{${[...before, content, ...after].join(",")}}${b},"id":1,${a}"jsonrpc":"2.0"}`;
  });

const tool = contract("create", {
  extract: new Map([["title", { source: "arguments", path: [{ type: "key", name: "title" }] }]]),
  recordIdField: undefined,
});

/** What the client gets for the answer after a confirmed FAIL. */
function failed(line: string, surface: SessionOptions["surface"]): string {
  const session = openSession(options("enforce", [tool], { surface }));
  const got: Uint8Array[] = [];
  const feed = (event: Parameters<typeof step>[1]): void => {
    for (const command of step(session, event)) {
      if (command.type === "toClient") got.push(command.bytes);
      if (command.type === "verify") feed({ type: "verifierDone", check: command.check, reply: fail(), now: 0 });
      if (command.type === "record" && command.line !== undefined)
        feed({ type: "recorded", line: command.line, now: 0 });
    }
  };
  feed({ type: "clientBytes", bytes: Buffer.from(call(1, "create")), now: 0 });
  feed({ type: "serverBytes", bytes: Buffer.from(`${line}\n`), now: 0 });
  return Buffer.concat(got).toString();
}

const VERDICT = /\{"type":"text","text":"\[FOURGATE\](?:[^"\\]|\\.)*"\}/;

describe("in the server's own content", () => {
  test("taking the inserted bytes out gives the line back", () => {
    fc.assert(
      fc.property(answer, (line) => {
        const seen = failed(line, "prepend");
        const found = VERDICT.exec(seen)!;
        const end = found.index + found[0].length;
        const comma = seen.length - found[0].length - `${line}\n`.length;
        expect([0, 1]).toContain(comma);
        expect(seen.slice(end, end + comma)).toBe(",".slice(0, comma));
        expect(seen.slice(0, found.index) + seen.slice(end + comma)).toBe(`${line}\n`);
        const [first, ...rest] = JSON.parse(seen).result.content;
        expect(first.text).toMatch(/^\[FOURGATE\] \{"kind":"outcome_failed"/);
        expect(rest).toEqual(JSON.parse(line).result.content);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("as an error result", () => {
  test("every client reads it, and all but structuredContent and isError is as the server wrote it", () => {
    fc.assert(
      fc.property(answer, (line) => {
        const seen = JSON.parse(failed(line, "error"));
        const sent = JSON.parse(line);
        const { structuredContent: _, ...kept } = sent.result;
        expect(seen).toEqual({
          ...sent,
          result: { ...kept, isError: true, content: [seen.result.content[0], ...sent.result.content] },
        });
        expect(seen.result.content[0].text).toMatch(/^\[FOURGATE\] \{"kind":"outcome_failed"/);
        expect(CallToolResultSchema.safeParse({ ...seen.result, _meta: undefined }).success).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});
