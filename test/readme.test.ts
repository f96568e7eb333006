// The README's configurations are run as they stand, with only its placeholder paths put right: what a user copies must work.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { describe, expect, test } from "vitest";
import { loadContract } from "../src/run/load-contract.ts";
import { scratch } from "./e2e/harness.ts";

interface ServerEntry {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Record<string, string>;
}

const ready = readdirSync("contracts", { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => `contracts/${name}`);
const examples = ["examples/servers/tickets", "verifiers"];
const pages = [
  "README.md",
  "CHANGELOG.md",
  "docs/quick-start.md",
  "docs/architecture.md",
  "contracts/README.md",
].concat([...ready, ...examples].map((folder) => `${folder}/README.md`));
const readme = readFileSync("README.md", "utf8");
const snippets = [...readme.matchAll(/^```json\n(.*?)^```/gms)].map((match) => match[1] ?? "");

test("the two commands and a configuration for Claude Code stand in the README", () => {
  expect(readme.split("\n").slice(0, 20).join("\n")).toMatch(/npm ci && npm run demo[\s\S]*npm ci && npm test/);
  expect(readme).toContain(".mcp.json");
  expect(snippets).toHaveLength(2);
});

describe.each(snippets.map((snippet, index) => [index + 1, snippet] as const))("configuration %i", (_, snippet) => {
  test("starts a guarded server whose protected tools are all there", async () => {
    const place = scratch();
    for (const directory of ["files", "logs"]) mkdirSync(join(place, directory));
    // npx finds the server among the project's own packages and asks no registry.
    const text = snippet.replaceAll("/path/to/fourgate", resolve(".")).replaceAll("/path/to", place);
    const { mcpServers } = JSON.parse(text) as { mcpServers: Record<string, ServerEntry> };
    for (const { command, args, env } of Object.values(mcpServers)) {
      const contract = args[args.indexOf("--contracts") + 1] ?? "";
      expect(existsSync(contract)).toBe(true);
      const transport = new StdioClientTransport({
        command,
        args: [...args],
        env: { ...env, npm_config_offline: "true" },
        stderr: "ignore",
      });
      const client = new Client({ name: "readme", version: "1" });
      await client.connect(transport);
      const { tools } = await client.listTools();
      await client.close();
      const protectedTools = [...readFileSync(contract, "utf8").matchAll(/"verify\.mjs", "(\w+)"/g)].map(
        (match) => match[1],
      );
      expect(protectedTools).toHaveLength(4);
      expect(tools.map((tool) => tool.name)).toEqual(expect.arrayContaining(protectedTools));
      expect(existsSync(join(place, "logs/outcomes.jsonl"))).toBe(true);
    }
  });
});

test("the contract in the quick start is a good one, and so are the ready contracts and the example", async () => {
  const snippet = /^```jsonc\n(.*?)^```/ms.exec(readFileSync("docs/quick-start.md", "utf8"))?.[1] ?? "";
  const file = join(scratch(), "contract.jsonc");
  writeFileSync(file, snippet);
  for (const contract of [file, ...[...ready, ...examples].map((folder) => join(folder, "contract.jsonc"))]) {
    expect(await loadContract(contract)).toMatchObject({ ok: true });
  }
});

test.each(ready)(
  "%s is in both tables, and its README names every tool and every variable of the contract",
  async (folder) => {
    const loaded = await loadContract(join(folder, "contract.jsonc"));
    if (!loaded.ok) throw new Error("not a good contract");
    const page = readFileSync(join(folder, "README.md"), "utf8");
    const row = readme.split("\n").find((line) => line.includes(`(${folder}/README.md)`)) ?? "";
    expect(readFileSync("contracts/README.md", "utf8")).toContain(`(${folder.slice("contracts/".length)}/README.md)`);
    for (const [name, { readback, verifier }] of loaded.contract.tools) {
      expect(row).toContain(`\`${name}\``);
      expect(page).toContain(`\`${name}\``);
      const variables = [...(readback?.credentials ?? []), ...(verifier?.secretEnv ?? []), ...(verifier?.env ?? [])];
      for (const variable of variables) expect(page).toContain(`\`${variable}\``);
    }
  },
);

test.each(pages)("every link in %s leads somewhere", (page) => {
  const links = [...readFileSync(page, "utf8").matchAll(/\]\(([^)#]+)\)/g)].map((match) => match[1] ?? "");
  const broken = links.filter((link) => !link.startsWith("https://") && !existsSync(join(dirname(page), link)));
  expect(broken).toEqual([]);
});
