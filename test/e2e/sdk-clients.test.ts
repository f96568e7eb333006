// The published clients of both SDK generations at server-everything: through the guard they see what they see without it.

import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { type Seen, walk, walked } from "./everything.ts";
import { MAIN, node, PASSES, processesMarked, scratch } from "./harness.ts";
import { outcomesIn, readLog } from "./outcomes.ts";
import { EVERYTHING, type Generation, generations, sdkClient, testPackage } from "./sdk.ts";

const server = [node, EVERYTHING];

/** A contract that checks the named arguments of each tool, with PASS. */
function contractIn(directory: string, tools: Record<string, readonly string[]>): string {
  const file = join(directory, "contract.json");
  const checked = Object.entries(tools).map(([tool, fields]) => [
    tool,
    {
      extract: Object.fromEntries(fields.map((name) => [name, { source: "arguments", path: name }])),
      verifier: { command: PASSES, timeout_ms: 2000 },
      allowed_failure_reasons: ["record_missing"],
    },
  ]);
  writeFileSync(file, JSON.stringify({ contract_version: 1, tools: Object.fromEntries(checked) }));
  return file;
}

function guarded(mode: string, directory: string, tools: Record<string, readonly string[]>, command = server) {
  const log = join(directory, "outcomes.jsonl");
  const flags = ["--contracts", contractIn(directory, tools), "--mode", mode, "--log", log];
  return { log, command: [node, MAIN, "guard", ...flags, "--", ...command] };
}

/** Waits until no process of the test is left, which the client does not. */
async function gone(mark: string): Promise<void> {
  while (processesMarked(mark).length > 0) await new Promise((look) => setTimeout(look, 20));
}

const marked = () => {
  const mark = `mark-${Math.random().toString(36).slice(2)}`;
  return { mark, env: { FOURGATE_TEST_MARK: mark, PATH: process.env.PATH ?? "" } };
};

describe.each(generations)("the client of %s", (generation) => {
  test("sees every feature of the server through the guard as it does without, and each call has its record", async () => {
    const shadow = guarded("shadow", scratch(), walked.tools);
    const enforce = guarded("enforce", scratch(), walked.tools);
    const { mark, env } = marked();
    const walks = [server, shadow.command, enforce.command].map(async (command) =>
      walk(await sdkClient(generation), command, env),
    );
    const [direct, ...others] = (await Promise.all(walks)) as [Seen, ...Seen[]];
    const thrown = direct.filter(([, result]) => result?.thrown !== undefined).map(([step]) => step);
    expect(thrown).toEqual(["no such method", "given up", "no such resource", "no such prompt"]);
    for (const seen of others) expect(seen).toEqual(direct);
    await gone(mark);
    // In shadow mode a refusal is recorded at once, perhaps before the check of an earlier call has ended.
    expect(outcomesIn(shadow.log).sort()).toEqual([...walked.outcomes].sort());
    expect(outcomesIn(enforce.log)).toEqual(walked.outcomes);
  });
});

const NOTES = { create_note: ["title"] };
const NOTED = "create_note pass/postcondition_satisfied";
const desks = {
  "2025-11-25": [
    node,
    resolve("scripts/wire/desk.mjs"),
    resolve("node_modules/@modelcontextprotocol/sdk"),
    "2025-11-25",
  ],
  "2026-07-28": [node, resolve("scripts/wire/desk.mjs"), testPackage("@modelcontextprotocol/server"), "2026-07-28"],
};

/** A server whose starts each leave a file with what was said, in order. */
const watched = (directory: string, desk: readonly string[]) => [
  node,
  resolve("scripts/wire/relay.mjs"),
  join(directory, "start"),
  ...desk,
];

describe.each(Object.entries(desks))(
  "a client that starts a server of %s to probe it, and then again",
  (revision, desk) => {
    test.each(["shadow", "enforce"])("is served both times, and its call has its record, in %s mode", async (mode) => {
      const directory = scratch();
      const { mark, env } = marked();
      const { log, command } = guarded(mode, directory, NOTES, watched(directory, desk));
      const sdk = await sdkClient("SDK 2", "auto");
      await sdk.connect(command, env);
      const { structuredContent } = await sdk.call("create_note", { title: "Tea" });
      await sdk.client.close();
      await gone(mark);
      expect(structuredContent).toEqual({ id: 1, title: "Tea" });
      expect(outcomesIn(log)).toEqual([NOTED]);
      const [probe, session] = [1, 2].map((start) => readFileSync(join(directory, `start.${start}`), "utf8"));
      expect(probe).toContain("server/discover");
      expect(probe).not.toContain("tools/call");
      expect(session).toContain("tools/call");
      expect(session!.includes("initialize")).toBe(revision < "2026-07-28");
    });
  },
);

test("twins that start at the same time on one log are all served, and no record is lost or torn", async () => {
  const { mark, env } = marked();
  const { log, command } = guarded("enforce", scratch(), NOTES, desks["2025-11-25"]);
  const calls = [0, 1, 2, 3, 4];
  const twin = async (generation: Generation, mode?: "auto") => {
    const sdk = await sdkClient(generation, mode);
    await sdk.connect(command, env);
    const answers = await Promise.all(calls.map((n) => sdk.call("create_note", { title: `Note ${n}` })));
    await sdk.client.close();
    return answers.map(({ structuredContent }) => structuredContent.title);
  };
  const twins = [twin("SDK 1"), twin("SDK 1"), twin("SDK 2"), twin("SDK 2", "auto"), twin("SDK 2", "auto")];
  for (const titles of await Promise.all(twins)) expect(titles).toEqual(calls.map((n) => `Note ${n}`));
  await gone(mark);
  const bySession = new Map<unknown, number[]>();
  for (const { session, seq, status } of readLog(log)) {
    expect(status).toBe("pass");
    bySession.set(session, [...(bySession.get(session) ?? []), seq]);
  }
  expect(bySession.size).toBe(twins.length);
  for (const seqs of bySession.values()) expect(seqs).toEqual([1, 2, 3, 4, 5]);
});
