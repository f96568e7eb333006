// Reads contract text in tests, with a host that answers without a machine, and spells issues as short lines.

import { formatIssue } from "../../../src/core/contract/issue.ts";
import { readContract } from "../../../src/core/contract/read.ts";
import type { ContractResult } from "../../../src/core/contract/types.ts";

/** Reads text or bytes as the file `name`; the directories `.`, `` and `checks` exist beside it. */
export function read(content: string | Uint8Array, name = "contract.json"): Promise<ContractResult> {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return readContract(bytes, {
    file: name,
    directory: (path) => ([".", "", "checks"].includes(path) ? `/home/user/${path}` : undefined),
    path: (path) => `/home/user/${path}`,
    readbacks: () => import("../../../src/core/readback/part.ts"),
    placeholders: { node: ["/bin/node"], fourgate: ["/bin/node", "/lib/main.cjs"], python: ["python3"] },
  });
}

/** The issues as they are shown; empty for a good contract. */
export async function linesOf(content: string | Uint8Array, name = "contract.json"): Promise<string[]> {
  const result = await read(content, name);
  return result.ok ? [] : result.issues.map(formatIssue);
}

/** A good contract as a plain value, for tests to change. */
export function goodContract() {
  return {
    contract_version: 1,
    tools: {
      create_issue: {
        extract: {
          id: { source: "result", path: "result.structuredContent.id" },
          title: { source: "arguments", path: "title" },
        } as Record<string, Record<string, unknown>>,
        record_id_field: "id",
        verifier: {
          command: ["{node}", "check.mjs"],
          cwd: "checks",
          timeout_ms: 1500,
          secret_env: ["B", "A"],
        } as Record<string, unknown>,
        allowed_failure_reasons: ["record_missing", "field_mismatch"],
        recovery: "ask_user",
      },
    } as Record<string, Record<string, unknown>>,
  };
}
