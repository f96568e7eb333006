// One read against what is expected: what is there, what is not, and what cannot be told.

import { describe, expect, test } from "vitest";
import { judge } from "../../../src/core/readback/judge.ts";
import type { Observation } from "../../../src/core/readback/types.ts";
import { fieldsOf, readback } from "../../readback/reading.ts";

const base = { type: "http", url_template: "https://api.example.com/{id}" };
const fields = fieldsOf({ id: 7, title: "t", labels: ["bug"], parent: "EPIC-1", none: null });

const record = (value: unknown): Observation => ({
  type: "record",
  json: typeof value === "string" ? value : JSON.stringify(value),
  note: "GET 200",
});

async function judged(more: object, observation: Observation | object) {
  const seen = "note" in observation ? (observation as Observation) : record(observation);
  return judge(await readback({ ...base, ...more }), seen, fields);
}

const missing: Observation = { type: "missing", note: "GET 404" };
const labelled = { expected_fields: { title: "title", labels: "labels" } };

describe("a record that must be there", () => {
  test("with all values is a match", async () => {
    expect(await judged(labelled, { title: "t", labels: ["bug"], more: 1 })).toEqual({ type: "match" });
  });

  test("of which one value is missing fails, and names that one alone", async () => {
    expect(await judged(labelled, { title: "t", labels: [] })).toMatchObject({
      type: "fail",
      reason: "field_mismatch",
      unmet: ["labels"],
      fields: ["labels"],
    });
  });

  test("of which several are wrong names each", async () => {
    expect(await judged(labelled, { title: "x", labels: [] })).toMatchObject({ unmet: ["title", "labels"] });
  });

  test("that is not there fails", async () => {
    expect(await judged(labelled, missing)).toMatchObject({ type: "fail", reason: "record_missing", unmet: [] });
  });

  test("that is a tombstone fails as missing, whatever its values", async () => {
    const buried = { ...labelled, tombstone: { path: "state.archived", equals: true } };
    expect(await judged(buried, { title: "t", labels: ["bug"], state: { archived: true } })).toMatchObject({
      reason: "record_missing",
    });
    for (const state of [{ archived: false }, { archived: null }, null]) {
      expect(await judged(buried, { title: "t", labels: ["bug"], state })).toEqual({ type: "match" });
    }
  });

  test("with a tombstone that only deleted records have may lack its last member, and nothing above", async () => {
    const flagged = { ...labelled, tombstone: { path: "state.deleted", equals: true, only_when_deleted: true } };
    const record = { title: "t", labels: ["bug"] };
    expect(await judged(flagged, { ...record, state: {} })).toEqual({ type: "match" });
    expect(await judged(flagged, { ...record, state: { deleted: true } })).toMatchObject({ reason: "record_missing" });
    for (const more of [{}, { state: [] }, { state: 1 }]) {
      expect(await judged(flagged, { ...record, ...more })).toMatchObject({ reason: "readback_shape_invalid" });
    }
  });

  test("whose tombstone cannot be read leaves doubt", async () => {
    const buried = { ...labelled, tombstone: { path: "state.archived", equals: true } };
    for (const archived of [1, "true", "yes", [], {}]) {
      expect(await judged(buried, { title: "t", labels: ["bug"], state: { archived } })).toMatchObject({
        reason: "readback_unconfirmed",
      });
    }
    for (const more of [{}, { state: {} }, { state: [] }, { state: true }]) {
      expect(await judged(buried, { title: "t", labels: ["bug"], ...more })).toMatchObject({
        reason: "readback_shape_invalid",
      });
    }
  });
});

describe("null, empty and missing are three things", () => {
  const title = { expected_fields: { title: "title" } };
  test.each<[unknown, string, string | undefined]>([
    [{ title: null }, "fail", "field_mismatch"],
    [{ title: "" }, "fail", "field_mismatch"],
    [{}, "doubt", "readback_shape_invalid"],
    [{ title: [] }, "fail", "field_mismatch"],
  ])("%j", async (value, type, reason) => {
    expect(await judged(title, value as object)).toMatchObject({ type, reason });
  });

  test("a null on the way says that there is nothing below", async () => {
    const deep = { expected_fields: { "parent.key": "parent" } };
    expect(await judged(deep, { parent: null })).toMatchObject({ type: "fail" });
    expect(await judged(deep, { parent: {} })).toMatchObject({ type: "doubt", reason: "readback_shape_invalid" });
    expect(await judged(deep, { parent: { key: "EPIC-1" } })).toEqual({ type: "match" });
    expect(await judged({ expected_fields: { "parent.key": "none" } }, { parent: null })).toEqual({ type: "match" });
  });

  test("a null in a list that is gone through leaves doubt", async () => {
    const names = { expected_fields: { "$.labels[*].name": "labels" } };
    expect(await judged(names, { labels: [{ name: "bug" }] })).toEqual({ type: "match" });
    expect(await judged(names, { labels: [null] })).toMatchObject({ type: "doubt", reason: "readback_shape_invalid" });
  });
});

