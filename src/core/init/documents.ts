// The files of a new setup: a contract with its read-back, and a scan that proves it.

import { fieldName, type IdSource, type InitAnswers, RECORD_ID } from "./answers.ts";

export interface Documents {
  readonly contract: string;
  readonly scan: string;
}

/** The contract's name beside the scan. */
export const CONTRACT_FILE = "contract.json";
export const SCAN_FILE = "scan.json";

/** Takes answers that fit together, and the server's command as the scan shall start it. */
export function documents(answers: InitAnswers, scanCommand: readonly string[]): Documents {
  const { tool, testAccount, expect, missingStatuses } = answers;
  const fields = new Map(expect.map(([, argument]) => [fieldName(argument), argument]));
  const contract = {
    contract_version: 1,
    tools: object([
      [
        tool,
        {
          extract: object([
            [RECORD_ID, idSelector(answers.id)],
            ...[...fields].map(([name, path]) => [name, { source: "arguments", path }] as const),
          ]),
          record_id_field: RECORD_ID,
          readback: {
            type: "http",
            url_template: answers.readbackUrl,
            ...credential(answers),
            ...(missingStatuses.length > 0 ? { missing_statuses: [...new Set(missingStatuses)] } : {}),
            expected_fields: object(expect.map(([path, argument]) => [path, fieldName(argument)])),
            attempts: 3,
            interval_ms: 250,
            timeout_ms: 1500,
          },
          allowed_failure_reasons: ["field_mismatch", ...(missingStatuses.length > 0 ? ["record_missing"] : [])],
          recovery: "stop",
        },
      ],
    ]),
  };
  const scan = {
    scan_version: 1,
    server: { command: scanCommand, test_account: testAccount, call_timeout_ms: 10_000 },
    contracts: CONTRACT_FILE,
    write_tools: [tool],
    cases: [{ tool, arguments: object([...answers.arguments]) }],
  };
  return { contract: text(contract), scan: text(scan) };
}

function idSelector(id: IdSource): object {
  switch (id.type) {
    case "path":
      return { source: "result", path: id.path };
    case "regex":
      return { source: "result", path: "result.content.0.text", parse: "regex", pattern: id.pattern };
    case "json_field":
      return { source: "result", path: "result.content.0.text", parse: "embedded_json", field: id.field };
  }
}

function credential({ tokenEnv, auth }: InitAnswers): object {
  if (tokenEnv === undefined) return {};
  if (auth.scheme === "bearer") return { token_env: tokenEnv };
  if (auth.scheme === "header") return { token_env: tokenEnv, auth: { scheme: "header", header: auth.header } };
  return { token_env: tokenEnv, auth: { scheme: "basic", username_env: auth.usernameEnv } };
}

/** Without a prototype, so that a tool may be called `__proto__`. */
function object(members: readonly (readonly [string, unknown])[]): object {
  const result: Record<string, unknown> = Object.create(null);
  for (const [key, value] of members) result[key] = value;
  return result;
}

const text = (document: object): string => `${JSON.stringify(document, null, 2)}\n`;
