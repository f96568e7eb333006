// Both shapes of a verdict at the published clients of both SDK generations, which check results against a tool's
// `outputSchema` and refuse what does not fit.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { contractFor, FAILS, MAIN, node, scratch } from "./harness.ts";
import { published } from "./published.ts";
import { EVERYTHING, generations, sdkClient } from "./sdk.ts";

interface Case {
  readonly server: (root: string) => string[];
  readonly tool: string;
  readonly args: (root: string) => Record<string, unknown>;
  readonly field: string;
  readonly structured: boolean;
}

const cases: readonly (readonly [string, Case])[] = [
  [
    "a tool with an outputSchema",
    {
      server: (root) => [node, published("server-filesystem"), root],
      tool: "write_file",
      args: (root) => ({ path: join(root, "a.txt"), content: "x" }),
      field: "path",
      structured: true,
    },
  ],
  [
    "a tool without one",
    {
      server: () => [node, EVERYTHING],
      tool: "echo",
      args: () => ({ message: "hello" }),
      field: "message",
      structured: false,
    },
  ],
];

describe.each(generations)("the client of %s", (generation) => {
  test.each(cases.flatMap(([what, one]) => ["prepend", "error"].map((surface) => [surface, what, one] as const)))(
    "%s: %s",
    async (surface, _what, { server, tool, args, field, structured }) => {
      const root = join(scratch(), "root");
      mkdirSync(root);
      const contract = join(scratch(), "contract.json");
      const extract = { [field]: { source: "arguments", path: field } };
      writeFileSync(contract, JSON.stringify(contractFor(FAILS, { extract, record_id_field: field }, [tool])));
      const client = await sdkClient(generation);
      const flags = ["--contracts", contract, "--mode", "enforce", "--surface", surface];
      await client.connect([node, MAIN, "guard", ...flags, "--", ...server(root)], { PATH: process.env.PATH ?? "" });
      try {
        const { tools } = await client.client.listTools();
        expect(tools.find(({ name }) => name === tool)?.outputSchema !== undefined).toBe(structured);
        // A client that finds fault with the shape throws.
        const result = await client.call(tool, args(root));
        expect(result.content[0].text).toMatch(/^\[FOURGATE\] \{"kind":"outcome_failed"/);
        expect(result.isError ?? false).toBe(surface === "error");
        expect(result.structuredContent !== undefined).toBe(structured && surface === "prepend");
        expect(result.content[0].text.includes("The tool itself had answered: ")).toBe(surface === "error");
        expect(result.content.length).toBeGreaterThan(1);
      } finally {
        await client.client.close();
      }
    },
  );
});
