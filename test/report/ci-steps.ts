// Runs the shell of the CI examples as the services would: the steps of a workflow, of the composite action in it, of a GitLab job.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parse } from "yaml";

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The workspace that it ran in. */
  readonly folder: string;
}

interface Step {
  readonly run?: string;
  readonly uses?: string;
  readonly env?: Record<string, string>;
  readonly with?: Record<string, string>;
}

/** A workspace that has the project as a fresh checkout after its build. */
export function workspace(): string {
  const folder = mkdtempSync(join(tmpdir(), "fourgate-ci-"));
  for (const name of ["action.yml", "dist", "examples", "node_modules", "package.json"]) {
    symlinkSync(resolve(name), join(folder, name));
  }
  return folder;
}

/** A minimal environment, as a runner's: nothing of ours gets in. */
const base = (folder: string): Record<string, string> => ({
  PATH: process.env.PATH!,
  HOME: folder,
  CI: "true",
  LANG: "C.UTF-8",
});

/** The job of a workflow: `run` steps, and the steps of the action where it is `./`; other actions are not ours to run. */
export function runWorkflow(
  workflow: string,
  job: string,
  variables: Record<string, string>,
): Ran & { summary: string } {
  const folder = workspace();
  const temp = join(folder, "..temp");
  mkdirSync(temp);
  const files = {
    GITHUB_ENV: join(temp, "env"),
    GITHUB_STEP_SUMMARY: join(temp, "summary"),
    GITHUB_OUTPUT: join(temp, "output"),
  };
  for (const file of Object.values(files)) writeFileSync(file, "");
  const { steps, env = {} } = parse(readFileSync(workflow, "utf8")).jobs[job];
  const common: Record<string, string> = {
    ...base(folder),
    ...files,
    GITHUB_ACTIONS: "true",
    GITHUB_WORKSPACE: folder,
    RUNNER_TEMP: temp,
    ...env,
    ...variables,
  };
  const ran = { code: 0, stdout: "", stderr: "", folder, summary: "" };
  const runAll = (list: readonly Step[], filled: (text: string) => string, more: Record<string, string>): void => {
    for (const step of list) {
      if (ran.code !== 0) return;
      if (step.uses === "./") {
        const action = parse(readFileSync("action.yml", "utf8"));
        const inputs: Record<string, string> = {};
        for (const [name, input] of Object.entries<{ default?: string; required?: boolean }>(action.inputs)) {
          const given = step.with?.[name] ?? input.default;
          if (given === undefined) throw new Error(`the action needs ${name}`);
          inputs[name] = given;
        }
        for (const name of Object.keys(step.with ?? {})) {
          if (!(name in inputs)) throw new Error(`the action has no input ${name}`);
        }
        const fill = (text: string) => text.replace(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_all, name) => inputs[name]!);
        runAll(action.runs.steps, fill, { ...more, GITHUB_ACTION_PATH: folder });
      } else if (step.run !== undefined) {
        const told = readFileSync(files.GITHUB_ENV, "utf8")
          .split("\n")
          .filter((line) => line.includes("="));
        const later = Object.fromEntries(
          told.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
        );
        const own = Object.fromEntries(Object.entries(step.env ?? {}).map(([name, value]) => [name, filled(value)]));
        if (filled(step.run) !== step.run) throw new Error("an input stands in the shell itself; it could be commands");
        const script = join(temp, "step.sh");
        writeFileSync(script, step.run);
        // As the runner calls it for `shell: bash`.
        const run = spawnSync("bash", ["--noprofile", "--norc", "-eo", "pipefail", script], {
          cwd: folder,
          env: { ...common, ...later, ...more, ...own },
          encoding: "utf8",
          timeout: 60_000,
        });
        ran.code = run.status ?? 255;
        ran.stdout += run.stdout;
        ran.stderr += run.stderr;
      }
    }
  };
  runAll(steps, (text) => text, {});
  return { ...ran, summary: readFileSync(files.GITHUB_STEP_SUMMARY, "utf8") };
}

/** A GitLab job: `before_script` and `script` in one shell, variables filled in beforehand. */
export function runGitlabJob(file: string, job: string, variables: Record<string, string>): Ran {
  const folder = workspace();
  const { before_script = [], script, variables: own } = parse(readFileSync(file, "utf8"))[job];
  const filled = Object.fromEntries(
    Object.entries<string>(own).map(([name, value]) => [name, value.replaceAll("$CI_PROJECT_DIR", folder)]),
  );
  const env = { ...base(folder), GITLAB_CI: "true", CI_PROJECT_DIR: folder, ...filled, ...variables };
  return shell(["bash", "-eo", "pipefail", "-c", [...before_script, ...script].join("\n")], folder, env);
}

/** A script of the project. */
export function runScript(file: string, variables: Record<string, string>): Ran {
  const folder = workspace();
  return shell(["sh", file], folder, { ...base(folder), ...variables });
}

function shell([program, ...args]: string[], folder: string, env: Record<string, string>): Ran {
  const run = spawnSync(program!, args, { cwd: folder, env, encoding: "utf8", timeout: 60_000 });
  return { code: run.status ?? 255, stdout: run.stdout, stderr: run.stderr, folder };
}

/** All shell in a document's `run`, `script` and `before_script`. */
export function shellIn(file: string): string[] {
  const found: string[] = [];
  const look = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, member] of Object.entries(value)) {
      if (key === "run" && typeof member === "string") found.push(member);
      else if ((key === "script" || key === "before_script") && Array.isArray(member)) found.push(member.join("\n"));
      else look(member);
    }
  };
  look(parse(readFileSync(file, "utf8")));
  return found;
}
