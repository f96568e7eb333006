// Lists over several pages: an element on a further page is found, and what was not read is never called absent.

import { describe, expect, test } from "vitest";
import { api, json } from "./api.ts";
import { fieldsOf, run } from "./reading.ts";

const about = (origin: string, more: object = {}) => ({
  type: "http",
  url_template: `${origin}/issues?per_page=2`,
  find: { in: "$", where: { id: "id" }, complete: true },
  expected_fields: { title: "title" },
  attempts: 1,
  ...more,
});

const page = (...ids: number[]) => ids.map((id) => ({ id, title: "t" }));

/** Pages of a list, each with a link to the next; the last without. */
async function pages(all: unknown[], link = (next: number) => `</issues?per_page=2&page=${next}>; rel="next"`) {
  return api((response, { url }, nth) => {
    const number = Number(/page=(\d+)$/.exec(url)?.[1] ?? 1);
    const at = url.includes("&page=") ? number : 1;
    const headers: Record<string, string> = at < all.length ? { link: `<x>; rel="first", ${link(at + 1)}` } : {};
    json(all[at - 1], 200, headers)(response, { url } as never, nth);
  });
}

test("an element on the third page is found", async () => {
  const system = await pages([page(1, 2), page(3, 4), page(7)]);
  expect(await run(about(system.origin))).toMatchObject({ type: "pass" });
  expect(system.asked.map(({ url }) => url)).toEqual([
    "/issues?per_page=2",
    "/issues?per_page=2&page=2",
    "/issues?per_page=2&page=3",
  ]);
});

test("an element on the first page is found without the others", async () => {
  const system = await pages([page(7), page(8)]);
  expect(await run(about(system.origin))).toMatchObject({ type: "pass" });
  expect(system.asked).toHaveLength(1);
});

test("absence from all pages of a complete list is FAIL, from others UNKNOWN", async () => {
  const system = await pages([page(1), page(2)]);
  expect(await run(about(system.origin))).toMatchObject({ type: "fail", reason: "record_missing" });
  const find = { in: "$", where: { id: "id" } };
  expect(await run(about(system.origin, { find }))).toMatchObject({ type: "unknown", reason: "readback_unconfirmed" });
});

test("absence from ten pages of more is UNKNOWN", async () => {
  const system = await pages(Array.from({ length: 30 }, (_, i) => page(100 + i)));
  expect(await run(about(system.origin))).toMatchObject({ type: "unknown", reason: "readback_unconfirmed" });
  expect(system.asked).toHaveLength(10);
});

test("a total that all pages together reach is no reason for doubt", async () => {
  const total = (...ids: number[]) => ({ total: 3, items: page(...ids) });
  const system = await pages([total(1, 2), total(3)]);
  const find = { in: "items", where: { id: "id" }, complete: true };
  expect(await run(about(system.origin, { find }))).toMatchObject({ type: "fail", reason: "record_missing" });
});

test("a further page that is not there is UNKNOWN, though its status is listed", async () => {
  const system = await api((response, asked, nth) => {
    if (nth > 1) json({}, 404)(response, asked, nth);
    else json(page(1), 200, { link: '</issues?per_page=2&page=2>; rel="next"' })(response, asked, nth);
  });
  const outcome = await run(about(system.origin, { missing_statuses: [404] }));
  expect(outcome).toMatchObject({ type: "unknown", reason: "readback_unconfirmed" });
});

test("a link to another host, port or path is never followed", async () => {
  const other = await api(json(page(7)));
  for (const target of [
    `${other.origin}/issues?page=2`,
    "//127.0.0.1:1/issues?page=2",
    "/admin?page=2",
    "http://[",
    "../x",
  ]) {
    const system = await pages([page(1), page(7)], () => `<${target}>; rel="next"`);
    const outcome = await run(about(system.origin, { token_env: "T" }), { environment: { T: "k" } });
    expect(outcome).toMatchObject({ type: "unknown", reason: "readback_unconfirmed" });
    expect(system.asked).toHaveLength(1);
  }
  expect(other.connections()).toBe(0);
});

test("a link to itself is not followed for ever", async () => {
  const system = await api(json(page(1), 200, { link: '</issues?per_page=2>; rel="next"' }));
  expect(await run(about(system.origin))).toMatchObject({ type: "unknown" });
  expect(system.asked).toHaveLength(1);
});

