// YAML text -> position tree. The library is loaded only when a contract is written in YAML.

import type { Document, Scalar, Node as YamlNode } from "yaml";
import { MAX_CONTRACT_DEPTH, MAX_CONTRACT_VALUES } from "../limits.ts";
import type { Finding } from "./issue.ts";
import type { Parsed } from "./parse-json.ts";
import type { Member, Node } from "./tree.ts";
import { words } from "./words.ts";

/** Stops a conversion that is of no use any more; never leaves this file. */
class Refused extends Error {
  readonly finding: Finding;
  constructor(finding: Finding) {
    super(finding.code);
    this.finding = finding;
  }
}

type Library = typeof import("yaml");

/** Parses one YAML 1.2 document. Aliases are followed within bounds. Never throws; of broken structure only the first place is named. */
export async function parseYaml(text: string): Promise<Parsed> {
  const yaml = await import("yaml");
  try {
    const document = yaml.parseDocument(text, {
      uniqueKeys: false,
      prettyErrors: false,
      version: "1.2",
      schema: "core",
    });
    const [fault] = [...document.errors, ...document.warnings].sort((a, b) => a.pos[0] - b.pos[0]);
    if (fault?.code === "RESOURCE_EXHAUSTION") return refuse({ at: fault.pos[0], ...words.tooDeep() });
    if (fault !== undefined) return refuse({ at: fault.pos[0], ...words.yamlSyntax(fault.code) });
    const { contents } = document;
    if (contents === null || (yaml.isScalar(contents) && contents.source === "")) {
      return refuse({ at: 0, ...words.empty() });
    }
    return { root: converter(yaml, document)(contents, 0, 0), findings: [] };
  } catch (error) {
    if (error instanceof Refused) return refuse(error.finding);
    // The library recurses: nesting far past any contract's ends in a RangeError or in its own refusal.
    return refuse({ at: 0, ...words.tooDeep() });
  }
}

/** Makes the conversion of a document's nodes. `at` stands in for the place of a value that is left out. */
function converter(yaml: Library, document: Document): (node: YamlNode | null, at: number, depth: number) => Node {
  const targets = aliasTargets(yaml, document);
  let values = 0;

  const convert = (node: YamlNode | null, at: number, depth: number): Node => {
    if (node === null) return { type: "null", at, end: at };
    const begin = node.range?.[0] ?? at;
    const end = node.range?.[1] ?? begin;
    if (depth > MAX_CONTRACT_DEPTH) throw new Refused({ at: begin, ...words.tooDeep() });
    values += 1;
    if (values > MAX_CONTRACT_VALUES) throw new Refused({ at: begin, ...words.tooManyValues() });
    if (yaml.isAlias(node)) {
      const target = targets.get(node);
      if (target === undefined) throw new Refused({ at: begin, ...words.yamlSyntax("BAD_ALIAS") });
      return convert(target, begin, depth + 1);
    }
    if (yaml.isMap(node)) {
      const members = node.items.map((pair): Member => {
        const key = pair.key as YamlNode | null;
        const keyAt = key?.range?.[0] ?? begin;
        if (!yaml.isScalar(key)) throw new Refused({ at: keyAt, ...words.yamlSyntax("NON_STRING_KEY") });
        return { key: keyText(key), at: keyAt, value: convert(pair.value as YamlNode | null, keyAt, depth + 1) };
      });
      return { type: "object", at: begin, end, members };
    }
    if (yaml.isSeq(node)) {
      const items = node.items.map((item) => convert(item as YamlNode | null, begin, depth + 1));
      return { type: "list", at: begin, end, items };
    }
    return scalar(node as Scalar, begin, end);
  };
  return convert;
}

/** What each alias stands for, found in one walk; an anchor may be set anew, and counts from there on. */
function aliasTargets(yaml: Library, document: Document): Map<YamlNode, YamlNode> {
  const anchors = new Map<string, YamlNode>();
  const targets = new Map<YamlNode, YamlNode>();
  yaml.visit(document, {
    Node: (_, node) => {
      if (yaml.isAlias(node)) {
        const target = anchors.get(node.source);
        if (target !== undefined) targets.set(node, target);
      } else if (node.anchor !== undefined) anchors.set(node.anchor, node);
    },
  });
  return targets;
}

function refuse(finding: Finding): Parsed {
  return { root: undefined, findings: [finding] };
}

/** A key as it is written: a tool may well be called `1` or `on`. */
function keyText(key: Scalar): string {
  return typeof key.value === "string" ? key.value : (key.source ?? "");
}

function scalar(node: Scalar, at: number, end: number): Node {
  const { value } = node;
  if (typeof value === "string") return { type: "string", at, end, text: value };
  if (typeof value === "number" || typeof value === "bigint") {
    return { type: "number", at, end, token: node.source ?? "" };
  }
  if (typeof value === "boolean") return { type: "boolean", at, end, is: value };
  return { type: "null", at, end };
}
