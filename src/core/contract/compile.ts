// Checks what a schema cannot say and makes the contract that the rest of the program works with.

import type { Readback } from "../readback/types.ts";
import type { CompilePattern } from "../select/regex.ts";
import type { Selector } from "../select/types.ts";
import { reasons as ownReasons } from "../verdict/reasons.ts";
import type { Canonical } from "./canonical.ts";
import { readCommand } from "./command.ts";
import type { ContractHost, ReadbackPart } from "./host.ts";
import { type Finding, showName, type Wording } from "./issue.ts";
import { nearestName } from "./nearest.ts";
import { readSelector } from "./selector.ts";
import { INTEGER_TOKEN, type Member, memberNamed, memberOf, type Node, type Step } from "./tree.ts";
import type { Recovery, ToolContract, VerifierSpec } from "./types.ts";
import { words } from "./words.ts";

/** What every part of the compilation is given. `note` takes a problem at an offset. */
export interface Compilation {
  readonly text: string;
  readonly host: ContractHost;
  readonly compilePattern: CompilePattern | undefined;
  /** Loaded when a tool has a read-back. */
  readonly readbacks?: ReadbackPart | undefined;
  readonly note: (at: number, steps: readonly Step[], wording: Wording) => void;
}

/** A compiled part and what it means, as plain text-able parts. */
export interface Compiled<T> {
  readonly spec: T;
  readonly canonical: Canonical;
}

/**
 * Compiles each tool. Wrong types are passed over in silence, since checkStructure has named them; a tool with any
 * problem is left out, and the caller gives the contract out only when there was none at all.
 */
export function compileTools(
  root: Node,
  options: Omit<Compilation, "note">,
): { tools: Compiled<ToolContract>[]; findings: Finding[] } {
  const findings: Finding[] = [];
  const compilation: Compilation = {
    ...options,
    note: (at, steps, wording) => void findings.push({ at, steps, ...wording }),
  };
  const tools = members(memberOf(root, "tools"))
    .map((member) => compileTool(member, ["tools", member.key], compilation))
    .filter((tool) => tool !== undefined);
  return { tools, findings };
}

const INVISIBLE = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/;

/** Compiles the contract of one tool, which stands at `steps`. Undefined when something is wrong with it. */
export function compileTool(
  { key: name, at, value }: Member,
  steps: readonly Step[],
  compilation: Compilation,
): Compiled<ToolContract> | undefined {
  if (name === "") compilation.note(at, steps, words.toolNameEmpty());
  else if (INVISIBLE.test(name)) compilation.note(at, steps, words.toolNameControls());
  else if (name.trim() !== name) compilation.note(at, steps, words.toolNameBlanks());

  const extract = compileExtract(memberOf(value, "extract"), [...steps, "extract"], compilation);
  const recordIdField = readRecordIdField(value, steps, compilation);
  const verifier = compileVerifier(memberOf(value, "verifier"), [...steps, "verifier"], compilation);
  const readback = readReadback(value, [...steps, "readback"], compilation);
  checkOneCheck(value, steps, compilation);
  const reasons = readReasons(memberOf(value, "allowed_failure_reasons"), steps, readback?.spec, compilation);
  const recovery = (stringIn(value, "recovery") ?? "stop") as Recovery;
  if (verifier === undefined && readback === undefined) return undefined;
  return {
    spec: {
      tool: name,
      extract: new Map([...extract].map(([field, { spec }]) => [field, spec])),
      recordIdField,
      verifier: verifier?.spec,
      readback: readback?.spec,
      allowedFailureReasons: new Set(reasons),
      recovery,
    },
    canonical: new Map<string, Canonical>([
      ["extract", new Map([...extract].map(([field, { canonical }]) => [field, canonical]))],
      ["record_id_field", recordIdField],
      ["verifier", verifier?.canonical],
      ["readback", readback?.canonical],
      ["allowed_failure_reasons", [...reasons].sort()],
      ["recovery", recovery],
    ]),
  };
}

function readReadback(tool: Node, steps: readonly Step[], compilation: Compilation): Compiled<Readback> | undefined {
  const node = memberOf(tool, "readback");
  const { readbacks } = compilation;
  if (node?.type !== "object" || readbacks === undefined) return undefined;
  for (const { at, steps: place, code, message } of readbacks.checkReadback(node, steps)) {
    compilation.note(at, place ?? steps, { code, message });
  }
  return readbacks.compileReadback(node, steps, fieldNames(tool), compilation);
}

