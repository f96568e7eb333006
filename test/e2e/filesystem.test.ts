// The published filesystem server behind the built guard, with the ready contract: honest, and with every write undone.

import { existsSync, mkdirSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { scratch } from "./harness.ts";
import { play, published, type ToolCall } from "./published.ts";

/** A fresh root; made anew at the same place for a second run, so that the texts of both are the same. */
function freshRoot(path: string): string {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, "notes.txt"), "first\r\nsecond\r\nthird\r\n");
  writeFileSync(join(path, "old.txt"), "to be moved");
  return path;
}

const newRoot = () => join(realpathSync(scratch()), "files");
const server = (root: string) => [published("server-filesystem"), root];

const writes = (root: string): ToolCall[] => [
  ["write_file", { path: join(root, "a.txt"), content: "h\u00e9llo\r\nSENTINEL\n" }],
  ["write_file", { path: "relative.txt", content: "" }],
  ["edit_file", { path: join(root, "notes.txt"), edits: [{ oldText: "second", newText: "2nd\n  and more" }] }],
  ["edit_file", { path: join(root, "notes.txt"), edits: [{ oldText: "third\n", newText: "" }], dryRun: false }],
  ["create_directory", { path: join(root, "deep/er") }],
  ["create_directory", { path: join(root, "deep") }],
  ["move_file", { source: join(root, "old.txt"), destination: join(root, "deep/new.txt") }],
];

describe.each(["shadow", "enforce"] as const)("the filesystem server in %s mode", (mode) => {
  test("honest writes pass, and no answer differs from the server's own", async () => {
    const root = newRoot();
    const env = { FILESYSTEM_ROOTS: root };
    const direct = await play({ server: server(freshRoot(root)), env }, writes(root));
    const guarded = await play({ contract: "filesystem", mode, server: server(freshRoot(root)), env }, writes(root));
    expect(guarded.results).toEqual(direct.results);
    expect(guarded.outcomes).toEqual(writes(root).map(([tool]) => `${tool} pass/postcondition_satisfied`));
    expect(guarded.logText).not.toContain("SENTINEL");
  });

  test("what proves nothing is UNKNOWN, and its answer is untouched", async () => {
    const root = newRoot();
    const calls: ToolCall[] = [
      ["edit_file", { path: join(root, "notes.txt"), edits: [{ oldText: "first", newText: "1st" }], dryRun: true }],
      ["write_file", { path: "relative.txt", content: "x" }],
      ["write_file", { path: "/outside.txt", content: "x" }],
    ];
    const direct = await play({ server: server(freshRoot(root)) }, calls);
    const guarded = await play({ contract: "filesystem", mode, server: server(freshRoot(root)) }, calls);
    expect(guarded.results).toEqual(direct.results);
    expect(guarded.outcomes).toEqual([
      "edit_file unknown/verifier_error",
      "write_file unknown/verifier_error",
      "write_file unknown/not_success_result",
    ]);
  });
});

describe("a filesystem server whose writes are undone behind its back", () => {
  test("every call fails in enforce mode, and the verdict stands before the server's own answer", async () => {
    const root = newRoot();
    const honest = await play({ server: server(freshRoot(root)) }, writes(root).slice(0, 1));
    const saboteur = {
      contract: "filesystem",
      mode: "enforce",
      undone: freshRoot(root),
      server: server(root),
    } as const;
    // "deep" does not outlive its own call here.
    const calls: ToolCall[] = [
      ...writes(root).slice(0, 5),
      ["move_file", { source: join(root, "old.txt"), destination: join(root, "new.txt") }],
    ];
    const { results, outcomes } = await play({ ...saboteur, env: { FILESYSTEM_ROOTS: root } }, calls);
    expect(outcomes).toEqual([
      "write_file fail/record_missing",
      "write_file fail/record_missing",
      "edit_file fail/field_mismatch",
      "edit_file fail/field_mismatch",
      "create_directory fail/record_missing",
      "move_file fail/record_missing",
    ]);
    for (const result of results) expect(result.content[0]?.text).toMatch(/^\[FOURGATE\] \{"kind":"outcome_failed"/);
    expect(results[0]?.content.slice(1)).toEqual(honest.results[0]?.content);
    expect(readdirSync(root).sort()).toEqual(["notes.txt", "old.txt"]);
  });

  test("shadow mode records the same and leaves the answers alone", async () => {
    const root = newRoot();
    const call = writes(root).slice(0, 1);
    const direct = await play({ server: server(freshRoot(root)) }, call);
    const guarded = await play(
      { contract: "filesystem", mode: "shadow", undone: freshRoot(root), server: server(root) },
      call,
    );
    expect(guarded.results).toEqual(direct.results);
    expect(guarded.outcomes).toEqual(["write_file fail/record_missing"]);
    expect(existsSync(join(root, "a.txt"))).toBe(false);
  });
});
