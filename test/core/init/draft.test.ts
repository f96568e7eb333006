// Drafts: whatever a server lists, the file can be read, says where it guessed, and is refused for being a draft and nothing else.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readContract } from "../../../src/core/contract/read.ts";
import { draftContract, type ListedSchemas } from "../../../src/core/init/draft.ts";

const listed = (more: Partial<ListedSchemas>): ListedSchemas => ({
  name: "create_issue",
  readOnly: undefined,
  inputSchema: undefined,
  outputSchema: undefined,
  ...more,
});

async function codesOf(text: string): Promise<string[]> {
  const result = await readContract(new TextEncoder().encode(text), {
    file: "/contract.draft.jsonc",
    directory: (path) => path,
    path: (path) => path,
    readbacks: () => import("../../../src/core/readback/part.ts"),
    placeholders: { node: ["node"], fourgate: ["fourgate"], python: ["python3"] },
  });
  return result.ok ? [] : result.issues.map(({ place }) => place);
}

const string = { type: "string" };
const schema = (properties: object, required: string[] = []) => ({ type: "object", properties, required });

describe("what is guessed", () => {
  test.each<[string, unknown, string]>([
    ["an id", schema({ title: string, id: { type: "integer" } }), "result.structuredContent.id"],
    ["a name that ends in id", schema({ url: string, issueId: string }), "result.structuredContent.issueId"],
    ["a number", schema({ url: string, number: { type: ["integer", "null"] } }), "result.structuredContent.number"],
    [
      "an id below an object",
      schema({ ok: { type: "boolean" }, issue: schema({ id: string }) }),
      "result.structuredContent.issue.id",
    ],
  ])("%s in the answer", (_, outputSchema, path) => {
    expect(draftContract([listed({ outputSchema })])).toContain(`"record_id": {"source":"result","path":"${path}"}`);
  });

  test("no description of the answer: said to be a plain guess", () => {
    expect(draftContract([listed({})])).toContain("so this is a plain guess");
  });

  test("arguments of one value, those that a call must have first", () => {
    const inputSchema = schema({ body: string, labels: { type: "array" }, record_id: string, title: string }, [
      "title",
    ]);
    const text = draftContract([listed({ inputSchema })])!;
    expect(text).toContain('"expected_fields": { "title": "title", "body": "body" }');
  });

  test("tools that say that they only read are left out; none left, no draft", () => {
    const text = draftContract([listed({ name: "look", readOnly: true }), listed({ readOnly: false })]);
    expect(text).not.toContain('"look"');
    expect(text).toContain("The server says that it writes.");
    expect(draftContract([listed({ readOnly: true })])).toBeUndefined();
  });
});

test("a draft is refused for being one, and without that line it is a contract", async () => {
  const inputSchema = schema({ title: string, "a b": string, "x.y": string, $ref: string });
  const text = draftContract([listed({ inputSchema }), listed({ name: "__proto__" }), listed({ name: 'a"\\b' })])!;
  expect(await codesOf(text)).toEqual(["draft"]);
  expect(await codesOf(text.replace('  "draft": true,\n', ""))).toEqual([]);
});

test("whatever a server lists", async () => {
  const anything = fc.anything({ withNullPrototype: false, maxDepth: 3 });
  const name = fc.oneof(
    fc.string(),
    fc.string({ unit: "binary" }),
    fc.constantFrom("id", "x\n// y", "*/", "\u2028", " a "),
  );
  const schemas = fc.oneof(
    anything,
    fc.dictionary(name, anything).map((properties) => schema(properties as object)),
  );
  const tool = fc.record({
    name,
    readOnly: fc.constantFrom(undefined, false, true),
    inputSchema: fc.oneof(
      schemas,
      fc.dictionary(name, fc.constantFrom(string, { type: "array" })).map((properties) => schema(properties)),
    ),
    outputSchema: schemas,
  });
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(tool, { selector: (one) => one.name, maxLength: 4 }), async (tools) => {
      const text = draftContract(tools);
      if (text === undefined) return;
      expect((await codesOf(text)).filter((place) => place !== "draft")).toEqual([]);
    }),
    { numRuns: 300 },
  );
});
