// What a review tells of a contract, what it calls a change, and what an approval holds for.

import { describe, expect, test } from "vitest";
import { readContract } from "../../../src/core/contract/read.ts";
import type { Contract } from "../../../src/core/contract/types.ts";
import { approvalProblems, readApproval, signedText } from "../../../src/core/review/approval.ts";
import { contractChanges } from "../../../src/core/review/change.ts";
import { lintContract } from "../../../src/core/review/lint.ts";
import { toolPages } from "../../../src/core/review/tool-page.ts";

const READBACK = {
  type: "http",
  url_template: "https://api.example.invalid/issues/{id}",
  token_env: "READER_TOKEN",
  missing_statuses: [404],
  expected_fields: { title: "title", body: { field: "body", compare: "trim" } },
};
const TOOL = {
  extract: {
    id: { source: "result", path: "result.structuredContent.id" },
    title: { source: "arguments", path: "title" },
    body: { source: "arguments", path: "body" },
  },
  record_id_field: "id",
  readback: READBACK,
  allowed_failure_reasons: ["record_missing", "field_mismatch"],
};

/** Over READBACK: one row by its id. */
const SQLITE = {
  type: "sql",
  sqlite_file: "/x.db",
  select: "SELECT title, body FROM t WHERE id = :id",
  url_template: undefined,
  token_env: undefined,
  missing_statuses: undefined,
};

async function contractOf(tools: object, more: object = {}): Promise<Contract> {
  const text = JSON.stringify({ contract_version: 1, ...more, tools });
  const result = await readContract(new TextEncoder().encode(text), {
    file: "/contract.json",
    directory: (path) => path,
    path: (path) => path,
    readbacks: () => import("../../../src/core/readback/part.ts"),
    placeholders: { node: ["/bin/node"], fourgate: ["fourgate"], python: ["python3"] },
  });
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return result.contract;
}

const toolWith = (readback: object, more: object = {}) => ({
  ...TOOL,
  readback: { ...READBACK, ...readback },
  ...more,
});
const linesOf = async (tool: object) =>
  toolPages(await contractOf({ create: tool }))[0]!
    .sections.flatMap(({ lines }) => lines)
    .join("\n");

