// Checks what the schema of a scan file cannot say, and makes its cases.

import { credentialNames } from "../contract/check.ts";
import { readCommand } from "../contract/command.ts";
import type { Compilation } from "../contract/compile.ts";
import { type Finding, showName } from "../contract/issue.ts";
import { nearestName } from "../contract/nearest.ts";
import type { Position } from "../contract/position.ts";
import { INTEGER_TOKEN, memberOf, type Node, type Step } from "../contract/tree.ts";
import type { Contract, ToolContract } from "../contract/types.ts";
import { DEFAULT_SCAN_CALL_TIMEOUT_MS, DEFAULT_SCAN_START_TIMEOUT_MS } from "../limits.ts";
import { readCaseArguments } from "./arguments.ts";
import { namedContract, ownContract } from "./case-contract.ts";
import { readCleanupArguments } from "./cleanup.ts";
import { DEFAULT_PROTOCOL_VERSION } from "./protocol-versions.ts";
import type { Cleanup, Scan, ScanCase, ScanServer } from "./types.ts";
import { words } from "./words.ts";

export interface ScanCompilation extends Omit<Compilation, "note"> {
  readonly position: (offset: number) => Position;
  /** The file under `contracts`, once it was read without a problem. */
  readonly contracts: Contract | undefined;
}

/** Compiles a scan. The result counts only when there was no finding at all, here or against the schema. */
export function compileScan(root: Node, options: ScanCompilation): { scan: Scan | undefined; findings: Finding[] } {
  const findings: Finding[] = [];
  const compilation: Compilation = {
    ...options,
    note: (at, steps, wording) => void findings.push({ at, steps, ...wording }),
  };
  const writeTools = readWriteTools(root, compilation);
  const server = readServer(memberOf(root, "server"), compilation);
  const list = memberOf(root, "cases");
  const cases: ScanCase[] = [];
  const hasContracts = memberOf(root, "contracts") !== undefined;
  if (list?.type === "list") {
    const named = new Map<string, number>();
    list.items.forEach((node, index) => {
      const name = memberOf(node, "name");
      if (name?.type === "string") {
        const before = named.get(name.text);
        if (before !== undefined) {
          compilation.note(name.at, ["cases", index, "name"], words.repeatedName(options.position(before).line));
        } else named.set(name.text, name.at);
      }
      const made = readCase(node, index, writeTools, hasContracts, options, compilation);
      if (made !== undefined) cases.push(made);
    });
  }
  checkServerEnv(root, cases, options.contracts, compilation);
  if (server === undefined || findings.length > 0) return { scan: undefined, findings };
  return {
    scan: { file: options.host.file, server, writeTools, cases, contracts: options.contracts },
    findings,
  };
}

function readWriteTools(root: Node, { note }: Compilation): ReadonlySet<string> {
  const list = memberOf(root, "write_tools");
  const tools = new Set<string>();
  if (list?.type !== "list") return tools;
  list.items.forEach((item, index) => {
    if (item.type !== "string") return;
    if (tools.has(item.text)) note(item.at, ["write_tools", index], words.repeatedTool());
    tools.add(item.text);
  });
  return tools;
}

function readServer(node: Node | undefined, compilation: Compilation): ScanServer | undefined {
  if (node?.type !== "object") return undefined;
  const { host, note } = compilation;
  const command = readCommand(memberOf(node, "command"), ["server", "command"], compilation);
  const written = memberOf(node, "cwd");
  const cwd = host.directory(written?.type === "string" ? written.text : ".");
  if (written?.type === "string" && cwd === undefined) note(written.at, ["server", "cwd"], words.noFolder());
  const testAccount = stringIn(node, "test_account");
  if (command === undefined || cwd === undefined || testAccount === undefined) return undefined;
  const env = memberOf(node, "env");
  return {
    command: command.spec,
    cwd,
    testAccount,
    protocolVersion: stringIn(node, "protocol_version") ?? DEFAULT_PROTOCOL_VERSION,
    callTimeoutMs: integerIn(node, "call_timeout_ms") ?? DEFAULT_SCAN_CALL_TIMEOUT_MS,
    startTimeoutMs: integerIn(node, "start_timeout_ms") ?? DEFAULT_SCAN_START_TIMEOUT_MS,
    env: env === undefined ? undefined : [...new Set(texts(env))],
  };
}

