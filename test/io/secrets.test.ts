// Credentials out of files and programs: what is refused, in words that hold no value.

import { chmodSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { SecretSource } from "../../src/core/contract/types.ts";
import { gatherSecrets } from "../../src/io/secrets.ts";

const SECRET = "s-SENTINEL";
const folder = mkdtempSync(join(tmpdir(), "fourgate-test-"));

function file(name: string, content: string | Uint8Array, mode = 0o600): SecretSource {
  const path = join(folder, name);
  writeFileSync(path, content);
  chmodSync(path, mode);
  return { type: "file", path };
}
const command = (...words: string[]): SecretSource => ({ type: "command", command: words });
const gather = (source: SecretSource) => gatherSecrets(new Map([["KEY", source]]), process.env);

test.each<[string, SecretSource]>([
  ["a file", file("plain", SECRET)],
  ["a file with a newline", file("newline", `${SECRET}\n`)],
  ["a file with a newline of Windows", file("crlf", `${SECRET}\r\n`)],
  ["a file that a group reads too", file("group", SECRET, 0o640)],
  ["a program", command("sh", "-c", `echo ${SECRET}; echo noise >&2`)],
])("%s", async (_, source) => {
  const got = await gather(source);
  expect({ ...got, values: got.ok ? { ...got.values } : {} }).toEqual({ ok: true, values: { KEY: SECRET } });
});

describe("refused", () => {
  test.each<[string, SecretSource, RegExp]>([
    ["a file that everybody reads", file("open", SECRET, 0o604), /can be read by every user.*chmod o-r/],
    ["no file", { type: "file", path: join(folder, "none") }, /there is no file/],
    ["a directory", { type: "file", path: folder }, /is no file/],
    ["an empty file", file("empty", "\n"), /it is empty/],
    ["two lines", file("lines", `${SECRET}\n${SECRET}\n`), /more than one line/],
    ["a file too large", file("large", "x".repeat(70_000)), /larger than any credential/],
    ["a program that fails", command("sh", "-c", `echo ${SECRET}; echo ${SECRET} >&2; exit 3`), /exit status 3/],
    ["a program that is not there", command("no-such-program-here"), /could not be started/],
    ["a program that says nothing", command("true"), /it is empty/],
  ])("%s", async (_, source, words) => {
    const got = await gather(source);
    expect(got.ok).toBe(false);
    const problems = got.ok ? [] : got.problems;
    expect(problems).toEqual([expect.stringMatching(words)]);
    expect(problems[0]).toMatch(/^secret_(?:files|command)\["KEY"\]: /);
    expect(problems.join()).not.toContain(SECRET);
  });

  test("all at once", async () => {
    const sources = new Map([
      ["ONE", command("false")],
      ["TWO", { type: "file", path: join(folder, "none") } as const],
    ]);
    const got = await gatherSecrets(sources, process.env);
    expect(got.ok ? [] : got.problems).toHaveLength(2);
  });
});
