// The one source of the contract file's format: a JSON Schema (draft 7, which editors know best) with descriptions.
// Start-up checks, schema/contract.schema.json and the documentation follow it; what no schema can say is in compile.ts.

import {
  MAX_PATTERN_CHARACTERS,
  MAX_PREWARM,
  MAX_REASON_CHARACTERS,
  MAX_VERIFIER_TIMEOUT_MS,
  MIN_VERIFIER_TIMEOUT_MS,
} from "../limits.ts";

export const environmentName = {
  description: "The name of an environment variable, never its value.",
  type: "string",
  pattern: "^[A-Za-z_][A-Za-z_0-9]*$",
};

/** Members that belong to one kind of `parse` are refused beside any other, where they would silently do nothing. */
const parseRules = [
  {
    if: { properties: { parse: { const: "embedded_json" } }, required: ["parse"] },
    // biome-ignore lint/suspicious/noThenProperty: `then` is a keyword of JSON Schema.
    then: { required: ["field"] },
    else: { properties: { field: false } },
  },
  {
    if: { properties: { parse: { const: "regex" } }, required: ["parse"] },
    // biome-ignore lint/suspicious/noThenProperty: `then` is a keyword of JSON Schema.
    then: { required: ["pattern"] },
    else: { properties: { pattern: false, group: false } },
  },
];

const selector = {
  description: "Where the value of one field is found: in the arguments of the call, or in the answer to it.",
  type: "object",
  required: ["source", "path"],
  additionalProperties: false,
  properties: {
    source: {
      description:
        "arguments: the path starts at the call's arguments. result: it starts at the response and begins with result.",
      enum: ["arguments", "result"],
    },
    path: {
      description:
        "A dot path (list items by number), or a JSONPath that begins with $ (names, quoted names, indexes, [*]).",
      type: "string",
      examples: ["title", "result.structuredContent.id", "$.result.structuredContent['@odata.id']"],
    },
    parse: {
      description:
        "Take the value out of a text under result.content: an object embedded in it, or a regular expression.",
      enum: ["embedded_json", "regex"],
    },
    field: {
      description: "With parse embedded_json: the path of the value in the first object in the text that has it.",
      type: "string",
      examples: ["id", "issue.number"],
    },
    pattern: {
      description:
        "With parse regex: a regular expression in RE2 syntax (linear time; no look-around, no back references).",
      type: "string",
      minLength: 1,
      maxLength: MAX_PATTERN_CHARACTERS,
      examples: ["Created issue #([0-9]+)", "id=(?P<id>[a-z0-9-]+)"],
    },
    group: {
      description: "With parse regex: the capture group that holds the value, by number (1 or more) or by name.",
      type: ["integer", "string"],
      minimum: 1,
      minLength: 1,
      default: 1,
    },
  },
  allOf: parseRules,
};

const verifier = {
  description: "The program that reads the system of record and decides. It is run without a shell.",
  type: "object",
  required: ["command", "timeout_ms"],
  additionalProperties: false,
  properties: {
    command: {
      description:
        "Program and arguments. {node}, {python} and {fourgate} stand for the interpreter or program, as a whole part only.",
      type: "array",
      minItems: 1,
      items: { type: "string", pattern: "^[^\\u0000]*$" },
      examples: [
        ["{node}", "verify.mjs"],
        ["{fourgate}", "verify", "readback.json"],
      ],
    },
    cwd: {
      description:
        "The directory that the program runs in, relative to this file. Without it: fourgate's own directory.",
      type: "string",
      examples: ["."],
    },
    timeout_ms: {
      description:
        "How long one check may take, in whole milliseconds; at it the program is killed and the answer is unknown.",
      type: "integer",
      minimum: MIN_VERIFIER_TIMEOUT_MS,
      maximum: MAX_VERIFIER_TIMEOUT_MS,
    },
    secret_env: {
      description: "Variables that the verifier sees and the wrapped server does not.",
      type: "array",
      items: environmentName,
      examples: [["READBACK_TOKEN"]],
    },
    env: {
      description: "When given, the verifier sees only these variables, a minimal base and those of secret_env.",
      type: "array",
      items: environmentName,
      examples: [["PATH", "LANG"]],
    },
    prewarm: {
      description: "Verifier processes started ahead that wait on their standard input. Without it: none.",
      type: "integer",
      minimum: 1,
      maximum: MAX_PREWARM,
    },
  },
};

/** The contract of one tool, with what a read-back is. */
export const toolWith = (readback: object) => ({
  description: "How the outcome of one tool is checked.",
  type: "object",
  required: ["extract", "allowed_failure_reasons"],
  oneOf: [{ required: ["verifier"] }, { required: ["readback"] }],
  additionalProperties: false,
  properties: {
    extract: {
      description: "The only fields that the verifier is given: field name to where its value is found.",
      type: "object",
      minProperties: 1,
      additionalProperties: selector,
    },
    record_id_field: {
      description:
        "The extracted field that names the record. Missing, null or empty in a success: the answer is unknown.",
      type: "string",
    },
    verifier,
    readback,
    allowed_failure_reasons: {
      description: "The reason codes that the check may give for a FAIL. Any other reason makes the answer unknown.",
      type: "array",
      minItems: 1,
      uniqueItems: true,
      items: {
        type: "string",
        minLength: 1,
        maxLength: MAX_REASON_CHARACTERS,
        pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f]*$",
      },
      examples: [["record_missing", "field_mismatch"]],
    },
    recovery: {
      description: "What the agent is told to do after a confirmed FAIL.",
      enum: ["stop", "retry_once", "ask_user"],
      default: "stop",
    },
  },
});

/** JSON Schema of a contract file. Each schema node stands inline, so that an error's path leads to its neighbours. */
/** The whole format, with what a read-back is. */
export const contractSchemaWith = (readback: object) => ({
  $schema: "http://json-schema.org/draft-07/schema#",
  title: "fourgate contract",
  description: "Which MCP tools are protected, and how the outcome of each call is checked.",
  type: "object",
  required: ["contract_version", "tools"],
  additionalProperties: false,
  properties: {
    $schema: { description: "The schema of this file, for editors.", type: "string" },
    contract_version: { description: "The version of this format.", const: 1 },
    draft: {
      description:
        "A generated file says true here; it is refused until a person has decided every guess and removed it.",
      const: false,
    },
    approval: {
      description: "required: guard starts only when `fourgate review --approve` was run on exactly this contract.",
      enum: ["required"],
    },
    secret_files: {
      description:
        "Credentials that stand in files: the name of the variable that a check reads to the file's path, relative to this file.",
      type: "object",
      minProperties: 1,
      propertyNames: { pattern: environmentName.pattern },
      additionalProperties: { type: "string", minLength: 1 },
    },
    secret_command: {
      description:
        "Credentials that a program prints, such as a password manager: the name of the variable to the command, its program first.",
      type: "object",
      minProperties: 1,
      propertyNames: { pattern: environmentName.pattern },
      additionalProperties: { type: "array", minItems: 1, items: { type: "string", pattern: "^[^\\u0000]*$" } },
    },
    tools: {
      description: "Exact tool name on the wire (without a client's prefix) to the tool's contract.",
      type: "object",
      minProperties: 1,
      propertyNames: { minLength: 1 },
      additionalProperties: toolWith(readback),
    },
  },
});

/** What every start checks. The inside of a read-back is checked by its own schema, which few contracts need. */
export const contractShape = contractSchemaWith({ type: "object" });
