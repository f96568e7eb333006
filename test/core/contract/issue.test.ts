// How a problem is shown: its place, names that could garble a terminal, and near names.

import { describe, expect, test } from "vitest";
import { formatIssue, placeName, showName, toIssues } from "../../../src/core/contract/issue.ts";
import { nearestName } from "../../../src/core/contract/nearest.ts";

const issue = { file: "/home/u/contract.json", place: "tools", code: "x", message: "is missing" };

test.each([
  ["file, line, column and place", { ...issue, line: 3, column: 5 }, "/home/u/contract.json:3:5: tools: is missing"],
  ["a file that could not be read", { ...issue, place: "" }, "/home/u/contract.json: is missing"],
  ["a file name with an escape sequence", { ...issue, file: "a\u001b[2J", place: "" }, "a\\u001b[2J: is missing"],
])("a line begins with %s", (_, shown, line) => {
  expect(formatIssue(shown)).toBe(line);
});

test.each([
  [["tools", "send-email", "verifier", "timeout_ms"], 'tools["send-email"].verifier.timeout_ms'],
  [["tools", "create", "extract", "id", "source"], 'tools["create"].extract["id"].source'],
  [["tools", "t", "verifier", "command", 2], 'tools["t"].verifier.command[2]'],
  [["tools", 'a"b\\', "x y"], 'tools["a\\"b\\\\"]["x y"]'],
  [[], ""],
])("a place is named as a person would write it: %j", (steps, name) => {
  expect(placeName(steps)).toBe(name);
});

test.each([
  ["control characters", "a\u0000\u001b[31m\u009b", '"a\\u0000\\u001b[31m\\u009b"'],
  ["marks that turn the reading direction", "a\u202eb\u2066", '"a\\u202eb\\u2066"'],
  ["half a character", "a\ud83d", '"a\\ud83d"'],
  ["more than 80 characters", "n".repeat(200), `"${"n".repeat(80)}…"`],
  ["a whole wide character", "\u{1F600}", '"\u{1F600}"'],
])("a name is shown with %s made harmless", (_, name, shown) => {
  expect(showName(name)).toBe(shown);
});

test("problems come in the order of the file, each once", () => {
  const position = (offset: number) => ({ line: 1, column: offset + 1 });
  const finding = (at: number, code: string) => ({ at, code, message: code, steps: ["tools"] });
  const issues = toIssues("f", [finding(9, "b"), finding(2, "a"), finding(9, "b")], position);
  expect(issues.map(({ code, column }) => [code, column])).toEqual([
    ["a", 3],
    ["b", 10],
  ]);
});

describe("a near name is offered", () => {
  const known = ["extract", "verifier", "cwd", "env", "timeout_ms", "secret_env"];
  test.each([
    ["extrat", "extract"],
    ["verfiier", "verifier"],
    ["Verifier", "verifier"],
    ["timeoutMs", "timeout_ms"],
    ["timeout", "timeout_ms"],
    ["secret-env", "secret_env"],
    ["cdw", "cwd"],
  ])("%s: %s", (name, nearest) => {
    expect(nearestName(name, known)).toBe(nearest);
  });

  test.each(["description", "shell", "x", "", "verify_http", "dir", "environment"])(
    "but nothing far-fetched: %s",
    (name) => {
      expect(nearestName(name, known)).toBeUndefined();
    },
  );
});
