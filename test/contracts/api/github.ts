// GitHub: issues and comments by REST, files and branches by GraphQL.

import { guarded, notFound, ok } from "../../fixtures/api.ts";
import { json, none, type Vendor } from "./vendor.ts";

const inRepo = { owner: "octo", repo: "tracker" };
const issue = { method: "create", ...inRepo, title: "Fix the door", body: "It squeaks." };
const issueAnswer = json({ id: "3001", url: "https://github.com/octo/tracker/issues/12" });
const comment = { ...inRepo, issue_number: 12, body: "Oiled." };
const file = { ...inRepo, branch: "main", path: "/docs/a b.md", content: "# A\n\n“b” \\ & <c>\n", message: "m" };
const fileAnswer = json({ content: { name: "a b.md", path: "docs/a b.md", sha: "ab12" }, commit: { sha: "cd34" } });
const branch = { ...inRepo, branch: "feature/x", from_branch: "main" };

export const github: Vendor = {
  contract: "github",
  origin: "https://api.github.com",
  env: { GITHUB_READ_TOKEN: "ghp-SENTINEL" },
  reply({ method, segments, headers, body }, { record }) {
    const allowed = headers.authorization === "Bearer ghp-SENTINEL" && headers["user-agent"] !== undefined;
    const path = segments.join("/");
    if (method === "POST" && path === "graphql") {
      const { owner, repo, branch, path: file } = body.variables;
      // Without access to the repository GitHub gives null and an error.
      if (`${owner}/${repo}` !== "octo/tracker" || record?.hidden) {
        return guarded(ok({ data: { repository: null }, errors: [{ type: "NOT_FOUND" }] }), allowed);
      }
      if (file === undefined) {
        const ref = record?.branch === branch ? { name: branch, prefix: record.prefix } : null;
        return guarded(ok({ data: { repository: { ref } } }), allowed);
      }
      if (branch !== "main" || record?.noBranch) return guarded(ok({ data: { repository: { ref: null } } }), allowed);
      const { text } = record ?? {};
      const blob = record?.path === file ? { object: { text, again: text, andAgain: text } } : null;
      return guarded(ok({ data: { repository: { ref: { target: { file: blob } } } } }), allowed);
    }
    const found = record && path === `repos/octo/tracker/${record.at}`;
    if (record?.gone) return guarded({ status: 410, body: { message: "This issue was deleted" } }, allowed);
    return guarded(found ? ok(record) : notFound, allowed && headers["x-github-api-version"] === "2022-11-28");
  },
  cases: [
    {
      tool: "issue_write",
      args: issue,
      answer: issueAnswer,
      good: { record: { at: "issues/12", number: 12, title: "Fix the door", labels: [] } },
      wrong: { "another title": { record: { at: "issues/12", number: 12, title: "Fix the window" } } },
      missing: { "no issue": [none, "fail"], "a deleted issue": [{ record: { gone: true } }, "fail"] },
      doubtful: { "an issue of another shape": { record: { at: "issues/12", number: 12 } } },
    },
    {
      tool: "issue_write",
      about: "a pull request",
      args: { ...issue, method: "update", issue_number: 7 },
      answer: json({ id: "3002", url: "https://github.com/octo/tracker/pull/7" }),
      good: { record: { at: "issues/7", title: "Fix the door\n" } },
      wrong: { "the title as it was": { record: { at: "issues/7", title: "Fix" } } },
      missing: { "no pull request": [none, "fail"] },
    },
    {
      tool: "add_issue_comment",
      args: comment,
      answer: json({ id: "991", url: "https://github.com/octo/tracker/issues/12#issuecomment-991" }),
      good: { record: { at: "issues/comments/991", id: 991, body: "Oiled." } },
      wrong: { "another text": { record: { at: "issues/comments/991", id: 991, body: "Oil" } } },
      missing: { "no comment": [none, "fail"] },
      doubtful: { "a text with other line ends": { record: { at: "issues/comments/991", body: "Oiled.&#10;" } } },
    },
    {
      tool: "create_or_update_file",
      args: file,
      answer: fileAnswer,
      good: { record: { path: "docs/a b.md", text: file.content } },
      wrong: { "another text": { record: { path: "docs/a b.md", text: "# A\n" } } },
      missing: { "no file": [none, "fail"], "a file at another path": [{ record: { path: "a b.md" } }, "fail"] },
      doubtful: {
        "a repository that the token may not see": { record: { hidden: true } },
        "a branch that is not there": { record: { noBranch: true } },
        "a text so long that it may have been cut": { record: { path: "docs/a b.md", text: "x".repeat(400_000) } },
      },
    },
    {
      tool: "create_branch",
      args: branch,
      answer: json({ ref: "refs/heads/feature/x", object: { sha: "ab12" } }),
      good: { record: { branch: "feature/x", prefix: "refs/heads/" } },
      wrong: { "a tag": { record: { branch: "feature/x", prefix: "refs/tags/" } } },
      missing: { "no branch": [none, "fail"] },
      doubtful: { "a repository that the token may not see": { record: { hidden: true } } },
    },
  ],
};
