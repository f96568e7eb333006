// The line scanner against JSON.parse: any JSON-RPC message, any cutting, the same ids, methods and names.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LineScanner } from "../../../src/core/wire/scanner.ts";

function scan(line: string | Uint8Array, cuts: readonly number[] = []) {
  const bytes = typeof line === "string" ? Buffer.from(line) : line;
  const scanner = new LineScanner();
  let from = 0;
  for (const cut of [...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]) {
    // Pieces come from buffers of their own, as chunks do.
    const piece = Buffer.concat([Buffer.from("\u0000\u0000"), bytes.subarray(from, cut), Buffer.from('"}')]);
    scanner.push(piece, 2, 2 + cut - from);
    from = cut;
  }
  return scanner;
}

const messages = (line: string, cuts?: readonly number[]) => scan(line, cuts).messages;

describe("what a line says", () => {
  test.each([
    ['{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"x"}}', { ids: [7], names: ["x"] }],
    ['{"id":"7","method":"tools\\/call","params":{"name":"x"}}', { ids: ["s:7"], methods: ["tools/call"] }],
    ['{"id":"\\u0037","method":"\\u0074ools/call"}', { ids: ["s:7"], methods: ["tools/call"] }],
    ['{"m\\u0065thod":"ping","i\\u0064":1.0}', { ids: [1], methods: ["ping"], methodCount: 1 }],
    ['{"id":9007199254740993,"result":{}}', { ids: ["n:9007199254740993"], resultCount: 1, methodCount: 0 }],
    ['{"id":true,"result":{}}', { ids: [], idCount: 1 }],
    ['{"id":null,"error":{}}', { ids: [], idCount: 1, errorCount: 1 }],
    ['{"id":{"a":1},"method":"x"}', { ids: [], idCount: 1, methods: ["x"] }],
    ['{"id":[1],"method":"x"}', { ids: [], idCount: 1, methods: ["x"] }],
    ['{"id":1,"id":2,"method":"x","method":"y"}', { ids: [1, 2], methods: ["x", "y"] }],
    [
      '{"method":"x","params":{"name":"a","arguments":{"name":"b"},"name":"c"},"id":0}',
      { names: ["a", "c"], ids: [0] },
    ],
    ['{"method":"x","params":["name","a"],"id":""}', { names: [], ids: ["s:"] }],
    ['{"result":{"id":5,"method":"x","params":{"name":"y"}},"id":6}', { ids: [6], methodCount: 0, nameCount: 0 }],
    ['  {"id" : 5 , "method" : "x" }\r', { ids: [5], methods: ["x"] }],
    ['{"id":5 garbage', undefined],
    ["Listening on 3025", undefined],
    ["", undefined],
  ])("%s", (line, expected) => {
    for (let cut = 0; cut <= line.length; cut++) {
      const [message] = messages(line, [cut]);
      if (expected === undefined) expect(message).toBeUndefined();
      else expect(message).toMatchObject(expected);
    }
  });

  test("a batch gives each of its messages with its place in the line", () => {
    const line = '[{"id":1,"method":"a"}, {"id":2,"method":"b","params":{"name":"n"}},{}]';
    const found = messages(line);
    expect(found.map((message) => JSON.parse(line.slice(message.start, message.end)).id)).toEqual([1, 2]);
    expect(found[1]).toMatchObject({ names: ["n"] });
  });

  test("an id too long to be one is counted and not used", () => {
    const [message] = messages(`{"id":"${"a".repeat(5000)}","method":"x"}`, [100, 3000]);
    expect(message).toMatchObject({ ids: [], idCount: 1, methods: ["x"] });
  });

  test("a complete value is known before its newline", () => {
    expect(scan('{"id":1}').complete).toBe(true);
    expect(scan('{"id":1').complete).toBe(false);
    expect(scan('{"id":"}').complete).toBe(false);
  });
});

const json = fc.jsonValue({ depthSize: "small" });
const text = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.constantFrom('"', "\\", '\\"', "x".repeat(200), 'a"'.repeat(60)),
);
const message = fc.record(
  {
    id: fc.oneof(text, fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), json),
    method: fc.oneof(text, fc.constant("tools/call")),
    params: fc.oneof(json, fc.record({ name: fc.oneof(text, json), arguments: json }, { requiredKeys: [] })),
    result: json,
    error: json,
    extra: json,
  },
  { requiredKeys: [] },
);

test("any message in any cutting reads as JSON.parse reads it", () => {
  fc.assert(
    fc.property(message, fc.array(fc.nat(), { maxLength: 6 }), fc.boolean(), (value, cuts, spaced) => {
      const line = spaced ? JSON.stringify(value, null, 1).replaceAll("\n", "\r") : JSON.stringify(value);
      const read = JSON.parse(line);
      const found = messages(line, cuts)[0];
      if (read.id === undefined && read.method === undefined) {
        expect(found).toBeUndefined();
        return;
      }
      expect(found).toMatchObject({
        start: 0,
        end: Buffer.byteLength(line),
        idCount: "id" in read ? 1 : 0,
        methodCount: "method" in read ? 1 : 0,
        methods: typeof read.method === "string" ? [read.method] : [],
        resultCount: "result" in read ? 1 : 0,
        errorCount: "error" in read ? 1 : 0,
      });
      const name = read.params?.name;
      const named = typeof read.params === "object" && read.params !== null && !Array.isArray(read.params);
      expect(found!.names).toEqual(named && typeof name === "string" ? [name] : []);
      if (typeof read.id === "string") expect(found!.ids).toEqual([`s:${read.id}`]);
      else expect(found!.ids.length).toBe(typeof read.id === "number" ? 1 : 0);
    }),
    { numRuns: 2000 },
  );
});

test("random bytes in any cutting neither throw nor depend on the cutting", () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 400 }),
    fc
      .array(fc.constantFrom(...'{}[]":,\\ id1method'.split("")), { maxLength: 400 })
      .map((parts) => Buffer.from(parts.join(""))),
  );
  fc.assert(
    fc.property(bytes, fc.array(fc.nat(), { maxLength: 8 }), (line, cuts) => {
      expect(scan(line, cuts).messages).toEqual(scan(line).messages);
    }),
    { numRuns: 2000 },
  );
});
