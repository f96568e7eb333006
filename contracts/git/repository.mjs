// Asks git about one repository. Only plumbing that reads is run, so that no pager, hook or program out of a configuration comes into play.

import { execFile } from "node:child_process";
import { isAbsolute } from "node:path";

/**
 * The repository of a call: its `path` if that is absolute, else `usual` (GIT_MCP_REPOSITORY), which the server may have been told to leave. So
 * that `certain` says whether something that is not there proves anything. Throws when there is no repository.
 */
export async function openRepository(path, usual) {
  const certain = typeof path === "string" && isAbsolute(path);
  if (!certain && path !== undefined && path !== ".") throw new Error("the path of the call is relative");
  const directory = certain ? path : usual;
  if (!directory) throw new Error("the call has no path, and GIT_MCP_REPOSITORY is not set");
  if (!isAbsolute(directory)) throw new Error("GIT_MCP_REPOSITORY is not absolute");
  const git = (args, input = "") => run(directory, args, input);
  if ((await git(["rev-parse", "--git-dir"])).status !== 0)
    throw new Error("git finds no repository, or may not read it");

  return {
    certain,
    /** The message of a commit; undefined when there is no such commit. */
    async commitMessage(id) {
      const { status, stdout } = await git(["cat-file", "--batch"], `${id}\n`);
      if (status !== 0) throw new Error("git cat-file failed");
      const header = stdout.slice(0, stdout.indexOf("\n"));
      if (header.endsWith(" missing")) return undefined;
      if (!/^[0-9a-f]{40,64} commit [0-9]+$/.test(header)) throw new Error("what the answer names is no commit");
      const commit = stdout.slice(header.length + 1);
      return commit.slice(commit.indexOf("\n\n") + 2);
    },
    /** Whether a branch, a tag or a detached HEAD holds the commit; one that nothing holds has been undone. */
    async isHeld(id) {
      const { status } = await git(["merge-base", "--is-ancestor", id, "HEAD"]);
      if (status === 0) return true;
      const { status: listed, stdout } = await git(["for-each-ref", "--count=1", "--contains", id]);
      if (listed !== 0) throw new Error("git for-each-ref failed");
      return stdout !== "";
    },
    /** Whether there is a ref of exactly this name. */
    async hasRef(ref) {
      const { status, stdout } = await git(["for-each-ref", "--format=%(refname)", ref]);
      if (status !== 0) throw new Error("git for-each-ref failed");
      return stdout.split("\n").includes(ref);
    },
  };
}

/** Runs git and gives its exit status and stdout. Rejects when it cannot be run, or says too much. */
function run(directory, args, input) {
  const options = {
    env: { ...process.env, GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0", GIT_NO_LAZY_FETCH: "1" },
    maxBuffer: 4 * 1024 * 1024,
  };
  return new Promise((resolve, reject) => {
    const child = execFile("git", ["-C", directory, ...args], options, (error, stdout) => {
      if (error !== null && typeof error.code !== "number") reject(new Error("git cannot be run"));
      else resolve({ status: error?.code ?? 0, stdout });
    });
    child.stdin.on("error", () => {});
    child.stdin.end(input);
  });
}
