// The GraphQL read-back: one fixed query, variables beside it, and what its kinds of answers mean.

import { describe, expect, test } from "vitest";
import { isOneQuery } from "../../src/core/readback/graphql-query.ts";
import { api, json } from "./api.ts";
import { fieldsOf, run } from "./reading.ts";

const QUERY = "query ($id: ID!) { issue(id: $id) { title } }";
const about = (origin: string, more: object = {}) => ({
  type: "graphql",
  url_template: `${origin}/graphql`,
  query: QUERY,
  variables: { id: "id" },
  record: "data.issue",
  expected_fields: { title: "title" },
  token_env: "TOKEN",
  attempts: 1,
  ...more,
});
const environment = { TOKEN: "k" };

test("the query is sent as it is, its variables with every digit beside it", async () => {
  const system = await api(json({ data: { issue: { title: "t" } } }));
  const fields = fieldsOf({ title: "t" }, { id: "1915883588174806058" });
  expect(await run(about(system.origin), { fields, environment })).toMatchObject({ type: "pass" });
  const [asked] = system.asked;
  expect(asked).toMatchObject({ method: "POST", url: "/graphql" });
  expect(asked!.headers).toMatchObject({ "content-type": "application/json", authorization: "Bearer k" });
  expect(asked!.body).toBe(`{"query":${JSON.stringify(QUERY)},"variables":{"id":1915883588174806058}}`);
});

test("a variable that tries to be a query stays a value", async () => {
  const system = await api(json({ data: { issue: { title: "t" } } }));
  const id = '") { id } } mutation { delete }';
  await run(about(system.origin), { fields: fieldsOf({ id, title: "t" }), environment });
  expect(JSON.parse(system.asked[0]!.body)).toEqual({ query: QUERY, variables: { id } });
});

test.each<[string, unknown, object]>([
  ["another value is FAIL", { data: { issue: { title: "x" } } }, { type: "fail", reason: "field_mismatch" }],
  ["null is UNKNOWN", { data: { issue: null } }, { type: "unknown", reason: "readback_unconfirmed" }],
  [
    "errors beside the record are UNKNOWN",
    { data: { issue: { title: "t" } }, errors: [{ message: "x" }] },
    { type: "unknown", reason: "readback_unconfirmed" },
  ],
  ["an empty list of errors is none", { errors: [], data: { issue: { title: "t" } } }, { type: "pass" }],
  ["only errors are UNKNOWN", { errors: [{}], data: null }, { type: "unknown", reason: "readback_unconfirmed" }],
  ["no data is UNKNOWN", {}, { type: "unknown", reason: "readback_shape_invalid" }],
  ["a list is UNKNOWN", [], { type: "unknown", reason: "readback_unconfirmed" }],
])("%s", async (_, answer, outcome) => {
  const system = await api(json(answer));
  expect(await run(about(system.origin), { environment })).toMatchObject(outcome);
});

test("null is FAIL where the contract calls it proof", async () => {
  const system = await api(json({ data: { issue: null } }));
  expect(await run(about(system.origin, { null_is_missing: true }), { environment })).toMatchObject({
    type: "fail",
    reason: "record_missing",
  });
});

test.each(["null", '""', "{}", "[]"])("a variable of %s is never sent", async (id) => {
  const system = await api(json({}));
  const outcome = await run(about(system.origin), { fields: fieldsOf({ title: "t" }, { id }), environment });
  expect(outcome).toMatchObject({ reason: "readback_selector_invalid" });
  expect(system.connections()).toBe(0);
});

describe("one query", () => {
  test.each([
    "{ a }",
    "query { a }",
    'query A($x: [ID!]! = ["}"]) @live { a(x: $x) { ...F ... on B { c } } } fragment F on T { d }',
    "fragment F on T { d } query { ...F }",
    '# mutation { x }\nquery { a(s: "mutation {") }',
    '{ a(s: """ } mutation { """) }',
    "{ mutation }",
    "\ufeffquery{a}",
  ])("is %s", (document) => expect(isOneQuery(document)).toBe(true));

  test.each([
    "",
    "mutation { a }",
    "subscription { a }",
    "query { a } mutation { b }",
    "{ a } { b }",
    "query A { a } query B { b }",
    "fragment F on T { d }",
    "query { a",
    "query a }",
    'query { a(s: "x) }',
    "type Query { a: Int }",
    "query { a } extend type T { b: Int }",
    "query { a } ;",
    "\\u006dutation { a }",
  ])("is not %s", (document) => expect(isOneQuery(document)).toBe(false));
});
