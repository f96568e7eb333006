// What `init` has to know about a tool, and whether it fits together. What the formats themselves refuse, their own loaders say.

export interface InitAnswers {
  readonly tool: string;
  readonly testAccount: string;
  readonly id: IdSource;
  /** Address of the record, with {record_id} in it. */
  readonly readbackUrl: string;
  /** Path of the record, and path of the argument that must stand there. */
  readonly expect: readonly (readonly [recordPath: string, argumentPath: string])[];
  /** The scan's arguments by name. */
  readonly arguments: ReadonlyMap<string, unknown>;
  readonly tokenEnv: string | undefined;
  readonly auth: Auth;
  readonly missingStatuses: readonly number[];
  /** Label in records and verdicts. */
  readonly server: string;
  readonly command: readonly string[];
}

export type IdSource =
  | { readonly type: "path"; readonly path: string }
  | { readonly type: "regex"; readonly pattern: string }
  | { readonly type: "json_field"; readonly field: string };

export type Auth =
  | { readonly scheme: "bearer" }
  | { readonly scheme: "header"; readonly header: string }
  | { readonly scheme: "basic"; readonly usernameEnv: string };

/** The field under which the record's id is extracted. */
export const RECORD_ID = "record_id";

/** An argument's path as a field's name. */
export const fieldName = (argumentPath: string): string => argumentPath.replace(/[^A-Za-z0-9_]/g, "_");

/** Everything that does not fit together, each in a sentence without a value; empty when all does. */
export function problemsOf(answers: InitAnswers): string[] {
  const problems: string[] = [];
  const { testAccount, id, readbackUrl, expect } = answers;
  if (testAccount.trim() === "") problems.push("--test-account is blank; name the account that the scan may write to");
  if (id.type === "path" && !/^(?:\$\.)?result\./.test(id.path)) problems.push("--id-path does not begin with result.");
  if (!readbackUrl.includes("{record_id}")) problems.push("--readback-url has no {record_id} in it");
  if (expect.length === 0) problems.push("--expect is missing: say at least one path of the record and its argument");
  const paths = new Set<string>();
  const names = new Map<string, string>();
  for (const [recordPath, argumentPath] of expect) {
    const name = fieldName(argumentPath);
    if (recordPath === "" || argumentPath === "") problems.push("--expect takes PATH=ARG, both given");
    else if (!has(answers.arguments, argumentPath)) {
      problems.push("--expect names an argument that neither --arg nor --arg-json gives");
    } else if (name === RECORD_ID)
      problems.push("--expect names an argument record_id, which is the name of the record's own id here");
    else if (names.has(name) && names.get(name) !== argumentPath) {
      problems.push("--expect names two arguments whose paths become the same field name");
    }
    if (paths.has(recordPath)) problems.push("--expect names one path of the record twice");
    paths.add(recordPath);
    names.set(name, argumentPath);
  }
  for (const status of answers.missingStatuses) {
    if (status < 400 || status > 499 || status === 401 || status === 403) {
      problems.push("--missing-status takes a status from 400 to 499, and neither 401 nor 403, which speak of rights");
    }
  }
  return [...new Set(problems)];
}

/** Whether the arguments have something at a dot path. */
function has(args: ReadonlyMap<string, unknown>, path: string): boolean {
  const [first = "", ...rest] = path.split(".");
  if (!args.has(first)) return false;
  let value = args.get(first);
  for (const part of rest) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return false;
    value = (value as Record<string, unknown>)[part];
  }
  return true;
}