/** A tool has exactly one way of being checked. */
function checkOneCheck(tool: Node, steps: readonly Step[], { note }: Compilation): void {
  if (tool.type !== "object") return;
  const readback = memberNamed(tool, "readback");
  const verifier = memberNamed(tool, "verifier");
  if (readback && verifier) note(readback.at, [...steps, "readback"], words.verifierAndReadback());
  if (!readback && !verifier) note(tool.at, [...steps, "verifier"], words.noCheck());
}

function fieldNames(tool: Node): string[] {
  return members(memberOf(tool, "extract")).map(({ key }) => key);
}

function compileExtract(node: Node | undefined, steps: readonly Step[], compilation: Compilation) {
  const extract = new Map<string, Compiled<Selector>>();
  for (const { key, at, value } of members(node)) {
    if (key === "") compilation.note(at, [...steps, key], words.fieldNameEmpty());
    const selector = readSelector(value, [...steps, key], compilation);
    if (selector !== undefined) extract.set(key, selector);
  }
  return extract;
}

function readRecordIdField(tool: Node, steps: readonly Step[], { note }: Compilation): string | undefined {
  const node = memberOf(tool, "record_id_field");
  if (node?.type !== "string") return undefined;
  const fields = fieldNames(tool);
  if (!fields.includes(node.text)) {
    const nearest = nearestName(node.text, fields);
    const shown = nearest === undefined ? undefined : showName(nearest);
    note(node.at, [...steps, "record_id_field"], words.recordIdField(shown));
  }
  return node.text;
}

function compileVerifier(
  node: Node | undefined,
  steps: readonly Step[],
  compilation: Compilation,
): Compiled<VerifierSpec> | undefined {
  if (node === undefined) return undefined;
  const command = readCommand(memberOf(node, "command"), [...steps, "command"], compilation);
  const written = memberOf(node, "cwd");
  let cwd: string | undefined;
  if (written?.type === "string") {
    cwd = compilation.host.directory(written.text);
    if (cwd === undefined) compilation.note(written.at, [...steps, "cwd"], words.noDirectory());
  }
  const timeoutMs = integerIn(node, "timeout_ms");
  const secretEnv = [...new Set(texts(memberOf(node, "secret_env")))];
  const envNode = memberOf(node, "env");
  const env = envNode === undefined ? undefined : [...new Set(texts(envNode))];
  const prewarm = integerIn(node, "prewarm") ?? 0;
  if (command === undefined || timeoutMs === undefined) return undefined;
  return {
    spec: { command: command.spec, cwd, timeoutMs, secretEnv, env, prewarm },
    canonical: new Map<string, Canonical>([
      ["command", command.canonical],
      ["cwd", stringIn(node, "cwd")],
      ["timeout_ms", timeoutMs],
      ["secret_env", [...secretEnv].sort()],
      ["env", env === undefined ? undefined : [...env].sort()],
      ["prewarm", prewarm],
    ]),
  };
}

function readReasons(
  node: Node | undefined,
  steps: readonly Step[],
  readback: Readback | undefined,
  { note, readbacks }: Compilation,
): Set<string> {
  const given = readback && readbacks?.failureReasons(readback);
  const reasons = new Set<string>();
  if (node?.type !== "list") return reasons;
  node.items.forEach((item, index) => {
    if (item.type !== "string") return;
    const here = [...steps, "allowed_failure_reasons", index];
    if (Object.hasOwn(ownReasons, item.text)) note(item.at, here, words.reservedReason());
    else if (given && !given.includes(item.text)) note(item.at, here, words.reasonNeverGiven(given));
    if (reasons.has(item.text)) note(item.at, here, words.repeatedReason());
    reasons.add(item.text);
  });
  return reasons;
}

function members(node: Node | undefined): readonly Member[] {
  return node?.type === "object" ? node.members : [];
}

function stringIn(node: Node, key: string): string | undefined {
  const member = memberOf(node, key);
  return member?.type === "string" ? member.text : undefined;
}

function integerIn(node: Node, key: string): number | undefined {
  const member = memberOf(node, key);
  return member?.type === "number" && INTEGER_TOKEN.test(member.token) ? Number(member.token) : undefined;
}

function texts(node: Node | undefined): string[] {
  return node?.type === "list" ? node.items.flatMap((item) => (item.type === "string" ? [item.text] : [])) : [];
}