describe("the page of a tool", () => {
  test("says where each field comes from, who decides, and what makes a FAIL", async () => {
    const text = await linesOf(TOOL);
    for (const sentence of [
      "id: from the server's answer, result.structuredContent.id. It names the record: without it nothing is checked.",
      "title: from the call's arguments, title.",
      "fourgate itself asks for https://api.example.invalid/issues/{id} (GET).",
      "With the credential in READER_TOKEN, as a bearer token. The server never gets it.",
      "record_missing: the answer has status 404.",
      "field_mismatch: the record was read, and not so: title is the field title; body is the field body (compared as trim).",
      "Anything in the record but title, body.",
      "The fields above go to https://api.example.invalid.",
    ]) {
      expect(text).toContain(sentence);
    }
  });

  test.each<[string, object, string]>([
    [
      "a pattern",
      toolWith(
        {},
        {
          extract: {
            ...TOOL.extract,
            id: { source: "result", path: "result.content.0.text", parse: "regex", pattern: "#(\\d+)" },
          },
        },
      ),
      "what group 1 of the pattern #(\\d+) matches",
    ],
    [
      "a member of an object in a text",
      toolWith(
        {},
        {
          extract: {
            ...TOOL.extract,
            id: { source: "result", path: "result.content.0.text", parse: "embedded_json", field: "issue.id" },
          },
        },
      ),
      "the member issue.id of the JSON object in that text",
    ],
    [
      "a delete",
      toolWith({ expect: "absent", expected_fields: { id: "id" } }, { allowed_failure_reasons: ["record_present"] }),
      "record_present: the record is still there, with id is the field id.",
    ],
    [
      "nothing that proves absence",
      toolWith({ missing_statuses: undefined }, { allowed_failure_reasons: ["field_mismatch"] }),
      "That the record is not there: nothing proves it, so that is UNKNOWN.",
    ],
    [
      "a tombstone",
      toolWith({ tombstone: { path: "state.archived", equals: true } }),
      "record_missing: the record's state.archived is true, or the answer has status 404.",
    ],
    ["SQLite", toolWith({ ...SQLITE }), "record_missing: no row comes."],
    [
      "PostgreSQL",
      toolWith({ ...SQLITE, sqlite_file: undefined, dsn_env: "DSN" }),
      "The fields above go to the database that DSN names, wherever that is.",
    ],
    [
      "a value that is not allowed to differ",
      toolWith({}, { allowed_failure_reasons: ["record_missing"] }),
      "field_mismatch is not allowed, so that is UNKNOWN",
    ],
    [
      "how an element is found",
      toolWith({ find: { in: "items", where: { n: { field: "id", compare: "number", tolerance: 5 } } } }),
      "the element where n is the field id (compared as number, at most 5 apart)",
    ],
    [
      "a secret in a command",
      {
        ...TOOL,
        readback: undefined,
        verifier: { command: ["check", "--token", "abcdefgh", "--api-key=xyz"], timeout_ms: 900 },
      },
      "The program check --token [REDACTED] --api-key=[REDACTED] gets",
    ],
    ["a retry", { ...TOOL, recovery: "retry_once" }, "the agent makes the write a second time although it was made"],
    [
      "a time to settle",
      toolWith({ settle_ms: 700 }),
      "Nothing but the expected record counts before 700 ms have passed.",
    ],
    ["a comparator that passes over differences", TOOL, "Differences that trim passes over."],
    [
      "a program",
      {
        ...TOOL,
        readback: undefined,
        verifier: { command: ["{node}", "check.mjs"], timeout_ms: 900, secret_env: ["X"], env: ["PATH"] },
      },
      "The program {node} check.mjs gets these fields and decides.",
    ],
  ])("%s", async (_, tool, sentence) => {
    expect(await linesOf(tool)).toContain(sentence);
  });
});

describe("changes", () => {
  const changesOf = async (before: object, now: object) =>
    contractChanges(await contractOf(before), await contractOf(now));

  test("order, defaults written out and format are none", async () => {
    const other = { recovery: "stop", ...TOOL, readback: { ...READBACK, attempts: 3, interval_ms: 250 } };
    expect(await changesOf({ a: TOOL, b: TOOL }, { b: TOOL, a: other })).toEqual([]);
  });

  test("tools that come and go, and in a tool only what is other", async () => {
    const changes = await changesOf(
      { a: TOOL, gone: TOOL },
      { a: toolWith({ missing_statuses: [404, 410] }), come: TOOL },
    );
    expect(changes).toEqual([
      {
        tool: "a",
        kind: "changed",
        sections: [
          {
            title: "What makes it say FAIL",
            before: ["record_missing: the answer has status 404."],
            now: ["record_missing: the answer has status 404 or 410."],
          },
        ],
      },
      { tool: "come", kind: "added", sections: [] },
      { tool: "gone", kind: "removed", sections: [] },
    ]);
  });

  test("a change that no page shows is one all the same", async () => {
    const changes = await changesOf({ a: TOOL }, { a: toolWith({ headers: { accept: "text/json" } }) });
    expect(changes).toEqual([{ tool: "a", kind: "changed", sections: [] }]);
  });
});

