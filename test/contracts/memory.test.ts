// The memory verifier against memory files as they may stand: what it proves, and where it must stay in doubt.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { verdict } from "./verifier.ts";

const directory = mkdtempSync(join(tmpdir(), "fourgate-memory-"));
const file = join(directory, "memory.jsonl");
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const entity = (name: string, observations: string[], entityType = "person") => ({
  type: "entity",
  name,
  entityType,
  observations,
});
const relation = (from: string, to: string, relationType = "knows") => ({ type: "relation", from, to, relationType });
const graph = [
  entity("Ada", ["likes tea", "x"]),
  entity("__proto__", ["odd"]),
  entity("Twin", ["first"]),
  entity("Twin", ["second"]),
  relation("Ada", "Twin"),
  relation("Ghost", "Ada"),
];

beforeEach(() => writeFileSync(file, graph.map((item) => JSON.stringify(item)).join("\n")));

const check = (tool: string, fields: unknown, path: string = file) =>
  verdict("memory", tool, fields, path === "" ? {} : { MEMORY_FILE_PATH: path });
const wanted = (name: string, observations: unknown, entityType = "person") => ({ name, entityType, observations });

describe("create_entities", () => {
  test.each<[string, object[], string]>([
    ["there as asked", [wanted("Ada", ["likes tea", "x"])], "pass"],
    ["there with more than asked", [wanted("Ada", ["x"])], "pass"],
    ["not there", [wanted("Bob", [])], "fail record_missing"],
    ["one of two not there", [wanted("Ada", []), wanted("Bob", [])], "fail record_missing"],
    ["skipped by the server, since the name has another type", [wanted("Ada", [], "ship")], "fail field_mismatch"],
    ["skipped by the server, since the name has other texts", [wanted("Ada", ["new"])], "fail field_mismatch"],
    ["one of two with the same name fits", [wanted("Twin", ["second"])], "pass"],
    ["texts spread over two of the same name", [wanted("Twin", ["first", "second"])], "fail field_mismatch"],
    ["a name that JavaScript knows", [wanted("__proto__", ["odd"])], "pass"],
    ["another name that JavaScript knows", [wanted("constructor", [])], "fail record_missing"],
    ["another case is another name", [wanted("ada", [])], "fail record_missing"],
    ["nothing asked for", [], "doubt"],
    ["no list of texts", [wanted("Ada", "x")], "doubt"],
  ])("%s", (_, entities, expected) => expect(check("create_entities", { entities })).toBe(expected));
});

describe("add_observations", () => {
  test.each<[string, object[], string]>([
    ["added", [{ entityName: "Ada", contents: ["x"] }], "pass"],
    [
      "there before, so that the server added nothing",
      [{ entityName: "Ada", contents: ["likes tea", "likes tea"] }],
      "pass",
    ],
    ["not added", [{ entityName: "Ada", contents: ["x", "y"] }], "fail field_mismatch"],
    ["no such entity", [{ entityName: "Bob", contents: ["x"] }], "fail record_missing"],
  ])("%s", (_, observations, expected) => expect(check("add_observations", { observations })).toBe(expected));
});

describe("create_relations", () => {
  test.each<[string, object[], string]>([
    ["there, made now or before", [{ from: "Ada", to: "Twin", relationType: "knows" }], "pass"],
    ["the other way round", [{ from: "Twin", to: "Ada", relationType: "knows" }], "fail record_missing"],
    ["of another type", [{ from: "Ada", to: "Twin", relationType: "likes" }], "fail record_missing"],
  ])("%s", (_, relations, expected) => expect(check("create_relations", { relations })).toBe(expected));
});

describe("delete_entities", () => {
  test.each<[string, string[], string]>([
    ["gone", ["Bob"], "pass"],
    ["still there", ["Ada"], "fail record_present"],
    ["one of two still there", ["Bob", "__proto__"], "fail record_present"],
    ["gone, but its relation is left", ["Ghost"], "fail field_mismatch"],
    ["nobody named", [], "doubt"],
  ])("%s", (_, entityNames, expected) => expect(check("delete_entities", { entityNames })).toBe(expected));

  test("without a memory file nothing shows that we look in the right place", () => {
    rmSync(file);
    expect(check("delete_entities", { entityNames: ["Bob"] })).toBe("doubt");
  });
});

describe("the memory file", () => {
  const fields = { entities: [wanted("Ada", [])] };
  const create = (path?: string) => check("create_entities", fields, path);

  test("not there, its directory is: nothing was stored", () => {
    rmSync(file);
    expect(create()).toBe("fail record_missing");
  });
  test("an empty one holds nothing", () => {
    writeFileSync(file, "");
    expect(create()).toBe("fail record_missing");
  });
  test("its directory not there: in doubt", () => expect(create(join(directory, "no", "memory.jsonl"))).toBe("doubt"));
  test("not set: in doubt", () => expect(create("")).toBe("doubt"));
  test("a relative path: in doubt", () => expect(create("memory.jsonl")).toBe("doubt"));
  test("a directory: in doubt", () => expect(create(directory)).toBe("doubt"));
  test("blank lines and CRLF are fine, as for the server", () => {
    writeFileSync(file, graph.map((item) => `${JSON.stringify(item)}\r\n\r\n`).join(""));
    expect(create()).toBe("pass");
  });
  test.each<[string, string | Uint8Array]>([
    ["a torn last line", `${JSON.stringify(entity("Ada", []))}\n{"type":"enti`],
    ["a line that is null", `${JSON.stringify(entity("Ada", []))}\nnull`],
    ["an entity without observations", '{"type":"entity","name":"Ada","entityType":"person"}'],
    ["a line of an unknown type", '{"type":"note","name":"Ada"}'],
    ["bytes that are not UTF-8", Buffer.from([0xff, 0xfe])],
  ])("with %s is in doubt as a whole", (_, content) => {
    writeFileSync(file, content);
    expect(create()).toBe("doubt");
  });
});
