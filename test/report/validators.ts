// Independent parsers and validators of the formats that reports are written in: each throws, or says what is wrong.

import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Ajv, type ErrorObject } from "ajv";

const packages = createRequire(resolve("test/packages/package.json"));

/** What libxml2 (`xmllint`, strict XML 1.0) says of some documents: empty when all are well-formed. */
export function xmlProblems(documents: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "fourgate-xml-"));
  try {
    const files = documents.map((document, at) => {
      writeFileSync(join(folder, `${at}.xml`), document);
      return `${at}.xml`;
    });
    const run = spawnSync("xmllint", ["--noout", "--nonet", ...files], { cwd: folder, encoding: "utf8" });
    if (run.error) throw new Error("no xmllint: install the package libxml2-utils", { cause: run.error });
    return run.status === 0 ? run.stderr : run.stderr || `exit status ${run.status}`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What an XPath expression comes to in a document. */
export function xpath(document: string, expression: string): string {
  return execFileSync("xmllint", ["--nonet", "--xpath", expression, "-"], { input: document, encoding: "utf8" }).trim();
}

/** The SARIF 2.1.0 schema as Microsoft's SARIF SDK ships it, checked with the Ajv of its time, which knows draft 4. */
export function sarifProblems(): (log: unknown) => ErrorObject[] {
  const sdk = createRequire(packages.resolve("@microsoft/jest-sarif/package.json"));
  const Ajv6 = sdk("ajv");
  const ajv = new Ajv6({ schemaId: "auto", allErrors: true, meta: false, unknownFormats: "ignore" });
  ajv.addMetaSchema(sdk("ajv/lib/refs/json-schema-draft-04.json"));
  const check = ajv.compile(sdk("./lib/schemas/sarif-2.1.0-rtm.5.json"));
  return (log) => (check(log) ? [] : check.errors);
}

/** schema/report.schema.json; here without room for keys that it does not name, so that no key is forgotten in it. */
export function reportProblems(): (report: unknown) => ErrorObject[] {
  const schema = JSON.parse(readFileSync("schema/report.schema.json", "utf8"));
  const check = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true }).compile(closed(schema));
  return (report) => (check(report) ? [] : check.errors!);
}

// biome-ignore lint/suspicious/noExplicitAny: any schema
function closed(schema: any): any {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const parts = Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, closed(part)]));
  return parts.type === "object" ? { ...parts, additionalProperties: false } : parts;
}

export interface Element {
  readonly tagName?: string;
  readonly nodeName: string;
  readonly value?: string;
  readonly attrs?: readonly { readonly name: string; readonly value: string }[];
  readonly childNodes?: readonly Element[];
}

/** A page as the HTML standard parses it, and the standard's parse errors. */
export function parseHtml(page: string): { readonly elements: Element[]; readonly errors: string[] } {
  const errors: string[] = [];
  const onParseError = ({ code }: { code: string }) => errors.push(code);
  const root = packages("parse5").parse(page, { onParseError, sourceCodeLocationInfo: true });
  return { elements: below(root), errors };
}

const below = (node: Element): Element[] => [node, ...(node.childNodes ?? []).flatMap(below)];

/** The text in an element. */
export const textIn = (node: Element): string =>
  below(node)
    .map((part) => (part.nodeName === "#text" ? part.value! : ""))
    .join("");

/** Markdown with tables and links found in text, as HTML. */
export function renderMarkdown(text: string): string {
  const MarkdownIt = packages("markdown-it");
  return new (MarkdownIt.default ?? MarkdownIt)({ html: true, linkify: true }).render(text);
}

/** A workflow command as GitHub's runner reads it (actions/runner, ActionCommand): undefined for a line that is none. */
export function readCommand(line: string) {
  const found = /^\s*::([A-Za-z-]+)(?: ([^:]*(?:[^:]|:(?!:))*?))?::(.*)$/s.exec(line);
  if (!found) return undefined;
  const [, name, given = "", data] = found;
  const plain = (text: string): string => text.replaceAll("%0D", "\r").replaceAll("%0A", "\n");
  const properties = given
    .split(",")
    .map((pair) => pair.split("="))
    .map(([key, ...rest]) => [
      key,
      plain(rest.join("=")).replaceAll("%3A", ":").replaceAll("%2C", ",").replaceAll("%25", "%"),
    ]);
  return { name: name!, properties: Object.fromEntries(properties), message: plain(data!).replaceAll("%25", "%") };
}
