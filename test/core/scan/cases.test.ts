// The pure parts of a case: its arguments, its clean-up's, what an answer says, and the exit status of it all.

import { describe, expect, test } from "vitest";
import { fillCaseArguments } from "../../../src/core/scan/arguments.ts";
import { fillCleanup } from "../../../src/core/scan/cleanup.ts";
import { scanExitStatus } from "../../../src/core/scan/exit-status.ts";
import { argumentFields, judgeAnswer } from "../../../src/core/scan/judge.ts";
import { readScan } from "../../../src/core/scan/read.ts";
import type { ScanCase } from "../../../src/core/scan/types.ts";

/** The only case of a scan file that is good but for these members. */
async function caseOf(args: string, more: object = {}): Promise<ScanCase> {
  const extract = {
    id: { source: "result", path: "result.structuredContent.id" },
    name: { source: "arguments", path: "name" },
  };
  const one = {
    tool: "create",
    arguments: "ARGUMENTS",
    outcome_contract: { extract, record_id_field: "id" },
    readback: { type: "file", root: { env: "R" }, path_template: "{id}" },
    ...more,
  };
  const file = {
    scan_version: 1,
    server: { command: ["s"], test_account: "t" },
    write_tools: ["create"],
    cases: [one],
  };
  const text = JSON.stringify(file).replace('"ARGUMENTS"', args);
  const result = await readScan(new TextEncoder().encode(text), {
    file: "scan.json",
    directory: (path) => `/home/${path}`,
    path: (path) => `/home/${path}`,
    readbacks: () => import("../../../src/core/readback/part.ts"),
    contract: async () => ({ ok: false, issues: [] }),
    placeholders: { node: [], fourgate: [], python: [] },
  });
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return result.scan.cases[0]!;
}

describe("arguments", () => {
  test("keep every digit, order and escape; the run's token stands in texts only", async () => {
    const one = await caseOf(
      '{"big": 12345678901234567890.10, "e": 1E400, "t": "\\u0000\\"{run_id}{run_id}", "{run_id}": [true, null, {}]}',
    );
    expect(fillCaseArguments(one.arguments, "fg1")).toBe(
      '{"big":12345678901234567890.10,"e":1E400,"t":"\\u0000\\"fg1fg1","{run_id}":[true,null,{}]}',
    );
  });
});

describe("clean-up", () => {
  const fill = async (args: object, fields: Record<string, string>) => {
    const one = await caseOf('{"name": "n-{run_id}", "size": 1.50, "folder": "f"}', {
      cleanup: { tool: "create", arguments: args },
    });
    return fillCleanup(one.cleanup!.arguments, new Map(Object.entries(fields)), "fg1");
  };

  test("a placeholder by itself keeps the value's type and digits, in a text it is text", async () => {
    const args = { id: "{id}", list: ["#{id}:{name}", "{run_id}"], size: 1.5, folder: "f", all: false, none: null };
    expect(await fill(args, { id: "12345678901234567890", name: '"a\\"b"' })).toBe(
      '{"id":12345678901234567890,"list":["#12345678901234567890:a\\"b","fg1"],"size":1.5,"folder":"f","all":false,"none":null}',
    );
  });

  test.each<[string, Record<string, string>]>([
    ["missing", {}],
    ["null", { id: "null" }],
    ["empty", { id: '""' }],
  ])("a value that is %s fills nothing", async (_, fields) => {
    expect(await fill({ id: "{id}" }, fields)).toBeUndefined();
  });

  test("neither does a structure inside a text", async () => {
    expect(await fill({ id: "#{id}" }, { id: "[1]" })).toBeUndefined();
    expect(await fill({ id: "{id}" }, { id: "[1]" })).toBe('{"id":[1]}');
  });
});