describe("one value that cannot be compared", () => {
  const two = { expected_fields: { title: { field: "title", compare: "instant" }, labels: "labels" } };
  test("makes a record that is right otherwise a doubt", async () => {
    expect(await judged(two, { title: "x", labels: ["bug"] })).toMatchObject({ reason: "readback_unconfirmed" });
  });
  test("does not excuse another that is wrong", async () => {
    expect(await judged(two, { title: "x", labels: [] })).toMatchObject({ type: "fail", unmet: ["labels"] });
  });
  test("a path that is not there does: the record has another shape", async () => {
    expect(await judged(two, { title: "x" })).toMatchObject({ reason: "readback_shape_invalid" });
  });
  test("encoding alone is a doubt that names the path and no value", async () => {
    const found = await judged({ expected_fields: { title: { value: "a & b" } } }, { title: "a &amp; b" });
    expect(found).toEqual({
      type: "doubt",
      reason: "readback_unconfirmed",
      note: "title cannot be compared with certainty by exact",
    });
  });
});

describe("any of several places", () => {
  const either = { any_of: [{ parent: "parent", customfield_1: "parent" }] };
  test.each<[object, object]>([
    [{ parent: "EPIC-1", customfield_1: null }, { type: "match" }],
    [{ parent: null, customfield_1: "EPIC-1" }, { type: "match" }],
    [{ customfield_1: "EPIC-1" }, { type: "match" }],
    [
      { parent: null, customfield_1: null },
      { type: "fail", unmet: ["parent", "customfield_1"], fields: ["parent"] },
    ],
    [{ parent: null }, { type: "doubt", reason: "readback_shape_invalid" }],
  ])("%j", async (value, finding) => {
    expect(await judged(either, value)).toMatchObject(finding);
  });
});

describe("a record that must be gone", () => {
  const gone = { expect: "absent" };
  test("and is, is a match", async () => {
    expect(await judged(gone, missing)).toEqual({ type: "match", absence: true });
  });
  test("and is there fails", async () => {
    expect(await judged(gone, { id: 7 })).toMatchObject({ type: "fail", reason: "record_present" });
  });
  test("and is a tombstone, is a match", async () => {
    const buried = { ...gone, tombstone: { path: "status", equals: "deleted" } };
    expect(await judged(buried, { status: "deleted" })).toEqual({ type: "match" });
    expect(await judged(buried, { status: "open" })).toMatchObject({ reason: "record_present" });
    expect(await judged(buried, { status: null })).toMatchObject({ reason: "record_present" });
  });
  test("and whose tombstone cannot be read leaves doubt", async () => {
    const buried = { ...gone, tombstone: { path: "status", equals: "deleted" } };
    for (const status of ["Deleted", " deleted", 1, true, ["deleted"]]) {
      expect(await judged(buried, { status })).toMatchObject({ type: "doubt", reason: "readback_unconfirmed" });
    }
    for (const other of [{}, { error: "not found" }]) {
      expect(await judged(buried, other)).toMatchObject({ type: "doubt", reason: "readback_shape_invalid" });
    }
  });
  test("fails only when what is there is that record", async () => {
    const checked = { ...gone, expected_fields: { id: "id" } };
    expect(await judged(checked, { id: 7 })).toMatchObject({ reason: "record_present" });
    expect(await judged(checked, { id: 8 })).toMatchObject({ type: "doubt", reason: "readback_unconfirmed" });
    for (const other of [{}, { error: "not found" }]) {
      expect(await judged(checked, other)).toMatchObject({ type: "doubt", reason: "readback_shape_invalid" });
    }
  });
});

