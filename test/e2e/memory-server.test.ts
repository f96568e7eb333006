// The published memory server behind the built guard, with the ready contract: honest, and with every write undone.

import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { scratch } from "./harness.ts";
import { play, published, type ToolCall } from "./published.ts";

const server = [published("server-memory")];

const writes: ToolCall[] = [
  ["create_entities", { entities: [{ name: "Ada", entityType: "person", observations: ["SENTINEL \u00e9"] }] }],
  ["create_entities", { entities: [{ name: "__proto__", entityType: "odd", observations: [] }] }],
  ["add_observations", { observations: [{ entityName: "Ada", contents: ["likes tea", "likes tea"] }] }],
  ["create_relations", { relations: [{ from: "Ada", to: "__proto__", relationType: "knows" }] }],
  ["create_relations", { relations: [{ from: "Ada", to: "__proto__", relationType: "knows" }] }],
  ["delete_entities", { entityNames: ["__proto__"] }],
  ["delete_entities", { entityNames: ["Nobody"] }],
];

describe.each(["shadow", "enforce"] as const)("the memory server in %s mode", (mode) => {
  test("honest writes pass, and no answer differs from the server's own", async () => {
    const direct = await play({ server, env: { MEMORY_FILE_PATH: join(scratch(), "memory.jsonl") } }, writes);
    const env = { MEMORY_FILE_PATH: join(scratch(), "memory.jsonl") };
    const guarded = await play({ contract: "memory", mode, server, env }, writes);
    expect(guarded.results).toEqual(direct.results);
    expect(guarded.outcomes).toEqual(writes.map(([tool]) => `${tool} pass/postcondition_satisfied`));
    expect(guarded.logText).not.toContain("SENTINEL");
  });

  test("what proves nothing is UNKNOWN: an empty list, an unknown entity", async () => {
    const env = { MEMORY_FILE_PATH: join(scratch(), "memory.jsonl") };
    const calls: ToolCall[] = [
      ["create_entities", { entities: [] }],
      ["add_observations", { observations: [{ entityName: "Nobody", contents: ["x"] }] }],
    ];
    const { outcomes } = await play({ contract: "memory", mode, server, env }, calls);
    expect(outcomes).toEqual([
      "create_entities unknown/success_without_record_id",
      "add_observations unknown/not_success_result",
    ]);
  });
});

test("an entity that the server skipped, since its name is taken, is a FAIL", async () => {
  const file = join(scratch(), "memory.jsonl");
  writeFileSync(file, JSON.stringify({ type: "entity", name: "Ada", entityType: "ship", observations: [] }));
  const { outcomes, results } = await play(
    { contract: "memory", mode: "enforce", server, env: { MEMORY_FILE_PATH: file } },
    writes.slice(0, 1),
  );
  expect(outcomes).toEqual(["create_entities fail/field_mismatch"]);
  expect(results[0]?.content[0]?.text).toMatch(/^\[FOURGATE\] /);
});

test("a memory server whose writes are undone behind its back fails every check in enforce mode", async () => {
  const file = join(scratch(), "memory.jsonl");
  rmSync(file, { force: true });
  writeFileSync(
    file,
    ["Ada", "Eve"]
      .map((name) => JSON.stringify({ type: "entity", name, entityType: "person", observations: [] }))
      .join("\n"),
  );
  const calls: ToolCall[] = [
    ["create_entities", { entities: [{ name: "Bob", entityType: "person", observations: [] }] }],
    ["add_observations", { observations: [{ entityName: "Ada", contents: ["new"] }] }],
    ["create_relations", { relations: [{ from: "Ada", to: "Eve", relationType: "knows" }] }],
    ["delete_entities", { entityNames: ["Ada"] }],
  ];
  const env = { MEMORY_FILE_PATH: file };
  const { outcomes, results } = await play({ contract: "memory", mode: "enforce", undone: file, server, env }, calls);
  expect(outcomes).toEqual([
    "create_entities fail/record_missing",
    "add_observations fail/field_mismatch",
    "create_relations fail/record_missing",
    "delete_entities fail/record_present",
  ]);
  for (const result of results) {
    expect(result.content[0]?.text).toMatch(/^\[FOURGATE\] \{"kind":"outcome_failed","tool":"real\//);
    expect(result.isError ?? false).toBe(false);
  }
});
