// The checks, one a tool: each takes the extracted fields and the repository, and gives fourgate's reply object, or throws when it cannot tell.

const pass = { status: "pass" };
const missing = { status: "fail", reason_code: "record_missing" };
const mismatch = { status: "fail", reason_code: "field_mismatch" };
const present = { status: "fail", reason_code: "record_present" };

export const checks = new Map([
  ["git_commit", checkCommit],
  ["git_branch", checkBranch],
  ["git_tag", checkTag],
]);

/** PASS: the commit that the answer names is there, something holds it, and its message begins with that of the call. */
async function checkCommit({ commit, message }, repository) {
  if (typeof commit !== "string" || !/^[0-9a-f]{40,64}$/.test(commit)) throw new Error("the answer names no commit");
  const stored = await repository.commitMessage(commit);
  if (stored === undefined || !(await repository.isHeld(commit))) {
    // The id of a commit tells it everywhere, so one that is there may pass; one that is not may be in another repository.
    if (!repository.certain) throw new Error("it is not there, and the server may work in another repository");
    return missing;
  }
  const wanted = cleaned(message);
  if (wanted === "") throw new Error("the message is empty once git has cleaned it");
  // Hooks may add lines at the end, like Signed-off-by.
  return `${cleaned(stored)}\n`.startsWith(`${wanted}\n`) ? pass : mismatch;
}

/** PASS: the branch is there, is gone, or has its new name, as the call asked. */
async function checkBranch({ branch, arguments: call }, repository) {
  needsPath(repository);
  const ref = `refs/heads/${nameOf(branch)}`;
  switch (call.mode) {
    case "create":
      return (await repository.hasRef(ref)) ? pass : missing;
    case "delete":
      return gone(ref, repository);
    case "rename": {
      if (!(await repository.hasRef(`refs/heads/${nameOf(call.newBranchName)}`))) return missing;
      return (await repository.hasRef(ref)) && branch !== call.newBranchName ? mismatch : pass;
    }
    default:
      throw new Error("the call writes nothing");
  }
}

/** PASS: the tag is there, or is gone, as the call asked. */
async function checkTag({ tag, arguments: call }, repository) {
  needsPath(repository);
  const ref = `refs/tags/${nameOf(tag)}`;
  if (call.mode === "create") return (await repository.hasRef(ref)) ? pass : missing;
  if (call.mode === "delete") return gone(ref, repository);
  throw new Error("the call writes nothing");
}

/** Names are alike in many repositories: without knowing which one is meant they prove nothing. */
function needsPath({ certain }) {
  if (!certain) throw new Error("the call has no absolute path, and the server may work in another repository");
}

async function gone(ref, repository) {
  return (await repository.hasRef(ref)) ? present : pass;
}

/** What git would refuse as a name, or take for a pattern, is not looked for. */
function nameOf(name) {
  if (typeof name !== "string" || name === "" || /[\s~^:?*[\\\p{Cc}]/u.test(name) || /^[-/]|\.\.|\/$/.test(name)) {
    throw new Error("the call has no name that git takes");
  }
  return name;
}

/** As git cleans a message: no blanks at line ends, no more than one empty line, no comments (which it keeps unless told otherwise). */
function cleaned(message) {
  if (typeof message !== "string") throw new Error("the message is not text");
  const lines = message
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line) => !line.startsWith("#"));
  return lines
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
