// The git verifier against real repositories: what it proves, and where it must stay in doubt.

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { moduleOf, verdict, verdictIn } from "./verifier.ts";

const directory = mkdtempSync(join(tmpdir(), "fourgate-git-"));
const repository = join(directory, "repo");
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const identity = ["-c", "user.name=n", "-c", "user.email=n@example.org", "-c", "commit.gpgSign=false"];
const git = (...args: string[]) =>
  execFileSync("git", ["-C", repository, ...identity, ...args], {
    encoding: "utf8",
    env: { PATH: process.env.PATH },
  }).trim();
const commit = (...args: string[]) => {
  git("commit", "-q", "--allow-empty", ...args);
  return git("rev-parse", "HEAD");
};

const message = "feat: a door\n\nIt opens.";
let first: string;
let signed: string;
let odd: string;
let undone: string;
let detached: string;

beforeAll(() => {
  mkdirSync(repository);
  execFileSync("git", ["init", "-q", "-b", "main", repository], { env: { PATH: process.env.PATH } });
  first = commit("-m", message);
  signed = commit("-m", message, "-m", "Signed-off-by: n <n@example.org>");
  odd = commit("--cleanup=verbatim", "-m", "  odd “é”  \n\n\n\nmore  \n# kept\n");
  undone = commit("-m", "undone");
  git("reset", "-q", "--soft", "HEAD~1");
  git("branch", "feature/x");
  git("branch", "new-name");
  git("tag", "v1");
  git("tag", "-a", "v2", "-m", "annotated");
  git("checkout", "-q", "--detach");
  detached = commit("-m", "on no branch");
});

const { checks } = await moduleOf("git", "checks");
const { openRepository } = await moduleOf("git", "repository");
// biome-ignore lint/suspicious/noExplicitAny: fields as a contract extracts them
const check = (tool: string, fields: any, usual = "") =>
  verdictIn(async () => checks.get(tool)(fields, await openRepository(fields.arguments.path, usual)));

describe("git_commit", () => {
  const committed = (id: unknown, text: unknown, path: unknown = repository, usual = "") =>
    check(
      "git_commit",
      { commit: id, message: text, arguments: { message: text, ...(path === "" ? {} : { path }) } },
      usual,
    );
  test.each<[string, () => Promise<string>, string]>([
    ["there as asked", () => committed(first, message), "pass"],
    ["with lines that a hook added", () => committed(signed, message), "pass"],
    ["cleaned by git, or not", () => committed(odd, "odd “é”\n\nmore"), "pass"],
    ["on no branch, but HEAD holds it", () => committed(detached, "on no branch"), "pass"],
    ["another message", () => committed(first, "feat: a window"), "fail field_mismatch"],
    ["more than there is", () => committed(first, `${message}\nAnd shuts.`), "fail field_mismatch"],
    ["the beginning of a word", () => committed(first, "feat: a"), "fail field_mismatch"],
    ["undone: nothing holds it", () => committed(undone, "undone"), "fail record_missing"],
    ["no such commit", () => committed("0123456789abcdef0123456789abcdef01234567", message), "fail record_missing"],
    ["a tag's id is no commit", () => committed(git("rev-parse", "v2"), "annotated"), "doubt"],
    ["a short id", () => committed(first.slice(0, 7), message), "doubt"],
    ["an option for an id", () => committed("--help", message), "doubt"],
    ["a message of comments", () => committed(first, "# nothing"), "doubt"],
    ["without a path, found where it usually is", () => committed(first, message, "", repository), "pass"],
    ["with a dot for a path", () => committed(first, message, ".", repository), "pass"],
    ["without a path, not found", () => committed("0".repeat(40), message, "", repository), "doubt"],
    ["without a path and without a usual one", () => committed(first, message, ""), "doubt"],
    ["a relative path", () => committed(first, message, "repo", repository), "doubt"],
    ["no repository", () => committed(first, message, directory), "doubt"],
    ["no directory", () => committed(first, message, join(directory, "none")), "doubt"],
  ])("%s", async (_, run, expected) => expect(await run()).toBe(expected));
});

describe("git_branch", () => {
  const branched = (branch: unknown, mode: string, more: object = {}) =>
    check("git_branch", { branch, arguments: { path: repository, mode, branchName: branch, ...more } });
  test.each<[string, () => Promise<string>, string]>([
    ["created", () => branched("feature/x", "create"), "pass"],
    ["not created", () => branched("feature/y", "create"), "fail record_missing"],
    ["a part of a name is another name", () => branched("feature", "create"), "fail record_missing"],
    ["a tag is no branch", () => branched("v1", "create"), "fail record_missing"],
    ["deleted", () => branched("feature/y", "delete"), "pass"],
    ["not deleted", () => branched("feature/x", "delete"), "fail record_present"],
    ["renamed", () => branched("old-name", "rename", { newBranchName: "new-name" }), "pass"],
    ["not renamed", () => branched("feature/x", "rename", { newBranchName: "other" }), "fail record_missing"],
    ["copied", () => branched("feature/x", "rename", { newBranchName: "new-name" }), "fail field_mismatch"],
    ["a list writes nothing", () => branched("feature/x", "list"), "doubt"],
    ["a pattern is no name", () => branched("feature/*", "create"), "doubt"],
    ["out of the branches", () => branched("../tags/v1", "create"), "doubt"],
    ["an option", () => branched("--all", "delete"), "doubt"],
    ["no new name", () => branched("feature/x", "rename"), "doubt"],
    [
      "without a path a name proves nothing",
      () => check("git_branch", { branch: "main", arguments: { mode: "create" } }, repository),
      "doubt",
    ],
  ])("%s", async (_, run, expected) => expect(await run()).toBe(expected));
});

describe("git_tag", () => {
  const tagged = (tag: string, mode?: string) =>
    check("git_tag", { tag, arguments: { path: repository, ...(mode === undefined ? {} : { mode }) } });
  test.each<[string, () => Promise<string>, string]>([
    ["created", () => tagged("v1", "create"), "pass"],
    ["created with a message", () => tagged("v2", "create"), "pass"],
    ["not created", () => tagged("v3", "create"), "fail record_missing"],
    ["a branch is no tag", () => tagged("main", "create"), "fail record_missing"],
    ["deleted", () => tagged("v3", "delete"), "pass"],
    ["not deleted", () => tagged("v1", "delete"), "fail record_present"],
    ["no mode is a list", () => tagged("v1"), "doubt"],
  ])("%s", async (_, run, expected) => expect(await run()).toBe(expected));
});

describe("as a program", () => {
  const env = { GIT_MCP_REPOSITORY: repository };
  const fields = (id: string) => ({ commit: id, message, arguments: { message, path: repository } });
  test("PASS, FAIL and doubt", () => {
    expect(verdict("git", "git_commit", fields(first))).toBe("pass");
    expect(verdict("git", "git_commit", { ...fields(first), arguments: { message } }, env)).toBe("pass");
    expect(verdict("git", "git_commit", fields(undone))).toBe("fail record_missing");
    expect(verdict("git", "git_commit", fields("HEAD"))).toBe("doubt");
    expect(verdict("git", "git_push", fields(first))).toBe("doubt");
    expect(verdict("git", "git_commit", "[")).toBe("doubt");
  });
});