describe("an element of a list", () => {
  const find = { find: { in: "items", where: { id: "id" } }, expected_fields: { title: "title" } };
  test("is found by its key, wherever it stands", async () => {
    expect(
      await judged(find, {
        items: [
          { id: 1, title: "x" },
          { id: 7, title: "t" },
        ],
      }),
    ).toEqual({ type: "match" });
    expect(await judged(find, { items: [{ id: 7, title: "x" }] })).toMatchObject({ type: "fail", unmet: ["title"] });
  });
  test("that lacks the key leaves doubt, for it may be the one", async () => {
    expect(await judged(find, { items: [{ title: "t" }] })).toMatchObject({ reason: "readback_shape_invalid" });
  });
  test("needs a list", async () => {
    for (const value of [{}, { items: null }, { items: {} }, []]) {
      expect(await judged(find, value)).toMatchObject({ type: "doubt", reason: "readback_shape_invalid" });
    }
  });
  describe("that is nearly the one leaves doubt, for what is present and what is absent", () => {
    test.each<[unknown, unknown, string?]>([
      ["7", 7],
      [7, "7"],
      [7, "7.0"],
      [7, "007"],
      ["true", true],
      [true, "true"],
      [true, "True"],
      ["null", null],
      [["7"], [7]],
      ["7", 7, "trim"],
      ["7", 7, "casefold"],
      [["a", "7"], 7, "one_of"],
      ["abc-1", "ABC-1"],
      ["abc-1", " abc-1\n"],
      ["STRASSE", "stra\u00dfe"],
    ])("%j against %j %s", async (value, id, compare = "exact") => {
      const by = { in: "items", where: { id: { value, compare } }, complete: true };
      for (const more of [{ expected_fields: { title: "title" } }, { expect: "absent" }]) {
        expect(await judged({ find: by, ...more }, { items: [{ id: "z" }, { id, title: "t" }] })).toMatchObject({
          type: "doubt",
          reason: "readback_unconfirmed",
        });
      }
    });

    test.each<[unknown, unknown]>([
      ["7", 8],
      ["a", "b"],
      [true, false],
      ["true", false],
      [7, null],
      ["", null],
      ["a", ["a"]],
      [7, "z"],
    ])("%j against %j is another one", async (value, id) => {
      const by = { in: "items", where: { id: { value } }, complete: true };
      expect(await judged({ find: by, expect: "absent" }, { items: [{ id }] })).toMatchObject({ type: "match" });
    });

    test("unless another value says that it is another one", async () => {
      const by = { in: "items", where: { id: "id", kind: { value: "a" } }, complete: true };
      expect(await judged({ find: by, expect: "absent" }, { items: [{ id: "7", kind: "b" }] })).toMatchObject({
        type: "match",
      });
    });

    test("unless the very one is there too", async () => {
      const items = [
        { id: "7", title: "x" },
        { id: 7, title: "t" },
      ];
      expect(await judged(find, { items })).toEqual({ type: "match" });
    });
  });
  test("may be told by several values and a comparator", async () => {
    const by = { in: "$", where: { id: { field: "id", compare: "number" }, title: "title" } };
    expect(
      await judged({ ...find, find: by }, [
        { id: "7", title: "x" },
        { id: "7", title: "t" },
      ]),
    ).toEqual({
      type: "match",
    });
  });
});

describe("what cannot be judged", () => {
  test.each(["[", "", "1", '"t"', "[]", "null", "{} {}", '{"title":"t","title":"t"}'])("%s", async (json) => {
    expect(await judged({ expected_fields: { title: "title" } }, record(json))).toMatchObject({ type: "doubt" });
  });

  test("an expected field without a value", async () => {
    const spec = await readback({ ...base, expected_fields: { title: "other" } });
    expect(judge(spec, record({ title: "t" }), fields)).toMatchObject({ reason: "readback_selector_invalid" });
  });

  test("members that are named like parts of JavaScript are members like others", async () => {
    const odd = { expected_fields: { __proto__x: "title", "$['__proto__'].a": "title", constructor: "title" } };
    const json = '{"__proto__x":"t","__proto__":{"a":"t"},"constructor":"t"}';
    expect(await judged(odd, record(json))).toEqual({ type: "match" });
    expect(await judged({ expected_fields: { constructor: "title" } }, {})).toMatchObject({ type: "doubt" });
  });
});
