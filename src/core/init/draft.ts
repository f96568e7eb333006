// A draft of a contract out of a server's list of tools. Every guess is marked; guard refuses the file until a person has decided.

/** A tool as `tools/list` has it. */
export interface ListedSchemas {
  readonly name: string;
  readonly readOnly: boolean | undefined;
  readonly inputSchema: unknown;
  readonly outputSchema: unknown;
}

const UNSEEN = /[\p{C}\u2028\u2029]/u;

/** Arguments that are proposed for comparison. */
const MAX_FIELDS = 6;

/** Gives the text of a JSONC file, or undefined when no tool looks like a write. Takes names as they come: they may hold anything. */
export function draftContract(tools: readonly ListedSchemas[]): string | undefined {
  // A contract does not take names that nobody can see to be right.
  const writes = tools.filter(
    ({ name, readOnly }) => readOnly !== true && /^\S(?:.*\S)?$/.test(name) && !UNSEEN.test(name),
  );
  if (writes.length === 0) return undefined;
  return `// A draft. Each DECIDE is a guess of fourgate's that a person has to look at. Take out the tools that need no check, and then the line
// "draft": until then guard, scan and doctor refuse this file.
{
  "contract_version": 1,
  "draft": true,
  "tools": {
${writes.map(toolText).join(",\n")}
  }
}
`;
}

function toolText({ name, readOnly, inputSchema, outputSchema }: ListedSchemas): string {
  const id = idIn(outputSchema);
  const fields = argumentsIn(inputSchema).filter((field) => plainName(field) !== "record_id");
  const names = [...new Map(fields.map((field) => [plainName(field), field])).entries()].slice(0, MAX_FIELDS);
  const hint = readOnly === false ? "The server says that it writes." : "The server does not say whether it writes.";
  const idNote =
    id === undefined
      ? "DECIDE: what in the answer names the record. The server describes no answer, so this is a plain guess."
      : "DECIDE: whether this names the record. Guessed from the tool's outputSchema.";
  const idSelector =
    id === undefined
      ? { source: "result", path: "result.content.0.text", parse: "embedded_json", field: "id" }
      : { source: "result", path: `result.structuredContent.${id}` };
  const extract = [
    `        // ${idNote}\n        "record_id": ${JSON.stringify(idSelector)}`,
    ...names.map(
      ([field, path], at) =>
        `${at === 0 ? "        // DECIDE: which arguments must stand in the record. From the tool's inputSchema.\n" : ""}        ${JSON.stringify(field)}: ${JSON.stringify({ source: "arguments", path: dotPath(path) })}`,
    ),
  ];
  const expected = names.map(([field, path]) => `${JSON.stringify(dotPath(path))}: ${JSON.stringify(field)}`);
  return `    // ${hint}
    ${JSON.stringify(name)}: {
      "extract": {
${extract.join(",\n")}
      },
      "record_id_field": "record_id",
      "readback": {
        "type": "http",
        // DECIDE: where the record can be read, and the variable with a credential of the reader's own (never the server's).
        "url_template": "https://decide.invalid/{record_id}",
        "token_env": "DECIDE_READ_TOKEN",
        // DECIDE: the statuses that say that there is no such record.
        "missing_statuses": [404],
        // DECIDE: under which paths of the record the values stand.
        "expected_fields": { ${expected.length > 0 ? expected.join(", ") : '"id": "record_id"'} }
      },
      "allowed_failure_reasons": ["record_missing", "field_mismatch"],
      "recovery": "stop"
    }`;
}

const SCALARS = new Set(["string", "number", "integer", "boolean"]);

/** The path of what may be the id: on the first level, or below the one object that there is. */
function idIn(schema: unknown): string | undefined {
  const own = properties(schema);
  const first = bestId(own);
  if (first !== undefined) return dotPath(first);
  for (const [name, below] of own) {
    const found = bestId(properties(below));
    if (found !== undefined) return `${dotPath(name)}.${dotPath(found)}`;
  }
  return undefined;
}

/** The likelier the name, the smaller the number. */
const LIKELY: readonly RegExp[] = [/^id$/i, /^uuid$/i, /(?:_id|Id|ID)$/, /^(?:number|key)$/i, /^path$/i];

function bestId(members: readonly (readonly [string, unknown])[]): string | undefined {
  const names = members.filter(([name, schema]) => plain(name) && SCALARS.has(typeOf(schema))).map(([name]) => name);
  for (const pattern of LIKELY) {
    const found = names.find((name) => pattern.test(name));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Arguments that are one value; those that a call must have come first. */
function argumentsIn(schema: unknown): string[] {
  const required = (schema as { required?: unknown } | undefined)?.required;
  const needed = new Set(Array.isArray(required) ? required : []);
  const names = properties(schema)
    .filter(([name, own]) => plain(name) && SCALARS.has(typeOf(own)))
    .map(([name]) => name);
  return [...names.filter((name) => needed.has(name)), ...names.filter((name) => !needed.has(name))];
}

function properties(schema: unknown): (readonly [string, unknown])[] {
  const own = (schema as { properties?: unknown } | null | undefined)?.properties;
  return typeof own === "object" && own !== null && !Array.isArray(own) ? Object.entries(own) : [];
}

function typeOf(schema: unknown): string {
  const type = (schema as { type?: unknown } | null | undefined)?.type;
  // A value that may also be null is still that value.
  const types = (Array.isArray(type) ? type : [type]).filter((one) => one !== "null");
  return types.length === 1 && typeof types[0] === "string" ? types[0] : "";
}

/** A name that a dot path can say. */
const plain = (name: string): boolean => /^[\p{L}\p{N}_@$-][\p{L}\p{N}_@$ -]*$/u.test(name) && !name.startsWith("$");
const dotPath = (name: string): string => name;
const plainName = (name: string): string => name.replace(/[^A-Za-z0-9_]/g, "_");