describe("marks of a further page in the answer leave doubt", () => {
  const missing = { type: "fail", reason: "record_missing" };
  const unsure = { type: "unknown", reason: "readback_unconfirmed" };
  const marks: object[] = [
    { next: "https://x/?page=2" },
    { next: 2 },
    { nextPage: { n: 2 } },
    { next_cursor: "abc" },
    { "Next-Token": "x" },
    { NextPageToken: "t" },
    { "@odata.nextLink": "x" },
    { has_more: true },
    { HAS_MORE: true },
    { hasNext: true },
    { has_next_page: true },
    { more: true },
    { cursor: "abc" },
    { bookmark: "x" },
    { _scroll_id: "x" },
    { offset: "itr" },
    { continue: { a: "x" } },
    { marker: "m" },
    { LastEvaluatedKey: { id: { S: "1" } } },
    { remainingItemCount: 4 },
    { incomplete_results: true },
    { truncated: true },
    { IsTruncated: true },
    { isLast: false },
    { is_last_page: false },
    { last: false },
    { page: 1, pages: 4 },
    { page: "1", total_pages: "4" },
    { current_page: 1, last_page: 4 },
    { totalPages: 2 },
    { total: 2 },
    { Total: "2" },
    { total_count: 100 },
    { count: 9 },
    { size: 9 },
    { total: { value: 9, relation: "eq" } },
    { "@odata.count": 9 },
    { startAt: 0, maxResults: 1, total: 2 },
    { startAt: 0, maxResults: 1 },
    { paging: { next: { after: "1" } } },
    { cursors: { after: "x" } },
    { cursor: { next: "x" } },
    { links: { next: "x" } },
    { _links: { next: { href: "x" } } },
    { pageInfo: { hasNextPage: true } },
    { page_info: { has_next_page: true } },
    { pagination: { has_more: true } },
    { meta: { next_page: 2 } },
    { meta: { total: 5 } },
    { Meta: { pagination: { total_pages: 3, page: 1 } } },
    { metadata: { continue: "x" } },
    { response_metadata: { next_cursor: "dXNlcg==" } },
    { page: { size: 1, totalElements: 9, totalPages: 9, number: 0 } },
  ];
  const none: object[] = [
    {},
    { next: null },
    { next: false, cursor: 0 },
    { next_cursor: "" },
    { has_more: false },
    { has_more: false, cursor: "for the next change" },
    { pageInfo: { hasNextPage: false, endCursor: "x" } },
    { isLast: true },
    { last: true },
    { total: 1 },
    { total: "1", count: 0, size: null },
    { offset: 0, limit: 50, total: 1 },
    { startAt: 0, maxResults: 50, isLast: true },
    { startAt: 0, maxResults: 1, total: 1 },
    { page: 1, pages: 1 },
    { current_page: 1, last_page: 1 },
    { total_pages: 0 },
    { links: {} },
    { _links: { self: { href: "x" }, next: { href: null } } },
    { cursors: { before: "x", after: null } },
    { truncated: false, incomplete_results: false, remainingItemCount: 0, LastEvaluatedKey: null },
    { name: "next", description: "has_more" },
  ];
  const at = (path: string) => ({ find: { in: path, where: { id: "id" }, complete: true } });

  test.each(marks)("%j", async (mark) => {
    const system = await api(json({ items: page(1), ...mark }));
    expect(await run(about(system.origin, at("items")))).toMatchObject(unsure);
  });

  test.each(none)("%j is none", async (mark) => {
    const system = await api(json({ items: page(1), ...mark }));
    expect(await run(about(system.origin, at("items")))).toMatchObject(missing);
  });

  test("at every level down to the list", async () => {
    const mark = { pagination: { has_more: true } };
    for (const [path, answer] of [
      ["data.list.items", { ...mark, data: { list: { items: page(1) } } }],
      ["data.list.items", { data: { ...mark, list: { items: page(1) } } }],
      ["data.list.items", { data: { list: { ...mark, items: page(1) } } }],
      ["$[0].items", [{ ...mark, items: page(1) }]],
      ["links.items", { links: { ...mark, items: page(1) } }],
    ] as const) {
      const system = await api(json(answer));
      expect(await run(about(system.origin, at(path)))).toMatchObject(unsure);
    }
  });

  test("not in the elements, and not in what stands beside the path", async () => {
    const system = await api(json({ next: { items: [{ ...page(1)[0], next: "x", total: 9 }] }, other: { next: "x" } }));
    expect(await run(about(system.origin, at("next.items")))).toMatchObject(missing);
  });

  test("a mark that is given twice counts when one of the two does", async () => {
    const system = await api((response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end('{"items":[],"has_more":true,"has_more":false}');
    });
    expect(await run(about(system.origin, at("items")))).toMatchObject({ type: "unknown" });
  });

  test("nor is what an absent record would be proved by", async () => {
    const system = await api(json({ items: page(1), pagination: { has_more: true } }));
    const gone = { ...about(system.origin, { ...at("items"), expect: "absent" }), expected_fields: undefined };
    expect(await run(gone)).toMatchObject(unsure);
  });

  test.each<Record<string, string>>([
    { "x-total-count": "1" },
    { "x-total": "0" },
    { link: '</issues?per_page=2>; rel="last"' },
    { link: '</issues?per_page=2&page=1>; rel="first", </issues?per_page=2&page=1>; rel="last"' },
    { link: '</issues?page=2>; title="a, b; c"; rel="prev"' },
  ])("headers %j are none", async (headers) => {
    const system = await api(json(page(1), 200, headers));
    expect(await run(about(system.origin))).toMatchObject(missing);
  });

  test.each<Record<string, string>>([
    { "x-total-count": "50" },
    { "x-total": "2" },
    { link: '</issues?page=9>; rel="last"' },
    { link: "<?page=9>; rel=last" },
    { link: '<http://[>; rel="last"' },
    { link: '</issues?page=2>; rel="next", </issues?page=3>; rel="next"' },
  ])("headers %j do", async (headers) => {
    const system = await api(json(page(1), 200, headers));
    expect(await run(about(system.origin))).toMatchObject(unsure);
    expect(system.asked).toHaveLength(1);
  });

  test("a total in the headers that all pages reach is none", async () => {
    const system = await api((response, asked, nth) => {
      const headers: Record<string, string> = { "x-total-count": "2" };
      if (nth === 1)
        headers.link = '</issues?page=1,2>; title="a, b; rel=x"; rel="next", </issues?page=1,2>; rel="last"';
      json(page(nth), 200, headers)(response, asked, nth);
    });
    expect(await run(about(system.origin))).toMatchObject(missing);
    expect(system.asked).toHaveLength(2);
  });

  test("so do headers", async () => {
    for (const headers of [{ "x-next-page": "2" }, { "content-range": "items 0-9/20" }]) {
      const system = await api(json(page(1), 200, headers as never));
      expect(await run(about(system.origin))).toMatchObject({ type: "unknown", reason: "readback_unconfirmed" });
    }
  });
});

