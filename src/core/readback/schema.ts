// The format of a read-back as JSON Schema: the keys that all types share, and each type's own.

import { comparators } from "../compare/index.ts";
import {
  DEFAULT_READBACK_ATTEMPTS,
  DEFAULT_READBACK_INTERVAL_MS,
  DEFAULT_READBACK_TIMEOUT_MS,
  MAX_READBACK_ATTEMPTS,
  MAX_READBACK_INTERVAL_MS,
  MAX_READBACK_TIMEOUT_MS,
  MAX_SETTLE_MS,
} from "../limits.ts";
import { kinds } from "./kinds/index.ts";
import type { ReadbackKind } from "./kinds/kind.ts";

const expectation = {
  description: "What the value must be: an extracted field's, or the fixed one under value.",
  type: ["string", "object"],
  additionalProperties: false,
  properties: {
    field: { description: "The extracted field whose value is expected.", type: "string", minLength: 1 },
    value: { description: "The value that is expected, whatever the call says." },
    compare: {
      description: "The comparator. Without it: exact.",
      enum: comparators.map(({ name }) => name),
      default: "exact",
    },
    by: { description: "With set and contains: the member that items are compared by.", type: "string", minLength: 1 },
    tolerance: { description: "With number: how far apart two numbers may be." },
  },
};

const expectations = (description: string, minProperties: number) => ({
  description,
  type: "object",
  minProperties,
  additionalProperties: expectation,
});

const common = {
  expect: {
    description: "present: the record must be there, with its values. absent: it must be gone.",
    enum: ["present", "absent"],
    default: "present",
  },
  expected_fields: expectations("Path of the record -> the extracted field whose value must stand there.", 1),
  any_of: {
    description: "Groups of paths, each written like expected_fields; of each group one path must be as expected.",
    type: "array",
    minItems: 1,
    items: expectations("Paths of which one must be as expected.", 2),
  },
  find: {
    description: "The record is an element of a list: where the list is, and which element is meant.",
    type: "object",
    required: ["in", "where"],
    additionalProperties: false,
    properties: {
      in: { description: "The path of the list; $ is the whole answer.", type: "string", examples: ["items", "$"] },
      where: expectations("Path of an element -> the extracted field whose value tells the record.", 1),
      complete: {
        description:
          "The list holds every record that there may be and the reader may see, so that one that is not in it does not exist.",
        type: "boolean",
        default: false,
      },
    },
  },
  tombstone: {
    description: "A record with this value is one that has been deleted.",
    type: "object",
    required: ["path", "equals"],
    additionalProperties: false,
    properties: {
      path: { description: "A path of the record.", type: "string" },
      equals: { description: "The value that stands there once it is deleted." },
      only_when_deleted: {
        description: "Only a deleted record has a value at the path; one without it is not deleted.",
        type: "boolean",
      },
    },
  },
  attempts: {
    description: "How often to read before the outcome is settled.",
    type: "integer",
    minimum: 1,
    maximum: MAX_READBACK_ATTEMPTS,
    default: DEFAULT_READBACK_ATTEMPTS,
  },
  interval_ms: {
    description: "The pause between two attempts, in whole milliseconds.",
    type: "integer",
    minimum: 0,
    maximum: MAX_READBACK_INTERVAL_MS,
    default: DEFAULT_READBACK_INTERVAL_MS,
  },
  timeout_ms: {
    description: "What all attempts together may take, in whole milliseconds; under guard at most 1500.",
    type: "integer",
    minimum: 1,
    maximum: MAX_READBACK_TIMEOUT_MS,
    default: DEFAULT_READBACK_TIMEOUT_MS,
  },
  settle_ms: {
    description: "How old the answer must be before it proves anything that a record is not there, or still there.",
    type: "integer",
    minimum: 0,
    maximum: MAX_SETTLE_MS,
    default: 0,
  },
};

const described = {
  description:
    "Reads the system of record with a credential that the wrapped server never sees, instead of a verifier.",
  type: "object",
  required: ["type"],
};

/** Without a known type no branch applies, so the type is checked by itself. */
const knownType = { properties: { type: { enum: kinds.map(({ type }) => type) } } };

/** The keys of one type, and nothing else beside them; `more` are keys that only stand in a file. */
const keysOf = (kind: ReadbackKind, more: object, shared: object = common) => ({
  type: "object",
  required: kind.required,
  additionalProperties: false,
  properties: {
    ...more,
    type: { description: "What is read.", const: kind.type },
    ...kind.properties,
    ...shared,
  },
});

/** The same names, with whatever value. */
const unchecked = (keys: object) => Object.fromEntries(Object.keys(keys).map((name) => [name, {}]));

const oneOfKinds = (keys: (kind: ReadbackKind) => object) => [
  knownType,
  ...kinds.map((kind) => ({
    if: { properties: { type: { const: kind.type } }, required: ["type"] },
    // biome-ignore lint/suspicious/noThenProperty: `then` is a keyword of JSON Schema.
    then: keys(kind),
  })),
];

/** JSON Schema of a read-back, as it stands in a contract. */
export const readbackNode = { ...described, allOf: oneOfKinds((kind) => keysOf(kind, {})) };

/**
 * The same for the check at start-up, in parts: `any` has what all types share, the others each type's own keys. Generated code
 * is large, and what is not needed is never compiled.
 */
export const readbackShapes: Readonly<Record<string, object>> = {
  any: { ...described, properties: { ...knownType.properties, ...common } },
  ...Object.fromEntries(kinds.map((kind) => [kind.type, keysOf(kind, {}, unchecked(common))])),
};

/** JSON Schema of a file for `fourgate verify`: a read-back by itself. */
export const readbackSchema = {
  $schema: "http://json-schema.org/draft-07/schema#",
  title: "fourgate read-back",
  ...described,
  allOf: oneOfKinds((kind) =>
    keysOf(kind, { $schema: { description: "The schema of this file, for editors.", type: "string" } }),
  ),
};
