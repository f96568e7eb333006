// Jira Cloud behind Atlassian's gateway: one address for all sites, the site by its id.

import { guarded, notFound, ok } from "../../fixtures/api.ts";
import { json, none, type Vendor } from "./vendor.ts";

const cloud = "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0";
const self = `https://api.atlassian.com/ex/jira/${cloud}/rest/api/3/issue/10042`;
const call = { cloudId: "example.atlassian.net" };
const basic = `Basic ${Buffer.from("reader@example.org:atl-SENTINEL").toString("base64")}`;
const issue = (summary: string) => ({ record: { id: "10042", key: "ENG-7", fields: { summary } } });

export const jira: Vendor = {
  contract: "jira",
  origin: "https://api.atlassian.com",
  env: { JIRA_READ_TOKEN: "atl-SENTINEL", JIRA_READ_EMAIL: "reader@example.org" },
  reply({ segments, headers }, { record, more }) {
    const allowed = headers.authorization === basic;
    const path = segments.join("/");
    const at = `ex/jira/${cloud}/rest/api/3/issue`;
    if (path === `${at}/10042/comment`) {
      const comments = record?.comment ? [record.comment] : [];
      const total = comments.length + (more ? 200 : 0);
      return guarded(record?.hidden ? notFound : ok({ startAt: 0, maxResults: 100, total, comments }), allowed);
    }
    const found = record !== undefined && (path === `${at}/10042` || path === `${at}/ENG-7`);
    return guarded(found ? ok(record) : notFound, allowed);
  },
  cases: [
    {
      tool: "createJiraIssue",
      args: { ...call, projectKey: "ENG", issueTypeName: "Task", summary: "Fix the door" },
      answer: json({ id: "10042", key: "ENG-7", self }),
      good: issue("Fix the door"),
      wrong: { "another summary": issue("Fix") },
      missing: { "no issue": [none, "fail"] },
    },
    {
      tool: "editJiraIssue",
      args: { ...call, issueIdOrKey: "ENG-7", fields: { summary: "Fix the door" } },
      answer: json({ id: "10042", self, key: "ENG-7", fields: {} }),
      good: issue("Fix the door"),
      wrong: { "the summary as it was": issue("Fix") },
      missing: { "no issue": [none, "unknown"] },
    },
    {
      tool: "addCommentToJiraIssue",
      args: { ...call, issueIdOrKey: "ENG-7", commentBody: "Oiled." },
      answer: json({ self: `${self}/comment/501`, id: "501" }),
      good: { record: { comment: { id: "501", body: { type: "doc" } } } },
      wrong: {},
      missing: {
        "no comment": [none, "fail"],
        "another comment": [{ record: { comment: { id: "500" } } }, "fail"],
        "a list that goes on": [{ more: true }, "unknown"],
      },
      doubtful: { "an issue that the account may not see": { record: { hidden: true } } },
    },
  ],
};
