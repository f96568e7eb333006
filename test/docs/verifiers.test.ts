// The examples on docs/verifiers.md, run as they stand there.

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { decide } from "../../src/core/verdict/decide.ts";
import { createVerifierRunner } from "../../src/io/verifier-runner.ts";

const page = readFileSync(new URL("../../docs/verifiers.md", import.meta.url), "utf8");
const directory = mkdtempSync(join(tmpdir(), "fourgate-"));
const notes = join(directory, "notes");
mkdirSync(notes);
writeFileSync(join(notes, "n-17.txt"), "buy milk");

function example(heading: string, language: string, file: string): string {
  const block = new RegExp(`### ${heading}\n[^]*?\`\`\`${language}\n([^]*?)\`\`\``).exec(page);
  writeFileSync(join(directory, file), block![1]!);
  return join(directory, file);
}

async function outcome(command: string[], fields: object, where = notes): Promise<string> {
  const runner = createVerifierRunner({ environment: { ...process.env, NOTES_DIR: where } });
  const spec = { command, cwd: directory, timeoutMs: 2000, secretEnv: [], env: undefined, prewarm: 0 };
  const { reply } = await runner.run(1, spec, JSON.stringify(fields), 30_000);
  await runner.close();
  const { status, reason } = decide(reply, new Set(["record_missing", "field_mismatch"]));
  return `${status}/${reason}`;
}

describe.each([
  ["sh", ["sh", example("sh", "sh", "check.sh")], false],
  ["Python", ["python3", example("Python", "python", "check.py")], true],
  ["Node", [process.execPath, example("Node", "js", "check.mjs")], true],
] as [string, string[], boolean][])("the example in %s", (_name, command, comparesText) => {
  test("passes a note that is there", async () => {
    expect(await outcome(command, { id: "n-17", text: "buy milk" })).toBe("pass/postcondition_satisfied");
  });

  test("fails a note that is not there", async () => {
    expect(await outcome(command, { id: "n-18", text: "buy milk" })).toBe("fail/record_missing");
  });

  const otherText = comparesText ? "fail/field_mismatch" : "pass/postcondition_satisfied";
  test(`takes a note that says something else for ${otherText}`, async () => {
    expect(await outcome(command, { id: "n-17", text: "buy bread" })).toBe(otherText);
  });

  test("cannot tell when the notes cannot be reached, or the id is no file name", async () => {
    expect(await outcome(command, { id: "n-17", text: "" }, join(directory, "none"))).toBe("unknown/verifier_error");
    expect(await outcome(command, { id: "../n-17", text: "" })).toBe("unknown/verifier_error");
  });
});

test("the line for trying one by hand works", () => {
  example("sh", "sh", "check-note.sh");
  const line = /```console\n\$ (.*)\n```/.exec(page)![1]!;
  const said = execFileSync("sh", ["-c", line], { cwd: directory, encoding: "utf8" });
  expect(said).toBe('{"status":"pass"}\nexit 0\n');
});
