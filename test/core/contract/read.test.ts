// What a contract means once it is read, and that no input makes reading fail otherwise than with issues.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { goodContract, linesOf, read } from "./reading.ts";

async function contractOf(content: string, name?: string) {
  const result = await read(content, name);
  if (!result.ok) throw new Error(result.issues.map((issue) => `${issue.place}: ${issue.message}`).join("\n"));
  return result.contract;
}

async function verifierOf(verifier: Record<string, unknown>) {
  const good = goodContract();
  Object.assign(good.tools.create_issue!.verifier as object, verifier);
  return (await contractOf(JSON.stringify(good))).tools.get("create_issue")!.verifier!;
}

describe("a good contract", () => {
  test("is given out with its paths parsed and its directory made absolute", async () => {
    const tool = (await contractOf(JSON.stringify(goodContract()))).tools.get("create_issue")!;
    expect(tool).toMatchObject({ tool: "create_issue", recordIdField: "id", recovery: "ask_user" });
    expect(tool.extract.get("title")).toEqual({ source: "arguments", path: [{ type: "key", name: "title" }] });
    expect([...tool.allowedFailureReasons]).toEqual(["record_missing", "field_mismatch"]);
    expect(tool.verifier).toEqual({
      command: ["/bin/node", "check.mjs"],
      cwd: "/home/user/checks",
      timeoutMs: 1500,
      secretEnv: ["B", "A"],
      env: undefined,
      prewarm: 0,
    });
  });

  test("has defaults for what it leaves out", async () => {
    const good = goodContract();
    const tool = good.tools.create_issue!;
    tool.verifier = { command: ["x"], timeout_ms: 1 };
    for (const key of ["recovery", "record_id_field"]) delete tool[key];
    const read = (await contractOf(JSON.stringify(good))).tools.get("create_issue")!;
    expect(read).toMatchObject({ recordIdField: undefined, recovery: "stop" });
    expect(read.verifier).toMatchObject({ cwd: undefined, secretEnv: [], env: undefined, prewarm: 0 });
  });

  test("may give a verifier no variable at all", async () => {
    expect(await verifierOf({ env: [] })).toMatchObject({ env: [] });
  });

  test("has placeholders as whole parts of a command only", async () => {
    const command = ["{fourgate}", "verify", "{python}", "--with={node}", "{other}"];
    expect((await verifierOf({ command })).command).toEqual([
      "/bin/node",
      "/lib/main.cjs",
      "verify",
      "python3",
      "--with={node}",
      "{other}",
    ]);
  });

  test("that names the Python HTTP verifier gets the bundled one", async () => {
    const command = ["{python}", "-m", "fourgate.verify_http", "readback.json"];
    expect((await verifierOf({ command })).command).toEqual(["/bin/node", "/lib/main.cjs", "verify", "readback.json"]);
  });

  test("may protect tools that are named like parts of a JavaScript object", async () => {
    const tool = JSON.stringify(goodContract().tools.create_issue);
    const contract = await contractOf(`{"contract_version":1,"tools":{"__proto__":${tool},"constructor":${tool}}}`);
    expect([...contract.tools.keys()]).toEqual(["__proto__", "constructor"]);
  });
});

describe("the canonical text", () => {
  const textOf = async (content: string, name?: string) => (await contractOf(content, name)).canonicalText;
  /** A good contract with some members of its tool set anew; undefined takes one out. */
  const withTool = (members: object) => {
    const good = goodContract();
    Object.assign(good.tools.create_issue!, members);
    return JSON.stringify(good);
  };
  const withVerifier = (members: object) =>
    withTool({ verifier: { ...(goodContract().tools.create_issue!.verifier as object), ...members } });

  test("does not change with order, spelling, format or written-out defaults", async () => {
    const one = await textOf(JSON.stringify(goodContract()));
    const tool = goodContract().tools.create_issue!;
    const reordered = {
      tools: {
        create_issue: {
          ...Object.fromEntries(Object.entries(tool).reverse()),
          allowed_failure_reasons: ["field_mismatch", "record_missing"],
          extract: {
            title: { path: "$['title']", source: "arguments" },
            id: { path: "$.result.structuredContent.id", source: "result" },
          },
          verifier: { ...(tool.verifier as object), secret_env: ["A", "B"] },
        },
      },
      draft: false,
      contract_version: 1,
    };
    expect(await textOf(JSON.stringify(reordered))).toBe(one);
    expect(await textOf(JSON.stringify(goodContract()), "contract.yaml")).toBe(one);
    expect(await textOf(`// a comment\n${JSON.stringify(goodContract(), null, 4)}`, "contract.jsonc")).toBe(one);
    expect(await textOf(withTool({ recovery: undefined }))).toBe(await textOf(withTool({ recovery: "stop" })));
  });

  test.each([
    ["recovery", withTool({ recovery: "stop" })],
    ["a reason", withTool({ allowed_failure_reasons: ["record_missing"] })],
    ["the record id", withTool({ record_id_field: undefined })],
    ["a path", withTool({ extract: { id: { source: "arguments", path: "id" } } })],
    ["the time limit", withVerifier({ timeout_ms: 1501 })],
    ["the command", withVerifier({ command: ["{node}", "other.mjs"] })],
    ["the directory", withVerifier({ cwd: "." })],
    ["a secret", withVerifier({ secret_env: ["A"] })],
    ["a variable", withVerifier({ env: ["PATH"] })],
    ["processes started ahead", withVerifier({ prewarm: 1 })],
  ])("changes with %s", async (_, content) => {
    expect(await textOf(content)).not.toBe(await textOf(JSON.stringify(goodContract())));
  });

  test("does not depend on the order of tools, whatever their names", async () => {
    const tool = goodContract().tools.create_issue;
    const withTools = (names: string[]) =>
      `{"contract_version":1,"tools":{${names.map((name) => `${JSON.stringify(name)}:${JSON.stringify(tool)}`).join(",")}}}`;
    const names = ["b", "10", "__proto__", "9", "a", "é"];
    const text = await textOf(withTools(names));
    expect(await textOf(withTools(names.reverse()))).toBe(text);
    for (const name of names) expect(text).toContain(`${JSON.stringify(name)}:{`);
  });

  test("holds nothing of the machine", async () => {
    expect(await textOf(JSON.stringify(goodContract()))).not.toMatch(/\/home|\/bin|\/lib/);
  });
});

