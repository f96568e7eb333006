import { expect, test } from "vitest";
import { sourcePath, sourceUri } from "../../src/report/source-path.ts";

const at = (cwd: string | undefined, env: Record<string, string> = {}) => ({ color: false, env, ...(cwd && { cwd }) });

test.each([
  ["a relative path", "ci/scan.jsonc", at("/repo"), "ci/scan.jsonc"],
  ["dots within", "./ci/../ci/./scan.jsonc", at("/repo"), "ci/scan.jsonc"],
  ["a path below the folder that we run in", "/repo/ci/scan.jsonc", at("/repo"), "ci/scan.jsonc"],
  [
    "a folder of the repository, in GitHub Actions",
    "scan.jsonc",
    at("/r/ci", { GITHUB_WORKSPACE: "/r" }),
    "ci/scan.jsonc",
  ],
  ["a folder of the repository, in GitLab", "../x/scan.jsonc", at("/r/ci", { CI_PROJECT_DIR: "/r" }), "x/scan.jsonc"],
  [
    "PWD, where nobody says better",
    "scan.jsonc",
    at(undefined, { PWD: "/r/ci", GITHUB_WORKSPACE: "/r" }),
    "ci/scan.jsonc",
  ],
  ["a Windows path", "C:\\repo\\ci\\scan.jsonc", at("C:\\repo"), "ci/scan.jsonc"],
  ["backslashes", "ci\\scan.jsonc", at(undefined), "ci/scan.jsonc"],
  ["a file elsewhere: no path of this machine", "/home/somebody/scan.jsonc", at("/repo"), "scan.jsonc"],
  ["a file above", "../../scan.jsonc", at("/repo"), "scan.jsonc"],
  ["a folder with a name that only begins alike", "/repository/scan.jsonc", at("/repo"), "scan.jsonc"],
  ["nothing at all", "", at("/repo"), "unknown"],
])("%s", (_what, file, context, expected) => {
  expect(sourcePath(file, context)).toBe(expected);
});

test("a URI has what a name must not have in it encoded", () => {
  expect(sourceUri("my folder/a:b#c?d%e/é.jsonc", at(undefined))).toBe("my%20folder/a%3Ab%23c%3Fd%25e/%C3%A9.jsonc");
});
