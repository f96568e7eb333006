// What a reviewer should look at twice; none of it stops anything.

import type { Contract } from "../contract/types.ts";
import { readbackFindings } from "../doctor/contract-rules.ts";
import { isSecretName } from "../redact/names.ts";
import { commandWords } from "./source-words.ts";

export interface Lint {
  /** The tool, or empty for the whole contract. */
  readonly tool: string;
  readonly code: string;
  readonly text: string;
}

/** Flags with which interpreters take code, or load more of it than the script. */
const INLINE = /^(?:-[cepr].*|--(?:eval|print|import|require|loader|experimental-loader|env-file)(?:=.*)?)$/;

export function lintContract(contract: Contract): Lint[] {
  const tools = [...contract.tools.values()].sort((a, b) => (a.tool < b.tool ? -1 : 1));
  const found = tools.flatMap((tool): Lint[] => {
    const lints: Lint[] = [];
    const add = (code: string, text: string) => void lints.push({ tool: tool.tool, code, text });
    for (const field of tool.extract.keys()) {
      if (isSecretName(field))
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
    const command =
      tool.verifier?.command ?? (tool.readback?.source.type === "mcp" ? tool.readback.source.command : []);
    if (commandWords(command) !== command.join(" ")) {
      add(
        "secret_in_command",
        "its command holds what looks like a secret, which every list of processes shows; put it into a variable",
      );
    }
    if (command.some((part) => INLINE.test(part))) {
      add(
        "inline_code",
        "its command holds code, or names code in a flag; an approval covers files that are named by themselves",
      );
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
