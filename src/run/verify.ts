// `fourgate verify`: one read-back, as a verifier command or as a dry run that explains itself.

import { MAX_GUARDED_READBACK_MS, MAX_VERIFY_INPUT_BYTES, VERIFY_DONE_BY_MS } from "../core/limits.ts";
import { parseFields } from "../core/readback/fields.ts";
import type { Readback } from "../core/readback/types.ts";
import type { Fields } from "../core/select/types.ts";
import { type Adapter, openAdapter } from "../readback/adapter.ts";
import { checkReadback } from "../readback/check.ts";
import { missingDriver } from "../readback/drivers.ts";
import { readContext } from "./read-context.ts";
import { type Said, verifierAnswer } from "./verify/as-verifier.ts";
import { redactor } from "./verify/redact.ts";
import { type Attempt, type Report, reportText, tellAttempt, tellFields, tellOutcome } from "./verify/report.ts";
import { loadTarget } from "./verify/target.ts";

export interface VerifyOptions {
  readonly file: string;
  readonly tool: string | undefined;
  /** Field -> JSON text, as given on the command line; undefined when the fields come from stdin. */
  readonly fields: Fields | undefined;
  /** The dry run; without it, a verifier. */
  readonly explain: boolean;
  readonly showValues: boolean;
  readonly json: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** How long the process has been running, milliseconds: what starting took is gone from a verifier's time. */
  readonly elapsedMs: () => number;
  /** Gives what stdin holds, at most so many bytes and one more. */
  readonly stdin: (mostBytes: number) => Promise<Uint8Array>;
}

/** Runs the command. What it says is free of credentials. Never rejects for a user's mistake. */
export async function verify(options: VerifyOptions): Promise<Said> {
  const target = await loadTarget(options.file, options.tool);
  if (!target.ok) return wrong(...target.problems);
  const { readback } = target;
  const fields = options.fields ?? parseInput(await options.stdin(MAX_VERIFY_INPUT_BYTES), options.explain);
  if (typeof fields === "string") return wrong(fields);
  if (options.fields === undefined && fields.size === 0 && !options.explain) return wrong("stdin holds no field");
  const redact = redactor(readback.credentials.map((name) => options.environment[name]));
  const driver = missingDriver(readback.source);
  if (driver !== undefined) return wrong(driver);
  const adapter = await openAdapter(readback.source, await readContext(readback.source, options.environment));
  try {
    const said = options.explain
      ? await dryRun(readback, adapter, fields, options, target.tool)
      : await asVerifier(readback, adapter, fields, options.elapsedMs());
    return { code: said.code, stdout: redact(said.stdout), stderr: redact(said.stderr) };
  } finally {
    await adapter.close();
  }
}

async function asVerifier(readback: Readback, adapter: Adapter, fields: Fields, elapsedMs: number): Promise<Said> {
  // Whoever runs a verifier ends it at 2 s at the latest; an answer must be there before.
  const budgetMs = Math.min(MAX_GUARDED_READBACK_MS, VERIFY_DONE_BY_MS - elapsedMs);
  const { signal } = new AbortController();
  const outcome = await checkReadback(readback, adapter, { fields, budgetMs, ageMs: 0, signal });
  return verifierAnswer(readback, adapter, outcome);
}

async function dryRun(
  readback: Readback,
  adapter: Adapter,
  fields: Fields,
  { showValues, json, environment }: VerifyOptions,
  tool: string | undefined,
): Promise<Said> {
  const attempts: Attempt[] = [];
  const outcome = await checkReadback(readback, adapter, {
    fields,
    budgetMs: readback.timeoutMs,
    // Nobody knows when the call was made; for a person who asks now, it is past.
    ageMs: Number.POSITIVE_INFINITY,
    signal: new AbortController().signal,
    onAttempt: (observation, finding, ms) => {
      attempts.push(tellAttempt(readback, observation, finding, ms, fields, showValues));
    },
  });
  const report: Report = {
    ...(tool !== undefined && { tool }),
    type: readback.source.type,
    asks: adapter.describe(showValues ? fields : undefined),
    credentials: readback.credentials.map((name) => ({ name, set: !!environment[name] })),
    fields: tellFields(fields, showValues),
    attempts,
    ...tellOutcome(outcome),
  };
  const stdout = json ? `${JSON.stringify(report, null, 2)}\n` : reportText(report);
  return { code: outcome.type === "pass" ? 0 : 1, stdout, stderr: "" };
}

/** For a dry run an empty stdin holds no fields, which not every read-back needs. */
function parseInput(bytes: Uint8Array, mayBeEmpty: boolean): Fields | string {
  if (bytes.length === 0 && mayBeEmpty) return new Map();
  if (bytes.length > MAX_VERIFY_INPUT_BYTES) return "stdin holds more than 1 MiB";
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return "stdin is not UTF-8";
  }
  return parseFields(text) ?? "stdin must hold one JSON object of fields, each name once";
}

/** Usage and configuration: exit status 2, and nothing is asked. */
function wrong(...problems: string[]): Said {
  return { code: 2, stdout: "", stderr: problems.map((problem) => `fourgate verify: error: ${problem}\n`).join("") };
}
