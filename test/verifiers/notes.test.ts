// The example verifiers as programs, run as fourgate runs them: what each proves, and where it must stay in doubt.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { decide } from "../../src/core/verdict/decide.ts";
import { createVerifierRunner } from "../../src/io/verifier-runner.ts";
import { loadContract } from "../../src/run/load-contract.ts";

const directory = mkdtempSync(join(tmpdir(), "fourgate-notes-"));
const notes = join(directory, "notes");
mkdirSync(join(notes, "n-dir.txt"), { recursive: true });
writeFileSync(join(notes, "n-17.txt"), "buy milk");
writeFileSync(join(notes, "n-crlf.txt"), "a\r\nb");
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const programs: [string, string[], comparesText: boolean][] = [
  ["note.sh", ["sh", "note.sh"], false],
  ["note.py", ["python3", "note.py"], true],
  ["note.mjs", [process.execPath, "note.mjs"], true],
];

async function outcome(command: string[], fields: object | string, env: Record<string, string>): Promise<string> {
  const runner = createVerifierRunner({ environment: { PATH: process.env.PATH, ...env } });
  const spec = {
    command,
    cwd: resolve("verifiers"),
    timeoutMs: 2000,
    secretEnv: [],
    env: undefined,
    prewarm: 0,
  };
  const input = typeof fields === "string" ? fields : JSON.stringify(fields);
  const { reply } = await runner.run(1, spec, input, 30_000);
  await runner.close();
  const { status, reason } = decide(reply, new Set(["record_missing", "field_mismatch"]));
  return `${status}/${reason}`;
}

const pass = "pass/postcondition_satisfied";
const doubt = "unknown/verifier_error";

describe.each(programs)("%s", (_name, command, comparesText) => {
  const check = (fields: object | string, env: Record<string, string> = { NOTES_DIR: notes }) =>
    outcome(command, fields, env);

  test("passes a note that is there", async () => {
    expect(await check({ id: "n-17", text: "buy milk" })).toBe(pass);
    expect(await check({ id: "n-crlf", text: "a\r\nb" })).toBe(pass);
  });

  test("fails a note that is not there", async () => {
    expect(await check({ id: "n-18", text: "buy milk" })).toBe("fail/record_missing");
  });

  test("looks at the text only where its language can", async () => {
    expect(await check({ id: "n-17", text: "buy bread" })).toBe(comparesText ? "fail/field_mismatch" : pass);
  });

  test.each<[string, object | string, Record<string, string>?]>([
    ["the id leads out of the directory", { id: "../n-17", text: "" }],
    ["the id is empty", { id: "", text: "" }],
    ["there is no id", { text: "buy milk" }],
    ["the input is not JSON", "notes"],
    ["the notes cannot be reached", { id: "n-18", text: "" }, { NOTES_DIR: join(directory, "none") }],
    ["it is not said where the notes are", { id: "n-18", text: "" }, {}],
  ])("is in doubt when %s", async (_why, fields, env) => {
    expect(await check(fields, env)).toBe(doubt);
  });
});

test.each(programs.slice(1))("%s is in doubt when what is there is no file", async (_name, command) => {
  expect(await outcome(command, { id: "n-dir", text: "" }, { NOTES_DIR: notes })).toBe(doubt);
});

test("the contract beside them is a good one", async () => {
  expect(await loadContract("verifiers/contract.jsonc")).toMatchObject({ ok: true });
});
