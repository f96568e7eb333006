// `type: mcp`: one call of one reading tool, on an MCP server that is started for this, apart from the wrapped one.

import { readCommand } from "../../contract/command.ts";
import { offsetInString } from "../../contract/position.ts";
import { memberOf, type Node, type Step } from "../../contract/tree.ts";
import { type ArgumentParts, readArguments } from "../arguments.ts";
import { type TextTemplate, textTemplate } from "../text-template.ts";
import { words } from "../words.ts";
import type { FieldUse, ReadbackKind } from "./kind.ts";

export interface McpSource {
  readonly type: "mcp";
  /** The program and its arguments; no shell. */
  readonly command: readonly string[];
  /** The absolute working folder. */
  readonly cwd?: string;
  /** Variables that the server gets beside a minimal base; of these the wrapped server does not get `secretEnv`. */
  readonly env: readonly string[];
  readonly secretEnv: readonly string[];
  readonly tool: string;
  readonly arguments: ArgumentParts;
  /** How the answer becomes the record. */
  readonly answer: "json" | "text";
  /** Texts that say that there is no such record. */
  readonly absentWhen: readonly TextTemplate[];
}

const variables = (description: string) => ({
  description,
  type: "array",
  items: { type: "string", pattern: "^[A-Za-z_][A-Za-z_0-9]*$" },
});

export const mcp: ReadbackKind = {
  type: "mcp",
  properties: {
    command: {
      description: "The server: its program, then its arguments; no shell.",
      type: "array",
      minItems: 1,
      items: { type: "string", pattern: "^[^\\u0000]*$" },
      examples: [["npx", "-y", "@modelcontextprotocol/server-memory"]],
    },
    cwd: { description: "The server's working folder, relative to this file.", type: "string" },
    secret_env: variables("Variables that this server gets and the wrapped one does not."),
    env: variables("Further variables that this server gets; it gets a minimal base beside them."),
    tool: {
      description: "The exact name of a tool that only reads.",
      type: "string",
      minLength: 1,
      examples: ["open_nodes"],
    },
    arguments: {
      description: 'The call\'s arguments; {"field": NAME} anywhere in them stands for an extracted value.',
      type: "object",
      examples: [{ names: [{ field: "name" }] }],
    },
    answer: {
      description:
        "json: the record is the answer's structuredContent, or the JSON in its one text. text: an object whose member text is that text.",
      enum: ["json", "text"],
      default: "json",
    },
    absent_when: {
      description:
        "Texts of an answer, error or not, that say that there is no such record; each exactly, with {field} for extracted values.",
      type: "array",
      minItems: 1,
      maxItems: 16,
      items: { type: "string", minLength: 1, maxLength: 1024 },
      examples: [["Key not found: {key}"]],
    },
  },
  required: ["command", "tool"],
  right: {
    command: "a list of strings, the program first",
    "command[]": "a string without NUL characters",
    cwd: "a folder, as a string relative to this file",
    secret_env: "a list of names of environment variables",
    "secret_env[]": "the name of an environment variable, as a string",
    env: "a list of names of environment variables",
    "env[]": "the name of an environment variable, as a string",
    tool: "the exact name of a tool, as a string",
    arguments: 'an object like {"names": [{"field": "name"}]}',
    answer: '"json" or "text"',
    absent_when: "a list of 1 to 16 texts",
    "absent_when[]": "a text of 1 to 1024 characters, as a string",
  },
  compile(node, steps, compilation) {
    const { host, note } = compilation;
    const command = readCommand(memberOf(node, "command"), [...steps, "command"], compilation);
    const written = memberOf(node, "cwd");
    const cwd = written?.type === "string" ? host.directory(written.text) : undefined;
    if (written?.type === "string" && cwd === undefined) note(written.at, [...steps, "cwd"], words.noFolder());
    const uses: FieldUse[] = [];
    const tool = memberOf(node, "tool");
    const given = memberOf(node, "arguments");
    const filled = given === undefined ? { parts: ["{}"] } : readArguments(given, [...steps, "arguments"], uses);
    if (given?.type === "object" && filled === undefined) note(given.at, [...steps, "arguments"], words.notJson());
    const absentWhen = readTexts(node, steps, compilation, uses);
    if (command === undefined || command.spec.length === 0 || tool?.type !== "string" || filled === undefined)
      return undefined;
    const secretEnv = [...new Set(texts(memberOf(node, "secret_env")))].sort();
    const answer = memberOf(node, "answer");
    const source: McpSource = {
      type: "mcp",
      command: command.spec,
      ...(cwd !== undefined && { cwd }),
      env: [...new Set(texts(memberOf(node, "env")))].sort(),
      secretEnv,
      tool: tool.text,
      arguments: filled.parts,
      answer: answer?.type === "string" && answer.text === "text" ? "text" : "json",
      absentWhen,
    };
    return {
      source,
      canonical: {
        ...source,
        command: command.canonical,
        ...(written?.type === "string" && { cwd: written.text }),
      },
      credentials: secretEnv,
      environment: source.env,
      uses,
    };
  },
};

function readTexts(
  node: Node,
  steps: readonly Step[],
  { text }: { readonly text: string },
  uses: FieldUse[],
): TextTemplate[] {
  const list = memberOf(node, "absent_when");
  if (list?.type !== "list") return [];
  return list.items.flatMap((item, index) => {
    if (item.type !== "string") return [];
    const template = textTemplate(item.text);
    template.forEach((name, i) => {
      if (i % 2 === 0) return;
      const at = offsetInString(text, item, item.text.indexOf(`{${name}}`) + 1);
      uses.push({ name, at, steps: [...steps, "absent_when", index] });
    });
    return [template];
  });
}

function texts(node: Node | undefined): string[] {
  return node?.type === "list" ? node.items.flatMap((item) => (item.type === "string" ? [item.text] : [])) : [];
}