describe("to look at twice", () => {
  const codesOf = async (tools: object) =>
    lintContract(await contractOf(tools)).map(({ tool, code }) => `${tool} ${code}`);
  const verifier = { command: ["check"], timeout_ms: 900 };

  test.each<[string, object, string[]]>([
    ["nothing", { create: TOOL }, []],
    [
      "a field that sounds like a secret",
      { create: toolWith({}, { extract: { ...TOOL.extract, api_key: { source: "arguments", path: "k" } } }) },
      ["create secret_field"],
    ],
    ["no record id", { create: toolWith({}, { record_id_field: undefined }) }, ["create no_record_id"]],
    ["a retry", { create: { ...TOOL, recovery: "retry_once" } }, ["create retry"]],
    ["a whole environment", { create: { ...TOOL, readback: undefined, verifier } }, ["create whole_environment"]],
    [
      "absence that nothing proves",
      { create: toolWith({ missing_statuses: undefined }) },
      ["create absence_unprovable"],
    ],
    ["letters of two scripts", { "cre\u0430te": TOOL }, ["cre\u0430te mixed_scripts"]],
    ["names that look alike", { list_1: TOOL, "list-l": TOOL }, ["list_1 look_alike"]],
  ])("%s", async (_, tools, codes) => {
    expect(await codesOf(tools)).toEqual(codes);
  });
});

describe("an approval", () => {
  const approval = {
    approval_version: 1,
    contract: "c",
    files: [
      { path: "b", sha256: "2" },
      { path: "a", sha256: "1" },
    ],
    by: "Ada",
    at: "2026-11-30T00:00:00.000Z",
  } as const;

  test.each<[string, object, string[]]>([
    ["as it was", {}, []],
    ["another meaning", { contract: "d" }, ["the contract means something else now"]],
    [
      "a file changed",
      {
        files: [
          { path: "a", sha256: "1" },
          { path: "b", sha256: "3" },
        ],
      },
      ["b has changed"],
    ],
    [
      "a file more",
      { files: [...approval.files, { path: "c", sha256: "1" }] },
      ["c decides too, and was not approved"],
    ],
    ["a file less", { files: [{ path: "a", sha256: "1" }] }, ["b is no longer there"]],
  ])("%s", (_, now, problems) => {
    expect(approvalProblems(approval, { contract: "c", files: approval.files, ...now })).toEqual(problems);
  });

  test("is signed the same whatever its layout, and otherwise for any other word", () => {
    const signed = signedText(approval);
    expect(signedText({ ...approval, files: [...approval.files].reverse() })).toBe(signed);
    for (const other of [{ contract: "d" }, { by: "Eve" }, { at: "x" }, { files: [] }]) {
      expect(signedText({ ...approval, ...other })).not.toBe(signed);
    }
  });

  test.each([
    "",
    "[]",
    "null",
    "{}",
    '{"approval_version":2}',
    JSON.stringify({ ...approval, files: [{}] }),
    JSON.stringify({ ...approval, by: 1 }),
  ])("%s is none", (text) => {
    expect(readApproval(text)).toBeUndefined();
  });
});

test("a contract that asks for approval means something else than one that does not", async () => {
  const [free, asking] = [await contractOf({ a: TOOL }), await contractOf({ a: TOOL }, { approval: "required" })];
  expect([free.approvalRequired, asking.approvalRequired]).toEqual([false, true]);
  expect(free.canonicalText).not.toBe(asking.canonicalText);
});

test("where credentials come from stands on the page, and is a change", async () => {
  const file = { secret_files: { READER_TOKEN: "/run/key" } };
  const program = { secret_command: { READER_TOKEN: ["pass", "show", "--password=x"] } };
  const [none, inFile, printed] = [
    await contractOf({ a: TOOL }),
    await contractOf({ a: TOOL }, file),
    await contractOf({ a: TOOL }, program),
  ];
  const sections = (before: string[], now: string[]) => [
    { tool: "a", kind: "changed", sections: [{ title: "Where its credentials come from", before, now }] },
  ];
  const fileLine = "READER_TOKEN is read from the file /run/key.";
  const programLine =
    "READER_TOKEN is printed by pass show --password=[REDACTED], which runs whenever guard, scan or doctor starts.";
  expect(contractChanges(none, inFile)).toEqual(sections([], [fileLine]));
  expect(contractChanges(inFile, printed)).toEqual(sections([fileLine], [programLine]));
  expect(contractChanges(printed, none)).toEqual(sections([programLine], []));
});