describe("any input gives a contract or issues", () => {
  const names = fc.constantFrom("c.json", "c.jsonc", "c.yaml");
  const sane = async (content: string | Uint8Array, name: string) => {
    const result = await read(content, name);
    if (result.ok) return;
    expect(result.issues.length).toBeGreaterThan(0);
    let before = [0, 0];
    for (const issue of result.issues) {
      expect(issue.message).not.toBe("");
      if (issue.line === undefined || issue.column === undefined) continue;
      expect(issue.line > before[0]! || (issue.line === before[0] && issue.column >= before[1]!)).toBe(true);
      before = [issue.line, issue.column];
    }
  };

  test("whatever the bytes", () => fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), names, sane)));

  test("whatever the text", () =>
    fc.assert(fc.asyncProperty(fc.string({ unit: "binary", maxLength: 200 }), names, sane)));

  test("whatever the JSON", () => fc.assert(fc.asyncProperty(fc.json({ noUnicodeString: false }), names, sane)));

  test("whatever single value of a good contract is replaced", () => {
    const places: [string[], unknown][] = [];
    const collect = (value: unknown, way: string[]) => {
      places.push([way, value]);
      if (typeof value === "object" && value !== null) {
        for (const [key, member] of Object.entries(value)) collect(member, [...way, key]);
      }
    };
    collect(goodContract(), []);
    return fc.assert(
      fc.asyncProperty(fc.constantFrom(...places), fc.jsonValue({ maxDepth: 2 }), names, async ([way], value, name) => {
        const root = { root: goodContract() as unknown };
        let target = root as Record<string, unknown>;
        for (const key of ["root", ...way].slice(0, -1)) target = target[key] as Record<string, unknown>;
        target[way.at(-1) ?? "root"] = value;
        await sane(JSON.stringify(root.root), name);
      }),
      { numRuns: 400 },
    );
  });

  test("wherever a good contract is cut off", async () => {
    const text = JSON.stringify(goodContract());
    for (let end = 0; end < text.length; end += 7) expect(await linesOf(text.slice(0, end))).not.toEqual([]);
  });
});

describe("a hostile file is refused in good time", () => {
  const deep = 100_000;
  test.each([
    ["lists", "c.json", "[".repeat(deep)],
    ["objects", "c.json", '{"a":'.repeat(deep)],
    ["YAML in one line", "c.yaml", "[".repeat(deep)],
    ["YAML blocks", "c.yaml", "- ".repeat(deep)],
  ])("nested 100,000 deep: %s", async (_, name, text) => {
    expect(await linesOf(text, name)).toEqual([
      expect.stringMatching(/^c\.\w+:1:\d+: nested more than 64 levels deep/),
    ]);
  });

  test("with 20,000 wrong keys shows the first 200 and counts the rest", async () => {
    const keys = Array.from({ length: 20_000 }, (_, index) => `"k${index}": 1`);
    const lines = await linesOf(`{${keys.join(",")}}`);
    expect(lines).toHaveLength(201);
    expect(lines.at(-1)).toBe("contract.json: 19802 more problems are not shown; mend these first");
  });

  test("with aliases by the ten thousand is converted in one walk", async () => {
    const lines = await linesOf(`contract_version: &a 1\ntools: [${"*a,".repeat(20_000)}]\n`, "c.yaml");
    expect(lines).toEqual([expect.stringContaining("tools: is a list")]);
  });
});
