// The one source of the scan file's format: a JSON Schema (draft 7) with descriptions. What no schema can say is in compile.ts.

import { environmentName, toolWith } from "../contract/schema.ts";
import {
  DEFAULT_SCAN_CALL_TIMEOUT_MS,
  DEFAULT_SCAN_START_TIMEOUT_MS,
  MAX_CASE_NAME_CHARACTERS,
  MAX_SCAN_CALL_TIMEOUT_MS,
  MAX_SCAN_START_TIMEOUT_MS,
} from "../limits.ts";
import { DEFAULT_PROTOCOL_VERSION, PROTOCOL_VERSIONS } from "./protocol-versions.ts";

const oneLine = "^[^\\u0000-\\u001f\\u007f-\\u009f]*$";

const server = {
  description: "The server that is started for the scan.",
  type: "object",
  required: ["command", "test_account"],
  additionalProperties: false,
  properties: {
    transport: { description: "How the server is spoken to.", const: "stdio" },
    command: {
      description:
        "Program and arguments; no shell. {node}, {python} and {fourgate} stand for a program, as a whole part only.",
      type: "array",
      minItems: 1,
      items: { type: "string", pattern: "^[^\\u0000]*$" },
      examples: [["npx", "-y", "@modelcontextprotocol/server-filesystem", "."]],
    },
    cwd: {
      description: "The server's folder, relative to this file. Without it: the folder of this file.",
      type: "string",
    },
    test_account: {
      description: "What the calls write to, in words. --confirm-test-account must say the same.",
      type: "string",
      pattern: "[^\\s]",
      examples: ["disposable-repository"],
    },
    protocol_version: {
      description: "The protocol revision that is offered to the server.",
      enum: PROTOCOL_VERSIONS,
      default: DEFAULT_PROTOCOL_VERSION,
    },
    call_timeout_ms: {
      description:
        "How long one call may take, in whole milliseconds. After a call that took longer nothing more is written.",
      type: "integer",
      minimum: 1,
      maximum: MAX_SCAN_CALL_TIMEOUT_MS,
      default: DEFAULT_SCAN_CALL_TIMEOUT_MS,
    },
    start_timeout_ms: {
      description: "How long the server may take until its first answer, in whole milliseconds.",
      type: "integer",
      minimum: 1,
      maximum: MAX_SCAN_START_TIMEOUT_MS,
      default: DEFAULT_SCAN_START_TIMEOUT_MS,
    },
    env: {
      description: "When given, the server sees only these variables and a minimal base. Never a reader's credential.",
      type: "array",
      items: environmentName,
      examples: [["TRACKER_WRITE_TOKEN"]],
    },
  },
};

const cleanup = {
  description: "The call that removes what the case created, made after the case whatever its outcome.",
  type: "object",
  required: ["tool", "arguments"],
  additionalProperties: false,
  properties: {
    tool: { description: "The exact name of a tool that is listed under write_tools.", type: "string", minLength: 1 },
    arguments: {
      description:
        "The call's arguments. In texts {id} stands for the record's id, {FIELD} for an extracted field and {run_id} for the run's token; a text that is nothing else keeps the value's type.",
      type: "object",
      examples: [{ issue_id: "{id}" }],
    },
  },
};

const caseWith = (readback: object) => {
  const { properties } = toolWith(readback);
  return {
    description: "One call and what it must have done.",
    type: "object",
    required: ["tool", "arguments"],
    additionalProperties: false,
    properties: {
      name: {
        description: "The case's name in reports. Without it: the tool and the case's number.",
        type: "string",
        minLength: 1,
        maxLength: MAX_CASE_NAME_CHARACTERS,
        pattern: oneLine,
      },
      tool: { description: "The exact name of a tool that is listed under write_tools.", type: "string", minLength: 1 },
      arguments: {
        description: "The call's arguments, as they are sent. {run_id} in a text stands for the run's token.",
        type: "object",
        examples: [{ title: "fourgate {run_id}" }],
      },
      expect_outcome: {
        description: "fail: the case must end in a proven FAIL, which shows that the contract can fail.",
        enum: ["pass", "fail"],
        default: "pass",
      },
      outcome_contract: {
        description:
          "How the outcome is checked, like a tool of a contract. Without it: by the tool's contract in contracts.",
        type: "object",
        required: ["extract"],
        additionalProperties: false,
        properties,
      },
      record_id_field: properties.record_id_field,
      readback,
      cleanup,
    },
  };
};

/** The whole format, with what a read-back is. */
export const scanSchemaWith = (readback: object) => ({
  $schema: "http://json-schema.org/draft-07/schema#",
  title: "fourgate scan",
  description: "Calls of an MCP server's write tools on a test account, and how each outcome is proven.",
  type: "object",
  required: ["scan_version", "server", "write_tools", "cases"],
  additionalProperties: false,
  properties: {
    $schema: { description: "The schema of this file, for editors.", type: "string" },
    scan_version: { description: "The version of this format.", const: 1 },
    server,
    contracts: {
      description:
        "A contract file, relative to this one: cases without a contract of their own are checked by it, as guard would.",
      type: "string",
      minLength: 1,
      examples: ["contract.jsonc"],
    },
    write_tools: {
      description: "The only tools that are ever called.",
      type: "array",
      minItems: 1,
      uniqueItems: true,
      items: { type: "string", minLength: 1 },
      examples: [["create_issue", "delete_issue"]],
    },
    cases: {
      description: "The calls, in the order in which they are made.",
      type: "array",
      minItems: 1,
      items: caseWith(readback),
    },
  },
});

/** What every start checks; the inside of a read-back is checked by its own schema. */
export const scanShape = scanSchemaWith({ type: "object" });
