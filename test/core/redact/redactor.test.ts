// Secrets are found by value, by name and by their looks, in every form in which they may come back; short values blank nothing.

import { describe, expect, test } from "vitest";
import { createRedactor } from "../../../src/core/redact/redactor.ts";

const SECRET = 'tok/abc+123 \u00e9"x';
const redactor = createRedactor({ READER: SECRET, OTHER: "harmless-value" }, ["READER"]);
const base64 = (text: string, encoding: "base64" | "base64url" = "base64") => Buffer.from(text).toString(encoding);

describe("a credential by its value", () => {
  test.each<[string, string]>([
    ["as it is", SECRET],
    ["in base64", base64(SECRET)],
    ["in base64 without padding", base64(SECRET).replace(/=+$/, "")],
    ["in base64 for URLs", base64(SECRET, "base64url")],
    ["in hexadecimal", Buffer.from(SECRET).toString("hex")],
    ["in hexadecimal in capitals", Buffer.from(SECRET).toString("hex").toUpperCase()],
    ["percent-encoded", encodeURIComponent(SECRET)],
    ["percent-encoded in small letters", encodeURIComponent(SECRET).replace(/%../g, (code) => code.toLowerCase())],
    ["in a form", new URLSearchParams({ a: SECRET }).toString().slice(2)],
    ["as JSON spells it", JSON.stringify(SECRET).slice(1, -1)],
    ["as JSON in JSON", JSON.stringify(JSON.stringify(SECRET)).slice(3, -3)],
  ])("%s", (_, form) => {
    expect(redactor.text(`before ${form} after`)).toMatch(/^before \[REDACTED\]=* after$/);
    const told = redactor.value({ list: [`x${form}y`], [form]: 1 });
    expect(JSON.stringify(told)).toMatch(/^\{"list":\["x\[REDACTED\]=*y"\],"\[REDACTED\]=*":1\}$/);
  });

  test.each([0, 1, 2])("in base64 of a text in which it begins %i bytes on", (before) => {
    const shown = redactor.text(base64(`${"u".repeat(before)}${SECRET}tail`));
    expect(shown).toContain("[REDACTED]");
    expect(Buffer.from(shown.split("[REDACTED]")[0]!, "base64").toString()).not.toContain(SECRET.slice(0, 4));
  });

  test("the texts in a JSON secret, also in deeper levels, and its numbers", () => {
    const json = JSON.stringify({ token: "tok-abc123", deep: [{ key: "line-one-1\nline-two-2" }], id: 123456789012 });
    const { text, value, masks } = createRedactor({ READER_JSON: json }, ["READER_JSON"]);
    for (const part of ["tok-abc123", "line-two-2", base64("tok-abc123"), "123456789012"]) {
      expect(text(`<${part}>`)).toMatch(/^<\[REDACTED\]=*>$/);
      expect(masks.some((mask) => part.startsWith(mask))).toBe(true);
    }
    expect(value({ n: 123456789012 })).toEqual({ n: "[REDACTED]" });
  });

  test("user and password of an address", () => {
    const { text } = createRedactor({ DSN: "postgresql://reader:p%40ssw0rd99@db/x" }, ["DSN"]);
    expect(text("p@ssw0rd99 and p%40ssw0rd99")).toBe("[REDACTED] and [REDACTED]");
  });

  test("one that is short is not looked for, so that the report stays readable", () => {
    const { text, value } = createRedactor({ PIN: "1234567" }, ["PIN"]);
    expect(text("1234567 and 12345678")).toBe("1234567 and 12345678");
    expect(value({ pin: "1234567", api_key: "1234567" })).toEqual({ pin: "1234567", api_key: "[REDACTED]" });
  });
});

describe("variables that nobody named", () => {
  test("are secret by their names; folders and addresses are private and no mask", () => {
    const { text, masks } = createRedactor(
      { MY_API_TOKEN: "aaaaaaaa1", PWD: "/home/user/work", DESK_URL: "http://desk.internal/", PLAIN: "bbbbbbbb2" },
      [],
    );
    expect(text("aaaaaaaa1 /home/user/work http://desk.internal/ bbbbbbbb2")).toBe(
      "[REDACTED] [REDACTED] [REDACTED] bbbbbbbb2",
    );
    expect(masks).toContain("aaaaaaaa1");
    expect(masks.join()).not.toContain("desk.internal");
  });
});

describe("by name and by looks", () => {
  test.each<[string, unknown, unknown]>([
    [
      "members",
      { password: "x", "X-Api-Key": 1, Authorization: { a: 1 }, tokens: null },
      { password: "[REDACTED]", "X-Api-Key": "[REDACTED]", Authorization: "[REDACTED]", tokens: null },
    ],
    ["JSON in a text", 'said {"client_secret": "a\\"b", "n": 1}', 'said {"client_secret": "[REDACTED]", "n": 1}'],
    ["settings in a text", "ran with password=hunter2 and x=1", "ran with password=[REDACTED] and x=1"],
    ["a bearer", "Authorization: Bearer abc.def", "Authorization: Bearer [REDACTED]"],
    ["GitHub's", "ghp_0123456789abcdefABCDEF end", "[REDACTED] end"],
    ["sk-", "key sk_live_0123456789 end", "key [REDACTED] end"],
    ["userinfo", "https://user:pass@example.com/x", "https://[REDACTED]@example.com/x"],
    ["what is none of these", { a: ["title", 7, true, null] }, { a: ["title", 7, true, null] }],
  ])("%s", (_, given, shown) => {
    expect(createRedactor({}, []).value(given)).toEqual(shown);
  });

  test("a field whose path says so", () => {
    expect(redactor.field("settings.api_key", '"x"')).toBe("[REDACTED]");
    expect(redactor.field("title", '"x"')).toBe('"x"');
  });

  test("a megabyte of anything takes no time to speak of", () => {
    const begin = performance.now();
    for (const unit of ['"', "token", "\\", "a=", "https://", "sk-", "Bearer "]) redactor.text(unit.repeat(1 << 17));
    expect(performance.now() - begin).toBeLessThan(5000);
  });
});
