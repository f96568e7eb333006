// The type of the generated schema check (validate.generated.js, written by scripts/generate.mjs).

/** One thing that the schema refuses, as ajv names it. */
export interface SchemaError {
  /** JSON Pointer to the value. */
  readonly instancePath: string;
  /** Path in the schema, like `#/properties/tools/minProperties`. */
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
}

export interface Validate {
  (value: unknown): boolean;
  errors?: SchemaError[] | null;
}

declare const validate: Validate;
export default validate;