describe("a clean-up that could remove something older is refused", () => {
  test.each<[string, object]>([
    ["a fixed id beside the token", { id: "old-record", note: "{run_id}" }],
    ["a fixed item of a list", { ids: ["{id}", "old-record"] }],
    ["a fixed item that the case's arguments have too", { folder: ["{id}", "f"] }],
    ["an argument under another name", { id: "f", note: "{run_id}" }],
    ["an extracted argument without the token", { id: "{folder}", note: "{run_id}" }],
    ["a fixed number", { id: "{id}", number: 42 }],
    ["a second name in one text", { id: "{id},old-record" }],
    ["a pattern", { id: "{id}*" }],
    ["a way out of a folder", { path: "{id}/../old" }],
  ])("%s", async (_, args) => {
    const extract = {
      id: { source: "result", path: "result.structuredContent.id" },
      folder: { source: "arguments", path: "folder" },
    };
    const outcome_contract = { extract, record_id_field: "id" };
    const more = { outcome_contract, cleanup: { tool: "create", arguments: args } };
    const made = caseOf('{"name": "n-{run_id}", "folder": "f"}', more);
    await expect(made).rejects.toThrow("cleanup_unsafe");
  });

  test.each<[string, object]>([
    ["a folder that the case names too", { folder: "f", id: "{id}" }],
    ["a path", { path: "notes/{id}.md" }],
    ["a text of the case's own with the token", { title: "n, {run_id}" }],
  ])("but not %s", async (_, args) => {
    const made = caseOf('{"name": "n, {run_id}", "folder": "f"}', { cleanup: { tool: "create", arguments: args } });
    expect((await made).cleanup).toBeDefined();
  });
});

describe("an answer", () => {
  const judge = async (answer: string) => {
    const { contract } = await caseOf('{"name": "n"}');
    const bytes = new TextEncoder().encode(answer);
    return judgeAnswer(contract, bytes, { start: 0, end: bytes.length }, argumentFields(contract, '{"name":"n"}'));
  };
  const result = (more: string) => `{"result":{"content":[],${more}}}`;

  test.each<[string, string, object]>([
    ["a success", result('"structuredContent":{"id":7.0}'), { type: "check", input: '{"id":7.0,"name":"n"}' }],
    ["no id", result('"structuredContent":{}'), { type: "undecidable", reason: "success_without_record_id" }],
    ["an error result", result('"isError":true'), { type: "undecidable", reason: "not_success_result" }],
    ["an error", '{"error":{"code":1}}', { type: "undecidable", reason: "not_success_result" }],
    ["a question", '{"result":{"resultType":"input_required"}}', { type: "undecidable", reason: "deferred" }],
    ["a task", '{"result":{"task":{"taskId":"t"}}}', { type: "task", taskId: "t" }],
  ])("%s", async (_, answer, judged) => {
    expect(await judge(answer)).toEqual(judged);
  });
});

describe("the exit status", () => {
  const pass = { status: "pass", as_expected: true } as const;
  const fail = { status: "fail", as_expected: false } as const;
  const doubt = { status: "unknown", as_expected: false } as const;
  const failed = { status: "fail", as_expected: true } as const;
  const passed = { status: "pass", as_expected: false } as const;

  test.each([
    ["all as expected", [pass, failed], 0, 1, 0],
    ["a FAIL", [pass, fail], 0, 1, 1],
    ["a PASS where FAIL was expected", [passed], 0, 1, 1],
    ["doubt", [pass, doubt], 0, 1, 9],
    ["FAIL wins over doubt", [doubt, fail, doubt], 5, 1, 1],
    ["cases left out", [pass], 1, 1, 9],
    ["nothing at all", [], 0, 1, 1],
    ["fewer than must be verified", [pass, pass], 0, 3, 1],
    ["as many as must be verified", [pass, pass], 0, 2, 0],
  ] as const)("%s", (_, ends, notRun, minVerified, status) => {
    expect(scanExitStatus(ends, notRun, { unknownExitCode: 9, minVerified })).toBe(status);
  });
});
