// Reports of any content, with texts that are made to break the format that they are written in.

import fc from "fast-check";
import type { CaseReport, ScanReport } from "../../src/report/model.ts";
import { aReport } from "./sample.ts";

/** What breaks one format or another. */
export const HOSTILE = [
  "\u0000\u0001\u0007\u0008\u000b\u000c\u000e\u001f\u007f\u0080\u0085\u009f",
  "\u001b[31mred\u001b[0m\u001b]0;title\u0007",
  "lone \ud800 and \udc00 halves",
  "a\ud83dz\ude00",
  "]]>",
  "</script><script>alert(1)</script>",
  "<!-- --> <![CDATA[ <?xml ?> <!DOCTYPE x [<!ENTITY e 'x'>]> &e; &amp; &#0;",
  "\"'><img src=x onerror=alert(1)>",
  "</pre></td></table></style></title><style>*{display:none}</style>",
  "one\ntwo\r\nthree\rfour\ttab",
  "\u202eright to left\u202c \u2066isolate\u2069 \u200bzero\ufeff width \u2028 \u2029",
  "::error file=x,line=1::forged",
  "\n::stop-commands::x\n##[add-mask]x",
  "%0A::set-env name=PATH::x %25 %",
  "| a | b |\n| --- | --- |\n# heading `code` [link](http://example.test) ![image](http://example.test/x.png)",
  "http://example.test www.example.test @somebody #1 <https://example.test> $x$ ~~a~~ __b__ **c**",
  "{0} [text](1) {{braces}}",
  "\uffff\ufffe\ufdd0\u{1fffe}",
  "\u{e0041}\u{e007f}tags",
  "é 漢字 👩‍👩‍👧 नमस्ते",
  "",
  " ",
  "__proto__",
  "toString",
];

const piece = fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: "binary", maxLength: 20 }));
/** Any text: pieces that are hostile, any characters, halves of pairs too. */
export const anyText: fc.Arbitrary<string> = fc
  .tuple(piece, piece, fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 4 }))
  .map(([a, b, units]) => a + String.fromCharCode(...units) + b);

const path = fc.oneof(
  anyText,
  fc.constantFrom(
    "scan.jsonc",
    "ci/my scan.jsonc",
    "../out/scan.jsonc",
    "C:\\work\\scan.jsonc",
    "/srv/x/scan.jsonc",
    "/",
  ),
);
const anyNumber = fc.oneof(fc.nat(), fc.constantFrom(0, 1, 0.5, 1e12));
const anyJson = fc.oneof(
  fc.anything({ withNullPrototype: true, withBigInt: true, withSparseArray: true }).map((value) => value ?? null),
  anyText.map((text) => ({ [text]: [text, { text }] })),
);
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

const anyCase: fc.Arbitrary<CaseReport> = fc
  .record({
    name: anyText,
    tool: fc.option(anyText),
    place: fc.record({ file: path, line: fc.nat(), column: fc.nat() }),
    expected: fc.constantFrom("pass", "fail"),
    status: fc.constantFrom("pass", "fail", "unknown"),
    reason_code: fc.oneof(
      anyText,
      fc.constantFrom("record_missing", "postcondition_satisfied", "call_timeout", "toString"),
    ),
    attempts: fc.nat({ max: 9 }),
    duration_ms: anyNumber,
    checked_fields: fc.array(anyText, { maxLength: 3 }),
    mismatched_fields: fc.array(fc.record({ path: anyText, expected: anyText, observed: anyText }), { maxLength: 3 }),
    evidence: optional(fc.record({ request: anyJson, tool_response: anyJson, readback: anyJson })),
    repro_steps: optional(fc.array(anyText, { maxLength: 4 })),
    cleanup: optional(fc.record({ status: fc.constantFrom("done", "not_needed", "failed"), reason_code: anyText })),
  })
  .map(({ evidence, repro_steps, cleanup, ...one }) => ({
    ...(one as Omit<CaseReport, "index" | "as_expected">),
    index: 0,
    as_expected: one.status === one.expected,
    ...(evidence && { evidence }),
    ...(repro_steps && { repro_steps }),
    ...(cleanup && { cleanup: cleanup as NonNullable<CaseReport["cleanup"]> }),
  }));

/** A report with counts that are right and texts that are anything. */
export const anyReport: fc.Arbitrary<ScanReport> = fc
  .record({
    cases: fc.array(anyCase, { maxLength: 5 }),
    notRun: fc.nat({ max: 3 }),
    texts: fc.tuple(anyText, anyText, anyText, anyText),
    scan_file: path,
    server: fc.record({ name: fc.option(anyText), version: fc.option(anyText), protocol_version: fc.option(anyText) }),
    duration_ms: anyNumber,
    leftovers: fc.array(fc.record({ tool: anyText, case: fc.nat(), id: anyText }), { maxLength: 3 }),
    stopped: fc.option(fc.record({ reason_code: anyText, after_case: fc.nat() })),
  })
  .map(({ cases, notRun, texts: [at, version, account, run], ...given }) =>
    aReport(
      cases.map((one, index) => ({ ...one, index: index + 1 })),
      { ...given, generated_at_utc: at, fourgate: version, test_account: account, run_id: run },
      notRun,
    ),
  );

/** One text in every field that holds text, in the first of four kinds of cases or more. */
export function everywhere(text: string, cases = 4): ScanReport {
  const one = {
    name: text,
    tool: text,
    place: { file: text, line: 3, column: 7 },
    reason_code: text,
    attempts: 1,
    duration_ms: 5,
    checked_fields: [text],
    mismatched_fields: [{ path: text, expected: text, observed: text }],
    evidence: { request: { [text]: text }, tool_response: [text], readback: { asks: text, status: 404, method: text } },
    repro_steps: [text, text, text, text],
    cleanup: { status: "failed", reason_code: text },
  } as const;
  const kinds: CaseReport[] = [
    { ...one, index: 1, expected: "pass", status: "fail", as_expected: false },
    { ...one, index: 2, expected: "pass", status: "unknown", as_expected: false },
    { ...one, index: 3, expected: "fail", status: "pass", as_expected: false },
    { ...one, index: 4, expected: "pass", status: "pass", as_expected: true },
  ];
  return aReport(
    kinds.slice(0, cases),
    {
      generated_at_utc: text,
      fourgate: text,
      scan_file: text,
      test_account: text,
      run_id: text,
      server: { name: text, version: text, protocol_version: text },
      leftovers: [{ tool: text, case: 1, id: text }],
      stopped: { reason_code: text, after_case: 2 },
    },
    2,
  );
}
