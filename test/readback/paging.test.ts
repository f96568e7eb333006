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
  test.each([
    { next: "https://x/?page=2" },
    { next_cursor: "abc" },
    { nextPageToken: "t" },
    { has_more: true },
    { hasNextPage: true },
    { "@odata.nextLink": "x" },
    { paging: { next: { after: "1" } } },
    { links: { next: "x" } },
    { _links: { next: { href: "x" } } },
    { pageInfo: { hasNextPage: true } },
    { meta: { next_page: 2 } },
    { response_metadata: { next_cursor: "dXNlcg==" } },
    { isLast: false },
    { total: 2 },
    { total_count: 100 },
  ])("%j", async (marks) => {
    const system = await api(json({ items: page(1), ...marks }));
    const find = { in: "items", where: { id: "id" }, complete: true };
    expect(await run(about(system.origin, { find }))).toMatchObject({
      type: "unknown",
      reason: "readback_unconfirmed",
    });
  });

  test.each([
    {},
    { next: null },
    { next_cursor: "" },
    { has_more: false },
    { pageInfo: { hasNextPage: false } },
    { isLast: true },
    { total: 1 },
    { links: {} },
  ])("%j is none", async (marks) => {
    const system = await api(json({ items: page(1), ...marks }));
    const find = { in: "items", where: { id: "id" }, complete: true };
    expect(await run(about(system.origin, { find }))).toMatchObject({ type: "fail", reason: "record_missing" });
  });

  test("so do headers", async () => {
    for (const headers of [{ "x-next-page": "2" }, { "content-range": "items 0-9/20" }]) {
      const system = await api(json(page(1), 200, headers as never));
      expect(await run(about(system.origin))).toMatchObject({ type: "unknown", reason: "readback_unconfirmed" });
    }
  });
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
