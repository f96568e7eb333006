// Runs the official conformance suites against a server behind the bridge of test/fixtures/conformance, with or without the guard.

import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import { node, scratch } from "./harness.ts";
import { testPackage } from "./sdk.ts";

export type Era = "legacy" | "modern";

/** Scenarios in order, each check as `id status`. */
export type Report = Record<string, string[]>;

const NODE_22 = testPackage("node-22", "bin/node");
export const suites = {
  "0.1.13": [node, testPackage("conformance-0.1", "dist/index.js")],
  "0.2.0": [NODE_22, testPackage("conformance-0.2", "dist/index.js")],
};

/** The server of the suite's wishes in one file, which starts in half the time. */
export async function conformanceServer(): Promise<string> {
  const outfile = join(scratch(), "server.mjs");
  await build({
    entryPoints: [resolve("test/fixtures/conformance/server.mjs")],
    bundle: true,
    minify: true,
    platform: "node",
    format: "esm",
    target: "node20",
    outfile,
    logLevel: "warning",
  });
  return outfile;
}

/** Runs a suite's server scenarios and gives what each check came to. */
export async function serverReport(
  suite: keyof typeof suites,
  flags: readonly string[],
  era: Era,
  command: readonly string[],
): Promise<Report> {
  const bridge = spawn(node, [resolve("test/fixtures/conformance/bridge.mjs"), era, ...command], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  try {
    const port = await new Promise<string>((got) => createInterface({ input: bridge.stdout }).once("line", got));
    return await report(suite, ["server", "--url", `http://127.0.0.1:${port}/mcp`, ...flags]);
  } finally {
    const ended = new Promise((done) => bridge.on("exit", done));
    bridge.stdin.end();
    await ended;
  }
}

/** Runs a client scenario with our client, and with the command of a guard between it and the suite's server. */
export function clientReport(suite: keyof typeof suites, scenario: string, guard: readonly string[]): Promise<Report> {
  const command = [node, resolve("test/fixtures/conformance/client.mjs"), ...guard].join(" ");
  return report(suite, ["client", "--scenario", scenario, "--command", command]);
}

/** Runs a suite and gives what each check came to. */
export async function report(suite: keyof typeof suites, args: readonly string[]): Promise<Report> {
  const output = scratch();
  const [program, ...first] = suites[suite] as [string, ...string[]];
  const run = spawn(program, [...first, ...args, "--output-dir", output], { stdio: "ignore", cwd: output });
  await new Promise((done) => run.on("exit", done));
  const found: [string, string[]][] = readdirSync(output).map((folder) => {
    const checks = JSON.parse(readFileSync(join(output, folder, "checks.json"), "utf8"));
    const scenario = /^(?:server-)?(.*?)-\d{4}-\d\d-\d\dT/.exec(folder)?.[1] ?? folder;
    // INFO tells which HTTP requests came, in an order that is left to chance.
    const told = checks.filter(({ status }: { status: string }) => status !== "INFO");
    return [scenario, told.map(({ id, status }: { id: string; status: string }) => `${id} ${status}`)];
  });
  return Object.fromEntries(found);
}

/** The scenarios with a check that failed. */
export const failing = (report: Report) =>
  Object.keys(report)
    .filter((scenario) => report[scenario]!.some((check) => check.endsWith(" FAILURE")))
    .sort();
