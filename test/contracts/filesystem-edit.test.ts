// The check of edit_file against files that the real server's own code edited, and against the same files with the edit undone.

import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { verdict } from "./verifier.ts";

interface Edit {
  readonly oldText: string;
  readonly newText: string;
}
type Fields = { path: string; arguments: object; diff: string };

const load = (path: string) => import(pathToFileURL(path).href);
const server = await load("node_modules/@modelcontextprotocol/server-filesystem/dist/lib.js");
const { checkEdit } = await load("contracts/filesystem/check-edit.mjs");

const root = realpathSync(mkdtempSync(join(tmpdir(), "fourgate-edit-")));
const path = join(root, "file.txt");
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Edits as the server does; gives the fields that fourgate would extract. */
async function edited(before: string, edits: readonly Edit[]): Promise<Fields> {
  writeFileSync(path, before);
  return { path, arguments: { path, edits }, diff: await server.applyFileEdits(path, edits, false) };
}

const rows: [string, string, Edit[], string, string][] = [
  ["a line replaced", "a\nb\nc\n", [{ oldText: "b", newText: "B" }], "pass", "fail field_mismatch"],
  ["a text that stands elsewhere too", "B\nb\n", [{ oldText: "b", newText: "B" }], "pass", "fail field_mismatch"],
  ["a text deleted", "a\nb\nc\n", [{ oldText: "b\n", newText: "" }], "pass", "fail field_mismatch"],
  ["the last line deleted", "a\nb\n", [{ oldText: "b\n", newText: "" }], "pass", "fail field_mismatch"],
  ["everything deleted", "a\n", [{ oldText: "a\n", newText: "" }], "pass", "fail field_mismatch"],
  ["the final newline deleted", "a\nb\n", [{ oldText: "b\n", newText: "b" }], "pass", "fail field_mismatch"],
  [
    "CRLF file, turned to LF by the server",
    "a\r\nb\r\n",
    [{ oldText: "b", newText: "c" }],
    "pass",
    "fail field_mismatch",
  ],
  [
    "an indent adapted",
    "  if x:\n    y\n",
    [{ oldText: "if x:\n  y", newText: "if z:\n  y" }],
    "pass",
    "fail field_mismatch",
  ],
  [
    "several edits, the later within the earlier",
    "a\nb\n",
    [
      { oldText: "a", newText: "one two" },
      { oldText: "two", newText: "2" },
    ],
    "pass",
    "fail field_mismatch",
  ],
  ["a text replaced by itself", "a\n", [{ oldText: "a", newText: "a" }], "pass", "pass"],
];

describe("edit_file", () => {
  test.each(rows)("%s: done", async (_, before, edits, done) => {
    expect(verdict("filesystem", "edit_file", await edited(before, edits))).toBe(done);
  });
  test.each(rows)("%s: undone", async (_, before, edits, _done, undone) => {
    const fields = await edited(before, edits);
    writeFileSync(path, before);
    expect(verdict("filesystem", "edit_file", fields)).toBe(undone);
  });

  test("a file that is gone is missing", async () => {
    const fields = await edited("a\n", [{ oldText: "a", newText: "b" }]);
    rmSync(path);
    expect(verdict("filesystem", "edit_file", fields)).toBe("fail record_missing");
  });

  const change = [{ oldText: "a", newText: "b" }];
  test.each<[string, object, string | undefined, string | Uint8Array]>([
    ["a dry run", { edits: change, dryRun: true }, undefined, "a\n"],
    ["no edits", { edits: [] }, undefined, "b\n"],
    ["an answer that is no diff", { edits: change }, "Done!", "b\n"],
    ["a diff that is cut off", { edits: change }, "--- x\n+++ x\n@@ -1,2 +1,2 @@\n-a\n", "b\n"],
    ["a diff without a change", { edits: change }, "--- x\toriginal\n+++ x\tmodified\n", "b\n"],
    ["a file that is not UTF-8", { edits: change }, undefined, Buffer.from([0x62, 0xff])],
  ])("%s is in doubt", async (_, call, diff, content) => {
    const fields = await edited("a\n", change);
    writeFileSync(path, content);
    expect(verdict("filesystem", "edit_file", { path, arguments: call, diff: diff ?? fields.diff })).toBe("doubt");
  });

  test("no honest edit ever fails, and no undone one passes", async () => {
    server.setAllowedDirectories([root]);
    const piece = fc.constantFrom(
      "a",
      "b",
      "x\n",
      "\n",
      "  ",
      "\r\n",
      "\r",
      "y\n",
      "\t",
      "\u00e9",
      "--- ",
      "+++ ",
      "\\ ",
    );
    const text = (maxLength: number) => fc.array(piece, { maxLength }).map((pieces) => pieces.join(""));
    const cut = fc.record({
      from: fc.nat(60),
      length: fc.integer({ min: 1, max: 6 }),
      newText: text(5),
      trim: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(text(40), fc.array(cut, { minLength: 1, maxLength: 2 }), async (before, cuts) => {
        const edits = cuts.map(({ from, length, newText, trim }) => {
          const oldText = before.replaceAll("\r\n", "\n").slice(from, from + length);
          return { oldText: trim ? oldText.trim() : oldText, newText };
        });
        const fields = await edited(before, edits).catch(() => undefined);
        if (fields === undefined) return;
        const after = readFileSync(path, "utf8");
        expect(await statusOf(fields)).not.toBe("fail");
        writeFileSync(path, before);
        // Line ends are no evidence: the server turns them all into line feeds.
        if (before.replace(/\r+\n/g, "\n") !== after.replace(/\r+\n/g, "\n"))
          expect(await statusOf(fields)).not.toBe("pass");
      }),
      { numRuns: 500 },
    );
  });
});

async function statusOf(fields: Fields): Promise<string> {
  try {
    return (await checkEdit(fields)).status;
  } catch {
    return "doubt";
  }
}
