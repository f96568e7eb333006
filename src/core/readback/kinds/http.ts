// `type: http`: one GET of a JSON document, at a fixed host.

import type { Compilation } from "../../contract/compile.ts";
import { offsetInString } from "../../contract/position.ts";
import { INTEGER_TOKEN, memberOf, type Node, type Step } from "../../contract/tree.ts";
import { type Auth, credentialsOf, readAuth, readHeaders } from "../credentials.ts";
import { parseUrlTemplate, type UrlTemplate } from "../url-template.ts";
import { words } from "../words.ts";
import type { FieldUse, ReadbackKind } from "./kind.ts";

export interface HttpSource {
  readonly type: "http";
  readonly url: UrlTemplate;
  readonly auth?: Auth;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Statuses that say that there is no such record. */
  readonly missingStatuses: readonly number[];
  /** Fields that must be positive whole numbers. */
  readonly wholeNumbers?: readonly string[];
}

/** A status that may say "no such record": none that speaks of rights, of the proxy, of time or of too many requests. */
const NEVER_MISSING = [401, 403, 407, 408, 425, 429];

const environmentName = { type: "string", pattern: "^[A-Za-z_][A-Za-z_0-9]*$" };
const printable = (maxLength: number) => ({ type: "string", maxLength, pattern: "^[ -~]*$" });

/** Keys that every type over HTTP shares. */
export const httpProperties = {
  token_env: { description: "The environment variable that holds the credential for reading.", ...environmentName },
  auth: {
    description: "How the credential is sent. Without it: as a bearer token.",
    type: "object",
    required: ["scheme"],
    additionalProperties: false,
    properties: {
      scheme: { description: "bearer, a header of its own, or basic.", enum: ["bearer", "header", "basic"] },
      header: {
        description: "With scheme header: the header that carries the token.",
        type: "string",
        maxLength: 64,
        pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$",
      },
      prefix: { description: "With scheme header: what stands before the token.", ...printable(64) },
      username: {
        description: "With scheme basic: the user name; the token is the password.",
        type: "string",
        minLength: 1,
        maxLength: 128,
        pattern: "^[ -9;-~]*$",
      },
      username_env: { description: "With scheme basic: the variable that holds the user name.", ...environmentName },
      token_as: { description: "With scheme basic: the token is the user name.", enum: ["username"] },
      password: { description: "With token_as username: what the system wants as the password.", ...printable(16) },
    },
    allOf: [
      {
        if: { properties: { scheme: { const: "header" } }, required: ["scheme"] },
        // biome-ignore lint/suspicious/noThenProperty: `then` is a keyword of JSON Schema.
        then: { required: ["header"] },
        else: { properties: { header: false, prefix: false } },
      },
      {
        if: { properties: { scheme: { const: "basic" } }, required: ["scheme"] },
        // biome-ignore lint/suspicious/noThenProperty: `then` is a keyword of JSON Schema.
        then: {},
        else: { properties: { username: false, username_env: false, token_as: false, password: false } },
      },
    ],
  },
  headers: {
    description: "Fixed request headers, at most 16; never credentials.",
    type: "object",
    maxProperties: 16,
    propertyNames: { pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$" },
    additionalProperties: { type: "string", maxLength: 256, pattern: "^[ -~]*$" },
  },
};

const httpRight = {
  token_env: "the name of an environment variable, as a string",
  auth: "an object with scheme",
  scheme: '"bearer", "header" or "basic"',
  header: "the name of a header, as a string of 1 to 64 characters",
  prefix: "a string of at most 64 printable ASCII characters",
  username: "a string of 1 to 128 printable ASCII characters without a colon",
  username_env: "the name of an environment variable, as a string",
  token_as: '"username", or be left out',
  password: "a string of at most 16 printable ASCII characters",
  headers: "an object with at most 16 headers, each a string of at most 256 printable ASCII characters",
  "headers.*": "a string of at most 256 printable ASCII characters",
};

export const http: ReadbackKind = {
  type: "http",
  properties: {
    url_template: {
      description:
        "The address of the record. {field} in the path or the query stands for an extracted value; scheme and host are fixed.",
      type: "string",
      minLength: 1,
      examples: ["https://api.example.com/issues/{issue_id}"],
    },
    missing_statuses: {
      description: "HTTP statuses that say that there is no such record, like 404. Without it: none does.",
      type: "array",
      items: { type: "integer", minimum: 400, maximum: 499 },
      examples: [[404], [404, 410]],
    },
    ...httpProperties,
  },
  required: ["url_template"],
  right: {
    ...httpRight,
    url_template: "an HTTPS address with {field} for extracted values, like https://api.example.com/issues/{issue_id}",
    missing_statuses: "a list of statuses from 400 to 499",
    "missing_statuses[]": "a status from 400 to 499, in digits only",
  },
  compile(node, steps, compilation) {
    const url = readUrl(node, steps, compilation);
    const missingStatuses = readMissingStatuses(node, steps, compilation);
    const auth = readAuth(node, steps, compilation);
    const headers = readHeaders(node, steps, auth, compilation);
    if (url === undefined) return undefined;
    return {
      source: { type: "http", url: url.template, ...(auth && { auth }), headers, missingStatuses },
      credentials: credentialsOf(auth),
      uses: url.uses,
    };
  },
};

/** Reads a `url_template`; undefined when it is refused. */
export function readUrl(
  node: Node,
  steps: readonly Step[],
  { text, note }: Compilation,
): { template: UrlTemplate; uses: FieldUse[] } | undefined {
  const written = memberOf(node, "url_template");
  if (written?.type !== "string" || written.text === "") return undefined;
  const here = [...steps, "url_template"];
  const parsed = parseUrlTemplate(written.text);
  if (!parsed.ok) {
    note(offsetInString(text, written, parsed.at), here, words.url(parsed.problem));
    return undefined;
  }
  const uses = parsed.fields.map((name): FieldUse => {
    const at = offsetInString(text, written, written.text.indexOf(`{${name}}`) + 1);
    return { name, at, steps: here };
  });
  return { template: parsed.template, uses };
}

function readMissingStatuses(node: Node, steps: readonly Step[], { note }: Compilation): number[] {
  const list = memberOf(node, "missing_statuses");
  const statuses = new Set<number>();
  if (list?.type !== "list") return [];
  list.items.forEach((item, index) => {
    if (item.type !== "number" || !INTEGER_TOKEN.test(item.token)) return;
    const status = Number(item.token);
    if (NEVER_MISSING.includes(status)) note(item.at, [...steps, "missing_statuses", index], words.neverMissing());
    statuses.add(status);
  });
  return [...statuses].sort((a, b) => a - b);
}
