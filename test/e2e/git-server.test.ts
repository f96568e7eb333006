// The published git server behind the built guard, with the ready contract: honest, and untruthful in both directions.

import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { scratch } from "./harness.ts";
import { play, type Setup, type ToolCall } from "./published.ts";
import { untruthful } from "./untruthful.ts";

let home: string;
let path: string;
const git = (...args: string[]) =>
  execFileSync("git", ["-C", path, ...args], { encoding: "utf8", env: { PATH: process.env.PATH, HOME: home } }).trim();

beforeEach(() => {
  home = scratch();
  path = join(home, "repo");
  execFileSync("git", ["init", "-q", "-b", "main", path], { env: { PATH: process.env.PATH, HOME: home } });
  git("config", "user.name", "n");
  git("config", "user.email", "n@example.org");
  writeFileSync(join(path, "f"), "1");
});

const setup = (): Setup => ({
  contract: "git",
  mode: "enforce",
  server: [resolve("node_modules/@cyanheads/git-mcp-server/dist/index.js")],
  env: { HOME: home, GIT_SIGN_COMMITS: "false", GIT_MCP_REPOSITORY: path },
});

test("honest commits, branches and tags pass", async () => {
  const calls: ToolCall[] = [
    ["git_commit", { path, message: "SENTINEL “é”\n\n\n\nbody  \n", filesToStage: ["f"] }],
    ["git_branch", { path, mode: "create", branchName: "feature/x" }],
    ["git_branch", { path, mode: "rename", branchName: "feature/x", newBranchName: "feature/y" }],
    ["git_tag", { path, mode: "create", tagName: "v1", message: "first" }],
    ["git_branch", { path, mode: "delete", branchName: "feature/y" }],
    ["git_tag", { path, mode: "delete", tagName: "v1" }],
    ["git_commit", { path, message: "nothing is staged" }],
    ["git_branch", { path, mode: "list" }],
  ];
  const { outcomes, results, logText } = await play(setup(), calls);
  expect(outcomes).toEqual([
    "git_commit pass/postcondition_satisfied",
    "git_branch pass/postcondition_satisfied",
    "git_branch pass/postcondition_satisfied",
    "git_tag pass/postcondition_satisfied",
    "git_branch pass/postcondition_satisfied",
    "git_tag pass/postcondition_satisfied",
    "git_commit unknown/not_success_result",
    "git_branch unknown/success_without_record_id",
  ]);
  for (const { content } of results) expect(content[0]?.text).not.toContain("FOURGATE");
  expect(logText).not.toContain("SENTINEL");
});

test("what was only pretended is a FAIL", async () => {
  const commit = {
    success: true,
    commitHash: "0123456789abcdef0123456789abcdef01234567",
    message: "m",
    author: "n",
    timestamp: 1,
    filesChanged: 1,
    committedFiles: ["f"],
    signed: false,
    status: {
      current_branch: "main",
      staged_changes: {},
      unstaged_changes: {},
      untracked_files: [],
      conflicted_files: [],
      is_clean: true,
    },
  };
  const branch = { success: true, mode: "create", message: "Branch 'feature/x' created successfully." };
  const played = await Promise.all([
    play({ ...setup(), before: untruthful("pretends", "git_commit", JSON.stringify(commit), commit) }, [
      ["git_commit", { path, message: "m" }],
    ]),
    play({ ...setup(), before: untruthful("pretends", "git_branch", JSON.stringify(branch), branch) }, [
      ["git_branch", { path, mode: "create", branchName: "feature/x" }],
    ]),
  ]);
  expect(played.flatMap(({ outcomes }) => outcomes)).toEqual([
    "git_commit fail/record_missing",
    "git_branch fail/record_missing",
  ]);
});

test("commits that are undone behind the server's back are FAILs", async () => {
  git("add", "f");
  const undone = join(path, ".git", "refs");
  const { outcomes } = await play({ ...setup(), undone }, [["git_commit", { path, message: "m" }]]);
  expect(outcomes).toEqual(["git_commit fail/record_missing"]);
});

test("a commit that was made and reported as an error gives no verdict", async () => {
  git("add", "f");
  const before = untruthful("denies", "git_commit", "Error: index.lock exists");
  const { outcomes } = await play({ ...setup(), before }, [["git_commit", { path, message: "made" }]]);
  expect(git("log", "--format=%s")).toBe("made");
  expect(outcomes).toEqual(["git_commit unknown/not_success_result"]);
});
