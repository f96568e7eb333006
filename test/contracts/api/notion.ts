// Notion: blocks, comments and pages; 404 for whatever is not shared with the integration.

import { guarded, notFound, ok } from "../../fixtures/api.ts";
import { json, none, type Vendor } from "./vendor.ts";

const page = { id: "p-2", type: "child_page", in_trash: false, child_page: { title: "Door" } };
const comment = { object: "comment", id: "c-1", rich_text: [{ type: "text", text: { content: "Oiled." } }] };
const onPage = { parent: { page_id: "p-1" } };
const title = { properties: { title: [{ text: { content: "Door" } }] } };

export const notion: Vendor = {
  contract: "notion",
  origin: "https://api.notion.com",
  env: { NOTION_READ_TOKEN: "ntn-SENTINEL" },
  reply({ segments, query, headers }, { record, more }) {
    const allowed = headers.authorization === "Bearer ntn-SENTINEL" && headers["notion-version"] === "2025-09-03";
    const list = ok({
      object: "list",
      results: record === undefined ? [] : [record],
      has_more: more === true,
      next_cursor: more ? "n" : null,
    });
    const path = segments.slice(1).join("/");
    if (segments[0] !== "v1" || record?.hidden) return guarded(notFound, allowed);
    if (path === "blocks/p-1/children") return guarded(list, allowed);
    if (path === "comments" && query.get("block_id") === "p-1") return guarded(list, allowed);
    const single = path === "pages/p-2" || path === "blocks/p-2";
    return guarded(single && record !== undefined ? ok(record) : notFound, allowed);
  },
  cases: [
    {
      tool: "API-post-page",
      args: { ...onPage, ...title },
      answer: json({ object: "page", id: "p-2" }),
      good: { record: page },
      wrong: { "a block of another type": { record: { ...page, type: "paragraph" } } },
      missing: {
        "no page": [none, "fail"],
        "a page in the trash": [{ record: { ...page, in_trash: true } }, "fail"],
        "a list that goes on": [{ more: true }, "unknown"],
      },
      doubtful: { "a parent that is not shared": { record: { hidden: true } } },
    },
    {
      tool: "API-create-a-comment",
      args: { ...onPage, rich_text: [{ text: { content: "Oiled." } }] },
      answer: json({ object: "comment", id: "c-1" }),
      good: { record: comment },
      wrong: { "another text": { record: { ...comment, rich_text: [{ text: { content: "Oil" } }] } } },
      missing: { "no comment": [none, "fail"], "a list that goes on": [{ more: true }, "unknown"] },
      doubtful: { "a page that is not shared": { record: { hidden: true } } },
    },
    {
      tool: "API-patch-page",
      args: { page_id: "p-2", in_trash: true },
      answer: json({ object: "page", id: "p-2" }),
      good: { record: { object: "page", id: "p-2", in_trash: true } },
      wrong: { "a page that is not in the trash": { record: { object: "page", id: "p-2", in_trash: false } } },
      missing: { "no page": [none, "unknown"] },
    },
    {
      tool: "API-delete-a-block",
      args: { block_id: "p-2" },
      answer: json({ object: "block", id: "p-2" }),
      good: { record: { object: "block", id: "p-2", in_trash: true } },
      wrong: { "a block that is still there": { record: { object: "block", id: "p-2", in_trash: false } } },
      missing: { "no block, or none that is shared": [none, "unknown"] },
    },
  ],
};
