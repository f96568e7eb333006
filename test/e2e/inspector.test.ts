// MCP Inspector's command line prints the same through the guard as without it, and shows a verdict in either of its shapes.

import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { contractFor, FAILS, MAIN, node, PASSES, scratch } from "./harness.ts";
import { outcomesIn } from "./outcomes.ts";
import { EVERYTHING, testPackage } from "./sdk.ts";

const INSPECTOR = testPackage("@modelcontextprotocol/inspector", "cli/build/cli.js");
const server = [node, EVERYTHING];

const call = (tool: string, ...args: string[]) => [
  ...["--method", "tools/call", "--tool-name", tool],
  ...args.flatMap((arg) => ["--tool-arg", arg]),
];

const requests: Record<string, string[]> = {
  "tools/list": ["--method", "tools/list"],
  "tools/call": call("echo", "message=Tea \u{1f375}"),
  "tools/call with structured content": call("get-structured-content", "location=Chicago"),
  "tools/call that is refused": call("echo"),
  "resources/read": ["--method", "resources/read", "--uri", "demo://resource/static/document/features.md"],
  "prompts/get": ["--method", "prompts/get", "--prompt-name", "args-prompt", "--prompt-args", "city=Leeds"],
};

interface Printed {
  readonly out: string;
  readonly err: string;
  readonly code: number | null;
}

/** Runs Inspector on a server command. It takes no options of that command's own, so a script stands for the command. */
function inspect(command: readonly string[], args: readonly string[]): Promise<Printed> {
  const script = join(scratch(), "server.sh");
  writeFileSync(script, `exec ${command.map((part) => `'${part}'`).join(" ")} 2>/dev/null\n`);
  const child = spawn(node, [INSPECTOR, "--cli", "sh", script, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  const said = { out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said.out += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said.err += text;
  });
  return new Promise((done) => {
    child.on("close", (code) => done({ ...said, code }));
  });
}

/** A guard for the tools called here, which checks an argument of each. */
function guarded(verifier: readonly string[], flags: readonly string[]) {
  const directory = scratch();
  const contract = join(directory, "contract.json");
  const log = join(directory, "outcomes.jsonl");
  const more = { extract: { kind: { source: "result", path: "result.content.0.type" } }, record_id_field: "kind" };
  writeFileSync(contract, JSON.stringify(contractFor(verifier, more, ["echo", "get-structured-content"])));
  return { log, command: [node, MAIN, "guard", "--contracts", contract, "--log", log, ...flags, ...server] };
}

describe("MCP Inspector prints the same", () => {
  test.each(Object.entries(requests))(
    "for %s, without the guard, in shadow mode and in enforce mode",
    async (name, args) => {
      const shadow = guarded(PASSES, ["--mode", "shadow"]);
      const enforce = guarded(PASSES, ["--mode", "enforce"]);
      const [direct, ...others] = await Promise.all(
        [server, shadow.command, enforce.command].map((command) => inspect(command, args)),
      );
      expect(direct).toMatchObject({ code: 0, out: expect.stringMatching(/^\{[\s\S]{40,}\}$/) });
      for (const printed of others) expect(printed).toEqual(direct);
      const called = name.startsWith("tools/call");
      for (const { log } of [shadow, enforce]) expect(outcomesIn(log)).toHaveLength(called ? 1 : 0);
    },
  );
});

test.each(["prepend", "error"])("MCP Inspector shows a verdict in the shape %s", async (surface) => {
  const { command, log } = guarded(FAILS, ["--mode", "enforce", "--surface", surface]);
  const { out, code } = await inspect(command, requests["tools/call with structured content"]!);
  const result = JSON.parse(out);
  expect(code).toBe(0);
  expect(result.content[0].text).toMatch(/^\[FOURGATE\] \{"kind":"outcome_failed"/);
  expect(result.content[1].text).toContain("temperature");
  expect(result.isError === true).toBe(surface === "error");
  expect(result.structuredContent === undefined).toBe(surface === "error");
  expect(outcomesIn(log)).toEqual(["get-structured-content fail/record_missing"]);
});
