// GitLab: issues and merge requests of a project, asked for by their number within it.

import { guarded, notFound, ok } from "../../fixtures/api.ts";
import { json, none, type Vendor } from "./vendor.ts";

const request = { id: "group%2Ftracker", title: "Oil", source_branch: "oil", target_branch: "main" };
const merge = { iid: 4, project_id: 77, title: "Oil", source_branch: "oil", target_branch: "main" };

export const gitlab: Vendor = {
  contract: "gitlab",
  origin: "https://gitlab.com",
  env: { GITLAB_READ_TOKEN: "glpat-SENTINEL" },
  reply({ segments, query, headers }, { record, more }) {
    const allowed = headers["private-token"] === "glpat-SENTINEL";
    const [api, version, projects, project, list] = segments;
    if (api !== "api" || version !== "v4" || projects !== "projects" || project !== "77" || record?.hidden) {
      return guarded(notFound, allowed);
    }
    if (list !== "issues" && list !== "merge_requests") return guarded(notFound, allowed);
    const found = record && String(record.iid) === query.get("iids[]") ? [record] : [];
    return guarded(ok(found, { "x-next-page": more ? "2" : "" }), allowed);
  },
  cases: [
    {
      tool: "create_issue",
      args: { id: "group%2Ftracker", title: "Fix the door" },
      answer: json({ id: 101, iid: 2, project_id: 77, title: "Fix the door", state: "opened" }),
      good: { record: { iid: 2, project_id: 77, title: "Fix the door" } },
      wrong: { "another title": { record: { iid: 2, title: "Fix" } } },
      missing: { "no issue": [none, "fail"], "a list that goes on": [{ more: true }, "unknown"] },
      doubtful: { "a project that the token may not see": { record: { hidden: true } } },
    },
    {
      tool: "create_issue",
      about: "ids as texts",
      args: { project_id: "77", title: "Fix the door" },
      answer: json({ id: "101", iid: "2", project_id: "77", title: "Fix the door" }),
      good: { record: { iid: 2, project_id: 77, title: "Fix the door" } },
      wrong: { "another title": { record: { iid: 2, title: "Fix" } } },
      missing: { "no issue": [none, "fail"] },
    },
    {
      tool: "create_merge_request",
      args: request,
      answer: json(merge),
      good: { record: { ...merge, title: "Draft: Oil" } },
      wrong: {
        "another title": { record: { ...merge, title: "Grease" } },
        "another source": { record: { ...merge, source_branch: "grease" } },
        "another target": { record: { ...merge, target_branch: "dev" } },
      },
      missing: { "no merge request": [none, "fail"] },
    },
  ],
};
