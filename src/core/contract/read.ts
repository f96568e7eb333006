// Bytes of a contract file -> a checked contract, or everything that is wrong with it.

import { loadPatternCompiler } from "../select/regex.ts";
import { type Canonical, canonicalText } from "./canonical.ts";
import { compileTools } from "./compile.ts";
import { decodeText } from "./decode.ts";
import type { ContractHost } from "./host.ts";
import { type Finding, toIssues } from "./issue.ts";
import { type Parsed, parseJson } from "./parse-json.ts";
import { positions } from "./position.ts";
import { checkStructure, findDuplicates } from "./structure.ts";
import { memberOf, type Node } from "./tree.ts";
import type { ContractResult } from "./types.ts";
import { words } from "./words.ts";

/**
 * Reads a contract. The file's name decides how: `.yaml` and `.yml` are YAML, `.jsonc` is JSON with comments and trailing
 * commas, anything else is plain JSON. Never throws for any bytes; issues are sorted by position and never empty.
 */
export async function readContract(bytes: Uint8Array, host: ContractHost): Promise<ContractResult> {
  const { file } = host;
  const decoded = decodeText(bytes);
  if (!decoded.ok) {
    const finding = { at: decoded.before.length, ...words.notUtf8(decoded.utf16) };
    return { ok: false, issues: toIssues(file, [finding], positions(decoded.before)) };
  }
  const { text } = decoded;
  const position = positions(text);
  const refuse = (findings: readonly Finding[]): ContractResult => ({
    ok: false,
    issues: toIssues(file, findings, position),
  });

  if (text.trim() === "") return refuse([{ at: 0, ...words.empty() }]);
  const parsed = await parse(text, file);
  const { root } = parsed;
  if (root === undefined) return refuse(parsed.findings);

  const { tools, findings } = compileTools(root, {
    text,
    host,
    compilePattern: usesRegex(root) ? await loadPatternCompiler() : undefined,
  });
  const all = [...parsed.findings, ...findDuplicates(root, position), ...checkStructure(root), ...findings];
  if (all.length > 0) return refuse(all);

  return {
    ok: true,
    contract: {
      file,
      tools: new Map(tools.map(({ spec }) => [spec.tool, spec])),
      canonicalText: canonicalText(
        new Map<string, Canonical>([
          ["contract_version", 1],
          ["tools", new Map(tools.map(({ spec, canonical }) => [spec.tool, canonical]))],
        ]),
      ),
    },
  };
}

async function parse(text: string, file: string): Promise<Parsed> {
  const name = file.toLowerCase();
  if (!/\.ya?ml$/.test(name)) return parseJson(text, name.endsWith(".jsonc"));
  const { parseYaml } = await import("./parse-yaml.ts");
  return parseYaml(text);
}

/** Whether the engine for regular expressions is needed. */
function usesRegex(root: Node): boolean {
  const inside = (node: Node | undefined) => (node?.type === "object" ? node.members.map(({ value }) => value) : []);
  return inside(memberOf(root, "tools")).some((tool) =>
    inside(memberOf(tool, "extract")).some((selector) => {
      const parse = memberOf(selector, "parse");
      return parse?.type === "string" && parse.text === "regex";
    }),
  );
}
