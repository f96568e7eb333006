// `type: graphql`: one fixed query, sent as the one POST that fourgate knows; its variables are bound, never put into the text.

import { memberOf } from "../../contract/tree.ts";
import { parsePath } from "../../select/path.ts";
import type { Path } from "../../select/types.ts";
import { type Auth, credentialsOf, readAuth, readHeaders } from "../credentials.ts";
import { isOneQuery } from "../graphql-query.ts";
import type { UrlTemplate } from "../url-template.ts";
import { words } from "../words.ts";
import { http, httpProperties, readUrl } from "./http.ts";
import type { FieldUse, ReadbackKind } from "./kind.ts";

export interface GraphqlSource {
  readonly type: "graphql";
  readonly url: UrlTemplate;
  readonly auth?: Auth;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: string;
  /** Variable -> extracted field. */
  readonly variables: Readonly<Record<string, string>>;
  /** Where the record stands in the answer; it begins with `data`. Null there says that there is no such record. */
  readonly record: Path;
  /** A null there is proof that there is no such record. */
  readonly nullIsMissing: boolean;
}

export const graphql: ReadbackKind = {
  type: "graphql",
  properties: {
    url_template: { description: "The address of the GraphQL endpoint.", type: "string", minLength: 1 },
    query: {
      description: "One query operation. Mutations and subscriptions are refused.",
      type: "string",
      minLength: 1,
      maxLength: 8192,
      examples: ["query ($id: ID!) { issue(id: $id) { title } }"],
    },
    variables: {
      description: "Variable of the query -> the extracted field whose value it gets.",
      type: "object",
      propertyNames: { pattern: "^[A-Za-z_][A-Za-z_0-9]*$" },
      additionalProperties: { type: "string" },
    },
    record: {
      description: "The path of the record in the answer, like data.issue; expected_fields start there.",
      type: "string",
      examples: ["data.issue"],
    },
    null_is_missing: {
      description:
        "A null in the place of the record proves that it does not exist. Many systems also answer null where the credential may not read.",
      type: "boolean",
      default: false,
    },
    ...httpProperties,
  },
  required: ["url_template", "query", "record"],
  right: {
    ...http.right,
    url_template: "the HTTPS address of a GraphQL endpoint",
    query: "the text of one GraphQL query, at most 8192 characters",
    variables: "an object: name of a variable, then the name of an extracted field",
    "variables.*": "the name of an extracted field, as a string",
    record: "a path that begins with data, like data.issue",
    null_is_missing: "true or false",
  },
  compile(node, steps, compilation) {
    const { note } = compilation;
    const url = readUrl(node, steps, compilation);
    const query = memberOf(node, "query");
    if (query?.type === "string" && query.text !== "" && !isOneQuery(query.text)) {
      note(query.at, [...steps, "query"], words.notAQuery());
    }
    const written = memberOf(node, "record");
    let record: Path | undefined;
    if (written?.type === "string") {
      const parsed = parsePath(written.text);
      const first = parsed.ok ? parsed.path[0] : undefined;
      if (!parsed.ok) note(written.at, [...steps, "record"], words.path(parsed.message));
      else if (first?.type !== "key" || first.name !== "data" || parsed.path.length < 2) {
        note(written.at, [...steps, "record"], words.recordPath());
      } else record = parsed.path;
    }
    const variables: Record<string, string> = Object.create(null);
    const uses: FieldUse[] = [...(url?.uses ?? [])];
    const given = memberOf(node, "variables");
    for (const { key, value } of given?.type === "object" ? given.members : []) {
      if (value.type !== "string") continue;
      variables[key] = value.text;
      uses.push({ name: value.text, at: value.at, steps: [...steps, "variables", key] });
    }
    const auth = readAuth(node, steps, compilation);
    const headers = readHeaders(node, steps, auth, compilation);
    const nullIsMissing = memberOf(node, "null_is_missing");
    if (url === undefined || query?.type !== "string" || record === undefined) return undefined;
    return {
      source: {
        type: "graphql",
        url: url.template,
        ...(auth && { auth }),
        headers,
        query: query.text,
        variables,
        record,
        nullIsMissing: nullIsMissing?.type === "boolean" && nullIsMissing.is,
      },
      credentials: credentialsOf(auth),
      uses,
    };
  },
};
