// What a verifier's end comes to, row by row, and that nothing but the two good answers is ever PASS or FAIL.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decide } from "../../../src/core/verdict/decide.ts";
import { reasons } from "../../../src/core/verdict/reasons.ts";
import type { Reply } from "../../../src/core/verdict/types.ts";

const allowed = new Set(["record_missing", "field_mismatch"]);

function exited(stdout: string | Uint8Array, code: number | null = 0, signal: string | null = null): Reply {
  const bytes = typeof stdout === "string" ? new TextEncoder().encode(stdout) : stdout;
  return { ended: "exit", code, signal, stdout: bytes, overflow: false };
}

function outcome(reply: Reply): string {
  const { status, reason } = decide(reply, allowed);
  return `${status}/${reason}`;
}

describe("the end of a verifier", () => {
  const rows: [title: string, reply: Reply, outcome: string][] = [
    ["says pass", exited('{"status":"pass"}'), "pass/postcondition_satisfied"],
    ["says pass with JSON blanks around", exited(' \t\r\n{"status":"pass"}\r\n'), "pass/postcondition_satisfied"],
    [
      "says pass and more",
      exited('{"x":[{"status":1}],"status":"pass","evidence":{}}'),
      "pass/postcondition_satisfied",
    ],
    [
      "says pass with a reason, which is ignored",
      exited('{"status":"pass","reason_code":7}'),
      "pass/postcondition_satisfied",
    ],
    ["spells status with escapes", exited('{"\\u0073tatus":"pa\\u0073s"}'), "pass/postcondition_satisfied"],
    [
      "says fail with an allowed reason",
      exited('{"status":"fail","reason_code":"record_missing"}'),
      "fail/record_missing",
    ],
    ["says fail with another reason", exited('{"status":"fail","reason_code":"other"}'), "unknown/verifier_malformed"],
    [
      "says fail with an inherited name",
      exited('{"status":"fail","reason_code":"toString"}'),
      "unknown/verifier_malformed",
    ],
    ["says fail without a reason", exited('{"status":"fail"}'), "unknown/verifier_malformed"],
    [
      "says fail with a list as reason",
      exited('{"status":"fail","reason_code":["record_missing"]}'),
      "unknown/verifier_malformed",
    ],
    ["says something else", exited('{"status":"maybe"}'), "unknown/verifier_malformed"],
    ["says PASS", exited('{"status":"PASS"}'), "unknown/verifier_malformed"],
    ["gives its status in a list", exited('{"status":["pass"]}'), "unknown/verifier_malformed"],
    ["gives its status one level down", exited('{"result":{"status":"pass"}}'), "unknown/verifier_malformed"],
    ["gives its status through a prototype", exited('{"__proto__":{"status":"pass"}}'), "unknown/verifier_malformed"],
    [
      "adds a prototype to a good answer",
      exited('{"__proto__":{"status":"fail"},"status":"pass"}'),
      "pass/postcondition_satisfied",
    ],
    [
      "gives two statuses",
      exited('{"status":"fail","reason_code":"record_missing","status":"pass"}'),
      "unknown/verifier_malformed",
    ],
    [
      "gives the same status twice, once escaped",
      exited('{"status":"pass","st\\u0061tus":"pass"}'),
      "unknown/verifier_malformed",
    ],
    [
      "gives two reasons",
      exited('{"status":"fail","reason_code":"x","reason_code":"record_missing"}'),
      "unknown/verifier_malformed",
    ],
    ["repeats another key", exited('{"a":1,"a":2,"status":"pass"}'), "pass/postcondition_satisfied"],
    ["prints a list", exited('[{"status":"pass"}]'), "unknown/verifier_malformed"],
    ["prints null", exited("null"), "unknown/verifier_malformed"],
    ["prints a text", exited('"pass"'), "unknown/verifier_malformed"],
    ["prints two objects", exited('{"status":"pass"}\n{"status":"pass"}'), "unknown/verifier_malformed"],
    ["prints text after the object", exited('{"status":"pass"} ok'), "unknown/verifier_malformed"],
    ["prints a BOM first", exited('\ufeff{"status":"pass"}'), "unknown/verifier_malformed"],
    ["prints a no-break space first", exited('\u00a0{"status":"pass"}'), "unknown/verifier_malformed"],
    ["prints nothing", exited(""), "unknown/verifier_malformed"],
    ["prints half an object", exited('{"status":"pass"'), "unknown/verifier_malformed"],
    [
      "prints bad UTF-8",
      exited(Uint8Array.from([...new TextEncoder().encode('{"status":"pass","a":"'), 0xff, 0x22, 0x7d])),
      "unknown/verifier_malformed",
    ],
    [
      "nests 500,000 deep",
      exited(`{"status":"pass","a":${"[".repeat(5e5)}${"]".repeat(5e5)}}`),
      "pass/postcondition_satisfied",
    ],
    ["opens 1,000,000 lists", exited("[".repeat(1e6)), "unknown/verifier_malformed"],
    ["answers and exits with 1", exited('{"status":"pass"}', 1), "unknown/verifier_error"],
    ["answers and dies by a signal", exited('{"status":"pass"}', null, "SIGKILL"), "unknown/verifier_error"],
    ["prints too much", { ...exited("", null, "SIGKILL"), overflow: true } as Reply, "unknown/verifier_malformed"],
    ["runs out of time", { ended: "timeout" }, "unknown/verifier_timeout"],
    ["cannot start", { ended: "not_started" }, "unknown/verifier_error"],
    ["is cancelled", { ended: "cancelled" }, "unknown/cancelled"],
    ["meets a fault of ours", { ended: "fault" }, "unknown/internal_error"],
  ];
  test.each(rows)("%s", (_title, reply, expected) => {
    expect(outcome(reply)).toBe(expected);
  });
});

test("an answer means the same whatever else is in the object and however it is spaced", () => {
  const others = fc
    .dictionary(fc.string(), fc.jsonValue())
    .filter((object) => !("status" in object) && !("reason_code" in object));
  fc.assert(
    fc.property(others, fc.boolean(), fc.constantFrom("", " ", "\n\t"), (object, first, indent) => {
      const answer = { status: "fail", reason_code: "field_mismatch" };
      const text = JSON.stringify(first ? { ...answer, ...object } : { ...object, ...answer }, null, indent);
      expect(outcome(exited(text))).toBe("fail/field_mismatch");
    }),
  );
});

test("no bytes but a whole answer give PASS or FAIL, and none throw", () => {
  const answer = new TextEncoder().encode('{"status":"pass"}');
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      expect(decide(exited(bytes), allowed).status).toBe("unknown");
    }),
  );
  for (let cut = 0; cut < answer.length; cut++) {
    expect(decide(exited(answer.subarray(0, cut)), allowed).status).toBe("unknown");
    expect(decide(exited(answer.subarray(cut + 1)), allowed).status).toBe("unknown");
  }
});

test("every fixed reason is worded as one sentence of meaning and one of advice", () => {
  for (const [code, { meaning, remedy }] of Object.entries(reasons)) {
    expect(code).toMatch(/^[a-z_]+$/);
    for (const sentence of [meaning, remedy]) expect(sentence).toMatch(/^[A-Zf].*\.$/);
  }
});
