// Bytes of a contract file -> a checked contract, or everything that is wrong with it.

import { loadPatternCompiler } from "../select/regex.ts";
import { type Canonical, canonicalText } from "./canonical.ts";
import { credentialNames } from "./check.ts";
import { compileTools } from "./compile.ts";
import { readDocument } from "./document.ts";
import { contractFormat } from "./format.ts";
import type { ContractHost } from "./host.ts";
import { compileSecrets } from "./secrets.ts";
import { checkStructure } from "./structure.ts";
import { memberOf, type Node } from "./tree.ts";
import type { ContractResult } from "./types.ts";

/** Reads a contract. Never throws for any bytes; issues are sorted by position and never empty. */
export async function readContract(bytes: Uint8Array, host: ContractHost): Promise<ContractResult> {
  const { file } = host;
  const document = await readDocument(bytes, file);
  if (!document.ok) return document;
  const { root, text } = document;
  const options = {
    text,
    host,
    compilePattern: usesRegex(root) ? await loadPatternCompiler() : undefined,
    readbacks: usesReadback(root) ? await host.readbacks() : undefined,
  };
  const { tools, findings } = compileTools(root, options);
  const used = findings.length > 0 ? undefined : new Set(tools.flatMap(({ spec }) => credentialNames(spec)));
  const secrets = compileSecrets(root, used, options);
  const all = [...document.findings, ...checkStructure(root, contractFormat), ...findings, ...secrets.findings];
  if (all.length > 0) return { ok: false, issues: document.issues(all) };

  const approvalRequired = memberOf(root, "approval") !== undefined;
  return {
    ok: true,
    contract: {
      file,
      approvalRequired,
      secrets: secrets.sources,
      tools: new Map(tools.map(({ spec }) => [spec.tool, spec])),
      canonicalText: canonicalText(
        new Map<string, Canonical>([
          ["contract_version", 1],
          ["approval", approvalRequired ? "required" : undefined],
          ["secret_files", secrets.files],
          ["secret_command", secrets.commands],
          ["tools", new Map(tools.map(({ spec, canonical }) => [spec.tool, canonical]))],
        ]),
      ),
    },
  };
}

const inside = (node: Node | undefined) => (node?.type === "object" ? node.members.map(({ value }) => value) : []);

/** Whether a tool is checked by a read-back. */
function usesReadback(root: Node): boolean {
  return inside(memberOf(root, "tools")).some((tool) => memberOf(tool, "readback")?.type === "object");
}

/** Whether the engine for regular expressions is needed. */
function usesRegex(root: Node): boolean {
  return inside(memberOf(root, "tools")).some((tool) =>
    inside(memberOf(tool, "extract")).some((selector) => {
      const parse = memberOf(selector, "parse");
      return parse?.type === "string" && parse.text === "regex";
    }),
  );
}
