// A secret is blanked in whatever mixture of escapes it comes back, and nothing beside it.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRedactor } from "../../../src/core/redact/redactor.ts";
import { blanking } from "../../../src/core/redact/search.ts";

const SECRET = `p/a~s'(w)<&>"0rd+ \u00e9\u{1f511}x`;
const { text } = createRedactor({ READER: SECRET }, ["READER"]);
const percent = (given: string) =>
  [...Buffer.from(given)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
const u = (given: string) =>
  Array.from({ length: given.length }, (_, i) => `\\u${given.charCodeAt(i).toString(16).padStart(4, "0")}`).join("");
const entities = (given: string) => [...given].map((c) => `&#${c.codePointAt(0)};`).join("");
const mime = (given: string, width: number, end: string) =>
  Buffer.from(given)
    .toString("base64")
    .replace(new RegExp(`.{${width}}`, "g"), `$&${end}`);

describe("a secret", () => {
  test.each<[string, string]>([
    ["percent-encoded but for the slash", encodeURIComponent(SECRET).replaceAll("%2F", "/")],
    ["percent-encoded in every byte", percent(SECRET)],
    ["percent-encoded twice", encodeURIComponent(percent(SECRET))],
    ["percent-encoded for a form", percent(SECRET).replaceAll("%20", "+")],
    ["in \\u escapes", u(SECRET)],
    [
      "in \\u escapes of markup",
      JSON.stringify(SECRET).slice(1, -1).replaceAll("<", "\\u003c").replaceAll("&", "\\u0026"),
    ],
    ["in JSON in JSON in JSON", JSON.stringify(JSON.stringify(u(SECRET))).slice(3, -3)],
    ["in entities", entities(SECRET)],
    ["in named entities", "p&sol;a~s&apos;(w)&lt;&amp;&gt;&quot;0rd&plus; \u00e9&#x1F511;x"],
    ["in entities in JSON", JSON.stringify("p&#x2F;a~s&#39;(w)&lt;&amp;&gt;&quot;0rd+ \u00e9\u{1f511}x").slice(1, -1)],
    ["in base64 of short lines", mime(SECRET, 8, "\r\n")],
    ["in base64 of lines in JSON", mime(SECRET, 8, "\\n")],
    ["in base64 in a URL", encodeURIComponent(mime(SECRET, 8, "\n"))],
  ])("%s", (_, form) => {
    expect(text(`before ${form} after`)).toMatch(/^before \[REDACTED\](?:=|%3D)* after$/);
  });

  test.each([64, 76])("in base64 of lines of %i characters, wherever it begins", (width) => {
    for (let before = 40; before < 80; before++) {
      const shown = text(mime(`${"u".repeat(before)}${SECRET}tail`, width, "\n"));
      expect(Buffer.from(shown.replace("[REDACTED]", ""), "base64").toString("latin1")).not.toContain(
        SECRET.slice(3, 12),
      );
      expect(shown).toContain("[REDACTED]");
    }
  });

  test("of any characters, each spelt in a way of its own", () => {
    const ways: readonly ((c: string) => string)[] = [
      (c) => c,
      percent,
      (c) => percent(c).toUpperCase(),
      u,
      (c) => `&#${c.codePointAt(0)};`,
      (c) => `&#x${c.codePointAt(0)!.toString(16)};`,
      (c) => JSON.stringify(c).slice(1, -1),
      (c) => encodeURIComponent(c),
      (c) => (c === " " ? "+" : encodeURIComponent(percent(c))),
    ];
    // Behind a backslash "u" and "x" begin an escape, and what they stand for then is not to be known.
    const secret = fc
      .string({ unit: "grapheme-ascii", minLength: 8, maxLength: 40 })
      .filter((given) => given.replaceAll("\\", "").length >= 8 && !/\\+[ux]/.test(given) && given.trim() === given);
    fc.assert(
      fc.property(secret, fc.array(fc.nat(ways.length - 1), { minLength: 40, maxLength: 40 }), (given, chosen) => {
        const form = [...given].map((c, i) => ways[chosen[i]!]!(c)).join("");
        expect(blanking([given])(`before <${form}> after`)).toBe("before <[REDACTED]> after");
      }),
      { numRuns: 3000 },
    );
  });

  test("a backslash of the secret before an escape is not taken for a part of it", () => {
    const shown = blanking(["secret %0\\0 of it"])("before <secret %0\\\\u0030 of it> after");
    expect(shown).toBe("before <[REDACTED]> after");
  });

  test("what only looks alike stays", () => {
    const alike = "100% of p/a~s, &lt;b&gt; \\u0041 %41 aGVsbG8= C:\\new\\x \ud83d";
    expect(text(alike)).toBe(alike);
  });

  test("a megabyte is searched for 50 secrets within a second", () => {
    const blank = blanking(Array.from({ length: 50 }, (_, i) => `secret-${i}-${"x".repeat(i)}`));
    for (const unit of ["plain words and so on ", "%41%4", "\\u0041\\", "&#60;&", "%3", "secret-4"]) {
      const given = unit.repeat((1 << 20) / unit.length);
      const begin = performance.now();
      blank(given);
      expect(performance.now() - begin, unit).toBeLessThan(1000);
    }
  });
});
