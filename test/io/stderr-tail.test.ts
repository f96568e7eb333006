// What a person may see of a verifier's stderr.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { presentStderr, StderrTail } from "../../src/io/stderr-tail.ts";

describe("what is shown", () => {
  const rows: [title: string, text: string, secrets: string[], input: string, shown: string][] = [
    ["plain text", "401 from the server\n", ["tok-abc123"], '{"id":"x"}', "401 from the server\n"],
    ["no secret", "token tok-abc123!", ["tok-abc123"], "{}", "token [redacted]!"],
    [
      "no secret within another",
      "a tok-abc123 b tok-abc",
      ["tok-abc", "tok-abc123"],
      "{}",
      "a [redacted] b [redacted]",
    ],
    ["no percent-encoded secret", "?t=a%2Fb%26c", ["a/b&c"], "{}", "?t=[redacted]"],
    ["no line of a key of several lines", "at abcdefgh1", ["-----BEGIN\nabcdefgh1\nxyz"], "{}", "at [redacted]"],
    ["no unset secret taken for everything", "text", [""], "{}", "text"],
    [
      "no text of the input",
      "saw Buy milk, not it",
      [],
      '{"title":"Buy milk","n":[{"x":"it"}]}',
      "saw [value], not it",
    ],
    ["the names of fields", 'no record_id "r-1234"', [], '{"record_id":"r-1234"}', 'no record_id "[value]"'],
    ["no text of the input in its JSON form", 'got "a\\"bcd"', [], '{"t":"a\\"bcd"}', 'got "[value]"'],
    [
      "no long number of the input",
      "record 1915883588174806058 gone",
      [],
      '{"id":1915883588174806058}',
      "record [value] gone",
    ],
    ["no terminal commands", "a\u001b[31mred\u0007\r\nb\tc", [], "{}", "a[31mred\nb\tc"],
    [
      "nothing when the input is too large to look through",
      "x",
      [],
      "y".repeat(70_000),
      "(not shown: the input is too large to keep its values out)",
    ],
  ];
  test.each(rows)("holds %s", (_title, text, secrets, input, shown) => {
    expect(presentStderr(text, secrets, input)).toBe(shown);
  });
});

test("a secret in base64 is found wherever it stood in what was encoded", () => {
  const secret = fc.string({ minLength: 8, maxLength: 40, unit: "grapheme-ascii" });
  fc.assert(
    fc.property(secret, fc.string({ maxLength: 20 }), fc.string({ maxLength: 20 }), (token, before, after) => {
      const encoded = Buffer.from(before + token + after).toString("base64");
      const shown = presentStderr(encoded, [token], "{}");
      expect(shown).toContain("[redacted]");
      // Edges of the secret share a character with their neighbours; more must not be left.
      const left = Buffer.from(encoded).length - (shown.length - "[redacted]".length);
      expect(left).toBeGreaterThanOrEqual(Math.floor((Buffer.from(token).length * 8) / 6) - 3);
    }),
  );
});

test("only the end is kept, however it arrives", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 8 }), (sizes) => {
      const tail = new StderrTail();
      let all = "";
      for (const size of sizes) {
        const chunk = Array.from({ length: size }, (_, at) => "abcdefghij"[(all.length + at) % 10]).join("");
        tail.push(Buffer.from(chunk));
        all += chunk;
      }
      expect(tail.text()).toBe(all.slice(-8192));
      expect(presentStderr(tail.text(), [], "{}")).toBe(all.slice(-4096));
    }),
    { numRuns: 30 },
  );
});
