// What a reviewer should look at twice; none of it stops anything.

import type { Contract } from "../contract/types.ts";
import { readbackFindings } from "../doctor/contract-rules.ts";

export interface Lint {
  /** The tool, or empty for the whole contract. */
  readonly tool: string;
  readonly code: string;
  readonly text: string;
}

const SECRET_NAME = /token|secret|passw|api[-_]?key|authorization|cookie|credential|private[-_]?key/i;

export function lintContract(contract: Contract): Lint[] {
  const tools = [...contract.tools.values()].sort((a, b) => (a.tool < b.tool ? -1 : 1));
  const found = tools.flatMap((tool): Lint[] => {
    const lints: Lint[] = [];
    const add = (code: string, text: string) => void lints.push({ tool: tool.tool, code, text });
    for (const field of tool.extract.keys()) {
      if (SECRET_NAME.test(field))
        add("secret_field", `the field ${field} sounds like a secret, and is given to whoever decides`);
    }
    if (tool.recordIdField === undefined) {
      add("no_record_id", "no record_id_field: an answer that names no record is checked like any other");
    }
    if (tool.recovery === "retry_once") {
      add("retry", "recovery retry_once: after a wrong FAIL the write is made twice; keep it for writes that may be");
    }
    if (tool.verifier?.env === undefined && tool.verifier !== undefined) {
      add("whole_environment", "the verifier sees all of fourgate's environment; list what it needs under env");
    }
    if (tool.readback !== undefined) {
      for (const { level, code, text } of readbackFindings(tool, tool.readback)) if (level === "warn") add(code, text);
    }
    const own = scripts(tool.tool);
    if (own.length > 1) add("mixed_scripts", `the name mixes letters of ${own.join(" and ")}, which may look alike`);
    return lints;
  });
  return [...found, ...lookAlikes(tools.map(({ tool }) => tool))];
}

/** Two names that differ in case, blanks, hyphens or digits that look like letters alone. */
function lookAlikes(names: readonly string[]): Lint[] {
  const seen = new Map<string, string>();
  return names.flatMap((name): Lint[] => {
    const skeleton = name
      .normalize("NFKC")
      .toLowerCase()
      .replace(/[-_.\s]/g, "")
      .replace(/0/g, "o")
      .replace(/[1|]/g, "l")
      .replace(/i/g, "l");
    const other = seen.get(skeleton);
    seen.set(skeleton, name);
    return other === undefined
      ? []
      : [{ tool: name, code: "look_alike", text: `the name looks like that of ${other}` }];
  });
}

const SCRIPTS = ["Latin", "Cyrillic", "Greek", "Armenian", "Cherokee"] as const;

const scripts = (name: string): string[] =>
  SCRIPTS.filter((script) => new RegExp(`\\p{Script=${script}}`, "u").test(name));
