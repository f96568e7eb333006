// The published Redis server behind the built guard, with the ready contract: honest, and untruthful in both directions.

import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { READ_PASSWORD, type Redis, startRedis } from "../fixtures/redis.ts";
import { play, published, type ToolCall } from "./published.ts";
import { untruthful } from "./untruthful.ts";

let redis: Redis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());
beforeEach(() => void redis.run("FLUSHALL"));

const setup = () => ({
  contract: "redis",
  mode: "enforce" as const,
  server: [published("server-redis"), redis.url],
  env: { REDIS_READ_URL: redis.readUrl },
});

test("honest writes pass, and no answer differs from the server's own", async () => {
  const calls: ToolCall[] = [
    ["set", { key: "order:1", value: "SENTINEL “é”" }],
    ["set", { key: "order:2", value: "paid", expireSeconds: 60 }],
    ["delete", { key: "order:1" }],
    // What was never set is not there either, which is all that was asked for.
    ["delete", { key: "never-set" }],
    ["delete", { key: ["order:2", "never-set"] }],
  ];
  // The server takes a while to end, as its connection to Redis keeps it: both sessions run side by side, each in a database of its own.
  const [direct, guarded] = await Promise.all([
    play({ server: [published("server-redis"), `${redis.url}/1`] }, calls),
    play(setup(), calls),
  ]);
  expect(guarded.results).toEqual(direct.results);
  expect(guarded.results[3]?.content[0]?.text).toBe("Successfully deleted key: never-set");
  expect(guarded.outcomes).toEqual(calls.map(([tool]) => `${tool} pass/postcondition_satisfied`));
  expect(guarded.logText).not.toContain("SENTINEL");
  expect(guarded.logText).not.toContain(READ_PASSWORD);
});

test("a write that was only pretended is a FAIL in front of the answer", async () => {
  redis.run("SET", "order:1", "open");
  const played = await Promise.all([
    play({ ...setup(), before: untruthful("pretends", "set", "Successfully set key: order:1") }, [
      ["set", { key: "order:1", value: "paid" }],
      ["set", { key: "order:2", value: "paid" }],
    ]),
    play({ ...setup(), before: untruthful("pretends", "delete", "Successfully deleted key: order:1") }, [
      ["delete", { key: "order:1" }],
    ]),
  ]);
  expect(played.flatMap(({ outcomes }) => outcomes)).toEqual([
    "set fail/field_mismatch",
    "set fail/record_missing",
    "delete fail/record_present",
  ]);
  for (const { content } of played.flatMap(({ results }) => results))
    expect(content[0]?.text).toMatch(/^\[FOURGATE\] /);
});

test("a write that was made and reported as an error gives no verdict", async () => {
  const before = untruthful("denies", "set", "Error: connection lost");
  const { outcomes, results } = await play({ ...setup(), before }, [["set", { key: "order:1", value: "paid" }]]);
  expect(redis.run("GET", "order:1")).toBe("paid");
  expect(outcomes).toEqual(["set unknown/not_success_result"]);
  expect(results).toEqual([{ content: [{ type: "text", text: "Error: connection lost" }], isError: true }]);
});
