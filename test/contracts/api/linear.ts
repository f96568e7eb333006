// Linear: one GraphQL endpoint. For an issue that does not exist it answers with an error, for comments with an empty list.

import { guarded, ok } from "../../fixtures/api.ts";
import { json, none, type Vendor } from "./vendor.ts";

const comment = { id: "c-1", issue: { id: "u-7", identifier: "ENG-7", previousIdentifiers: [] as string[] } };

export const linear: Vendor = {
  contract: "linear",
  origin: "https://api.linear.app",
  env: { LINEAR_READ_KEY: "lin-SENTINEL" },
  reply({ segments, headers, body }, { record, more }) {
    const allowed = headers.authorization === "lin-SENTINEL" && segments.join("/") === "graphql";
    const { id } = body.variables;
    if (/comments\(/.test(body.query)) {
      const nodes = record?.id === id ? [record] : [];
      return guarded(ok({ data: { comments: { nodes, pageInfo: { hasNextPage: more === true } } } }), allowed);
    }
    if (record?.id !== id) return guarded(ok({ data: null, errors: [{ message: "Entity not found" }] }), allowed);
    return guarded(ok({ data: { issue: record } }), allowed);
  },
  cases: [
    {
      tool: "save_issue",
      args: { title: "Fix the door", team: "Engineering" },
      answer: json({ id: "ENG-7", title: "Fix the door", url: "https://linear.app/x/issue/ENG-7" }),
      good: { record: { id: "ENG-7", title: "Fix the door", trashed: null } },
      wrong: { "another title": { record: { id: "ENG-7", title: "Fix", trashed: null } } },
      missing: {
        "no issue": [none, "unknown"],
        "an issue in the trash": [{ record: { id: "ENG-7", title: "Fix the door", trashed: true } }, "fail"],
      },
    },
    {
      tool: "save_comment",
      args: { issueId: "ENG-7", body: "- Oiled." },
      answer: json({ id: "c-1", body: "* Oiled." }),
      good: { record: comment },
      wrong: {
        "a comment on another issue": {
          record: { ...comment, issue: { id: "u-8", identifier: "ENG-8", previousIdentifiers: [] } },
        },
      },
      missing: { "no comment": [none, "fail"], "a list that goes on": [{ more: true }, "unknown"] },
    },
    {
      tool: "save_comment",
      about: "an issue that has moved",
      args: { issueId: "ENG-7", body: "Oiled." },
      answer: json({ id: "c-1" }),
      good: { record: { ...comment, issue: { id: "u-7", identifier: "OPS-3", previousIdentifiers: ["ENG-7"] } } },
      wrong: {},
      missing: {},
    },
    {
      tool: "save_comment",
      about: "an issue by its UUID",
      args: { issueId: "U-7", body: "Oiled." },
      answer: json({ id: "c-1" }),
      good: { record: comment },
      wrong: {},
      missing: {},
    },
  ],
};
