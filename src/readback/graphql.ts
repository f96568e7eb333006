// `type: graphql`: one fixed query with bound variables, and what the answer says about the record.

import type { GraphqlSource } from "../core/readback/kinds/graphql.ts";
import { hasNextPage } from "../core/readback/paging.ts";
import type { Observation } from "../core/readback/types.ts";
import { fillUrl, scalarText } from "../core/readback/url-template.ts";
import { follow } from "../core/select/select.ts";
import { itemsOf, kindOf, membersNamed, textOf } from "../core/wire/json.ts";
import { jsonValue } from "../core/wire/validate.ts";
import type { Adapter, AdapterContext } from "./adapter.ts";
import { observe, selectorInvalid, templateText } from "./http.ts";
import { authHeaders } from "./http-auth.ts";
import { createHttpClient } from "./http-client.ts";
import { userAgent } from "./user-agent.ts";

/** Opens the adapter; nothing is asked before the first read. */
export async function openGraphql(source: GraphqlSource, context: AdapterContext): Promise<Adapter> {
  const client = createHttpClient(context);
  return {
    method: "POST",
    describe: () => `POST ${source.url.origin}${templateText(source)} (one query, ${names(source)})`,
    async read({ fields, limitMs, signal }) {
      const path = fillUrl(source.url, fields);
      const variables: string[] = [];
      for (const [name, field] of Object.entries(source.variables)) {
        const json = fields.get(field);
        if (json === undefined || scalarText(json) === undefined || json === '""') {
          return selectorInvalid("a variable's value is missing, empty, or neither text nor number");
        }
        variables.push(`${JSON.stringify(name)}:${json}`);
      }
      if (path === undefined) return selectorInvalid("a value is missing, or must not be put into an address");
      const auth = authHeaders(source.auth, context);
      if (!auth.ok) return { type: "doubt", reason: "credential_missing", note: auth.note };
      const headers = {
        accept: "application/json",
        "user-agent": userAgent,
        ...source.headers,
        "content-type": "application/json",
        ...auth.headers,
      };
      // Put together as text, so that numbers keep their digits.
      const body = `{"query":${JSON.stringify(source.query)},"variables":{${variables.join()}}}`;
      const answer = await client.ask({ method: "POST", url: source.url, path, headers, body, limitMs, signal });
      return recordIn(source, observe("POST", answer, []));
    },
    warm: () => client.warm(source.url),
    close: () => client.close(),
  };
}

/** Takes the record out of the answer; errors beside the data leave in doubt what the data shows. */
function recordIn(source: GraphqlSource, observation: Observation): Observation {
  if (observation.type !== "record") return observation;
  const { status, note } = observation;
  const at = status === undefined ? { note } : { note, status };
  const bytes = new TextEncoder().encode(observation.json);
  const root = jsonValue(bytes, 0, bytes.length);
  if (root === undefined) return observation;
  if (kindOf(bytes, root) !== "object") return { type: "doubt", reason: "readback_unconfirmed", ...at };
  const errors = membersNamed(bytes, root, "errors");
  const none = errors.every((span) => textOf(bytes, span) === "null" || isEmptyList(bytes, span));
  if (!none) return { type: "doubt", reason: "readback_unconfirmed", ...at, note: `${note}, with errors` };
  const record = follow(bytes, root, source.record, 0);
  if (record === undefined || !("start" in record)) {
    return { type: "doubt", reason: "readback_shape_invalid", ...at, note: `${note}, no record in the answer` };
  }
  if (kindOf(bytes, record) === "list") {
    // What stands around the list, like pageInfo, is not part of the record.
    const more = hasNextPage(bytes, root, source.record, itemsOf(bytes, record).length, 0);
    return { type: "record", json: textOf(bytes, record), more, ...at };
  }
  if (kindOf(bytes, record) !== "null") return { type: "record", json: textOf(bytes, record), ...at };
  if (source.nullIsMissing) return { type: "missing", ...at };
  return { type: "doubt", reason: "readback_unconfirmed", ...at, note: `${note}, null in the place of the record` };
}

function isEmptyList(bytes: Uint8Array, span: Parameters<typeof kindOf>[1]): boolean {
  return kindOf(bytes, span) === "list" && itemsOf(bytes, span).length === 0;
}

function names({ variables }: GraphqlSource): string {
  const count = Object.keys(variables).length;
  return count === 1 ? "1 variable" : `${count} variables`;
}