function readCase(
  node: Node,
  index: number,
  writeTools: ReadonlySet<string>,
  hasContracts: boolean,
  { position, contracts }: ScanCompilation,
  compilation: Compilation,
): ScanCase | undefined {
  if (node.type !== "object") return undefined;
  const steps: Step[] = ["cases", index];
  const tool = readTool(memberOf(node, "tool"), [...steps, "tool"], writeTools, compilation);
  const template = readCaseArguments(memberOf(node, "arguments"), [...steps, "arguments"], compilation);
  const own = memberOf(node, "outcome_contract") !== undefined;
  const contract = own
    ? ownContract(node, steps, compilation)
    : namedContract(node, tool, steps, hasContracts, contracts, compilation);
  const cleanup = readCleanup(node, steps, writeTools, contract, template, contracts, compilation);
  if (tool === undefined || template === undefined || contract === undefined) return undefined;
  return {
    index: index + 1,
    name: stringIn(node, "name") ?? `${tool} #${index + 1}`,
    tool,
    place: position(node.at),
    arguments: template,
    expected: stringIn(node, "expect_outcome") === "fail" ? "fail" : "pass",
    contract,
    own,
    cleanup,
  };
}

function readTool(
  node: Node | undefined,
  steps: readonly Step[],
  writeTools: ReadonlySet<string>,
  { note }: Compilation,
): string | undefined {
  if (node?.type !== "string" || node.text === "") return undefined;
  if (!writeTools.has(node.text)) {
    const nearest = nearestName(node.text, [...writeTools]);
    note(node.at, steps, words.notListed(nearest === undefined ? undefined : showName(nearest)));
  }
  return node.text;
}

function readCleanup(
  node: Node,
  steps: readonly Step[],
  writeTools: ReadonlySet<string>,
  contract: ToolContract | undefined,
  template: readonly string[] | undefined,
  contracts: Contract | undefined,
  compilation: Compilation,
): Cleanup | undefined {
  const cleanup = memberOf(node, "cleanup");
  if (cleanup?.type !== "object") return undefined;
  const here = [...steps, "cleanup"];
  const tool = readTool(memberOf(cleanup, "tool"), [...here, "tool"], writeTools, compilation);
  const written = memberOf(cleanup, "arguments");
  const parts = readCleanupArguments(written, [...here, "arguments"], contract, template, compilation);
  if (tool === undefined || parts === undefined) return undefined;
  return { tool, arguments: parts, contract: contracts?.tools.get(tool) };
}

/** A credential of a check is never the server's, also not by its name under `server.env`. */
function checkServerEnv(
  root: Node,
  cases: readonly ScanCase[],
  contracts: Contract | undefined,
  { note }: Compilation,
): void {
  const server = memberOf(root, "server");
  const env = server && memberOf(server, "env");
  if (env?.type !== "list") return;
  const checks = [...cases.map(({ contract }) => contract), ...(contracts?.tools.values() ?? [])];
  const secret = new Set(checks.flatMap(credentialNames));
  env.items.forEach((item, index) => {
    if (item.type === "string" && secret.has(item.text)) note(item.at, ["server", "env", index], words.secretShown());
  });
}

function stringIn(node: Node, key: string): string | undefined {
  const member = memberOf(node, key);
  return member?.type === "string" ? member.text : undefined;
}

function integerIn(node: Node, key: string): number | undefined {
  const member = memberOf(node, key);
  return member?.type === "number" && INTEGER_TOKEN.test(member.token) ? Number(member.token) : undefined;
}

function texts(node: Node): string[] {
  return node.type === "list" ? node.items.flatMap((item) => (item.type === "string" ? [item.text] : [])) : [];
}