test("marks around the list that a GraphQL record is leave doubt", async () => {
  for (const [more, outcome] of [
    [true, { type: "unknown", reason: "readback_unconfirmed" }],
    [false, { type: "fail", reason: "record_missing" }],
  ] as const) {
    const system = await api(json({ data: { issues: { nodes: page(1), pageInfo: { hasNextPage: more } } } }));
    const { url_template, ...rest } = about(system.origin);
    const asked = {
      ...rest,
      type: "graphql",
      url_template,
      query: "{ issues { nodes { id } } }",
      record: "data.issues.nodes",
    };
    expect(await run({ ...asked, url_template: `${system.origin}/graphql` })).toMatchObject(outcome);
  }
});

test("two elements that match are UNKNOWN", async () => {
  const system = await api(json([...page(7), ...page(7)]));
  expect(await run(about(system.origin))).toMatchObject({ type: "unknown", reason: "readback_unconfirmed" });
});

test("an empty list, as row-level security makes it, is UNKNOWN unless the contract calls it complete", async () => {
  const system = await api(json([]));
  expect(await run(about(system.origin, { find: { in: "$", where: { id: "id" } } }))).toMatchObject({
    type: "unknown",
  });
  expect(await run(about(system.origin))).toMatchObject({ type: "fail", reason: "record_missing" });
});

test("a delete that left the element in the list is FAIL", async () => {
  const system = await api(json(page(7)));
  const gone = { ...about(system.origin, { expect: "absent" }), expected_fields: undefined };
  expect(await run(gone, { fields: fieldsOf({ id: 7 }) })).toMatchObject({ type: "fail", reason: "record_present" });
  expect(await run(gone, { fields: fieldsOf({ id: 8 }) })).toMatchObject({ type: "pass" });
});
