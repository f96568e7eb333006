// `type: github_issue`: an issue of one GitHub repository, by its number.

import { memberOf } from "../../contract/tree.ts";
import type { ReadbackKind } from "./kind.ts";

/** GitHub's own media type and version, so that the shape of the answer stays the same. */
const HEADERS = { accept: "application/vnd.github+json", "x-github-api-version": "2022-11-28" };

export const githubIssue: ReadbackKind = {
  type: "github_issue",
  properties: {
    repository: {
      description: "The repository, as owner/name.",
      type: "string",
      pattern: "^[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})/(?!\\.{1,2}$)[A-Za-z0-9._-]{1,100}$",
      examples: ["octo-org/tracker"],
    },
    issue_number_field: {
      description: "The extracted field that holds the issue's number.",
      type: "string",
      minLength: 1,
    },
    token_env: {
      description: "The environment variable that holds a token that may read issues.",
      type: "string",
      pattern: "^[A-Za-z_][A-Za-z_0-9]*$",
    },
    missing_is_fail: {
      description:
        "A 404 proves that the issue does not exist. GitHub also answers 404 where the token may not read, so say true only for one that may.",
      type: "boolean",
      default: false,
    },
  },
  required: ["repository", "issue_number_field", "token_env"],
  right: {
    repository: "owner/name, as a string",
    issue_number_field: "the name of an extracted field, as a string",
    token_env: "the name of an environment variable, as a string",
    missing_is_fail: "true or false",
  },
  compile(node, steps) {
    const repository = memberOf(node, "repository");
    const number = memberOf(node, "issue_number_field");
    const token = memberOf(node, "token_env");
    const missing = memberOf(node, "missing_is_fail");
    if (repository?.type !== "string" || number?.type !== "string" || token?.type !== "string") return undefined;
    const gone = missing?.type === "boolean" && missing.is;
    return {
      source: {
        type: "http",
        url: {
          origin: "https://api.github.com",
          parts: [`/repos/${repository.text}/issues/`, number.text, ""],
          loopback: false,
        },
        auth: { scheme: "bearer", tokenEnv: token.text },
        headers: HEADERS,
        missingStatuses: gone ? [404, 410] : [],
        wholeNumbers: [number.text],
      },
      credentials: [token.text],
      uses: [{ name: number.text, at: number.at, steps: [...steps, "issue_number_field"] }],
    };
  },
};
