// The Redis verifier against a real Redis: what it proves, and where it must stay in doubt.

import { type AddressInfo, createServer } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Redis, startRedis } from "../fixtures/redis.ts";
import { moduleOf, verdict, verdictIn } from "./verifier.ts";

let redis: Redis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());
beforeEach(() => {
  redis.run("FLUSHALL");
  redis.run("SET", "order:1", "paid");
  redis.run("SET", "lasting", "paid", "EX", "60");
  redis.run("RPUSH", "list", "paid");
});

const { checks } = await moduleOf("redis", "checks");
const { connect } = await moduleOf("redis", "connection");
const check = (tool: string, fields: object, url = redis.readUrl) =>
  verdictIn(async () => {
    const connection = await connect(url);
    try {
      return await checks.get(tool)(fields, connection.ask);
    } finally {
      connection.close();
    }
  });
const set = (key: unknown, value: unknown, expireSeconds?: unknown) => ({
  key,
  value,
  arguments: { key, value, ...(expireSeconds === undefined ? {} : { expireSeconds }) },
});

describe("set", () => {
  test.each<[string, object, string]>([
    ["there as asked", set("order:1", "paid"), "pass"],
    ["another value", set("order:1", "open"), "fail field_mismatch"],
    ["the value with a line end", set("order:1", "paid\n"), "fail field_mismatch"],
    ["no such key", set("order:2", "paid"), "fail record_missing"],
    ["a list stands there", set("list", "paid"), "fail field_mismatch"],
    ["it expires in time", set("lasting", "paid", 60), "pass"],
    ["it expires too late", set("lasting", "paid", 30), "fail field_mismatch"],
    ["it never expires", set("order:1", "paid", 30), "fail field_mismatch"],
    ["0 is no expiry", set("order:1", "paid", 0), "pass"],
    ["not there, but it may have expired", set("order:2", "paid", 1), "doubt"],
    ["a value that is not text", set("order:1", 7), "doubt"],
    ["an expiry that is not a number", set("order:1", "paid", "60"), "doubt"],
  ])("%s", async (_, fields, expected) => expect(await check("set", fields)).toBe(expected));

  test("values are compared byte for byte, whatever they hold", async () => {
    const value = `\r\n$5\r\nx“é\u{1f511}${"y".repeat(100_000)}`;
    redis.run("SET", "odd key\r\n", value);
    expect(await check("set", set("odd key\r\n", value))).toBe("pass");
    expect(await check("set", set("odd key\r\n", `${value}y`))).toBe("fail field_mismatch");
  });
});

describe("delete", () => {
  test.each<[string, unknown, string]>([
    ["gone", "order:2", "pass"],
    ["still there", "order:1", "fail record_present"],
    ["one of two still there", ["order:2", "list"], "fail record_present"],
    ["both gone", ["order:2", "order:3"], "pass"],
    ["no key named", [], "doubt"],
    ["a key that is no text", [7], "doubt"],
  ])("%s", async (_, key, expected) => expect(await check("delete", { key })).toBe(expected));
});

describe("Redis", () => {
  const there = set("order:1", "paid");
  test("another database is another place", async () => {
    expect(await check("set", there, redis.readUrl.replace(/0$/, "1"))).toBe("fail record_missing");
  });

  test.each<[string, (port: number) => string]>([
    ["no address", () => ""],
    ["an address of another kind", () => "http://127.0.0.1/"],
    ["no address at all", () => "127.0.0.1"],
    ["a wrong password", (port) => `redis://reader:wrong@127.0.0.1:${port}/0`],
    ["a database that is not there", (port) => `redis://127.0.0.1:${port}/7`],
    ["TLS where there is none", (port) => `rediss://127.0.0.1:${port}/0`],
    ["nobody listens", () => "redis://127.0.0.1:1/0"],
  ])("%s: in doubt", async (_, url) => expect(await check("set", there, url(redis.port))).toBe("doubt"));

  test("a login that may not read: in doubt", async () => {
    redis.run("ACL", "SETUSER", "blind", "on", ">pw", "~other:*", "+get");
    expect(await check("set", there, `redis://blind:pw@127.0.0.1:${redis.port}/0`)).toBe("doubt");
  });

  test("a login as in the README cannot write", () => {
    const said = redis.run("--user", "reader", "--pass", "r-SENTINEL/1", "--no-auth-warning", "SET", "x", "y");
    expect(said).toMatch(/^NOPERM/);
  });
});

test.each([
  ["says something else", "HTTP/1.1 400 Bad Request\r\n\r\n"],
  ["is still loading", "-LOADING Redis is loading the dataset in memory\r\n"],
  ["sends elsewhere", "-MOVED 3999 127.0.0.1:6381\r\n"],
  ["ends in the middle of a value", "$4\r\npa"],
])("a server that %s: in doubt", async (_, says) => {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.end(says));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  expect(await check("set", set("order:1", "paid"), `redis://127.0.0.1:${port}`)).toBe("doubt");
  await new Promise((resolve) => server.close(resolve));
});

test("as a program: PASS, FAIL and doubt", () => {
  const env = { REDIS_READ_URL: redis.readUrl };
  expect(verdict("redis", "set", set("order:1", "paid"), env)).toBe("pass");
  expect(verdict("redis", "delete", { key: "order:1" }, env)).toBe("fail record_present");
  expect(verdict("redis", "set", set("order:1", "paid"))).toBe("doubt");
  expect(verdict("redis", "set", set("order:1", "paid"), { REDIS_READ_URL: "redis://x:wrong@127.0.0.1:1" })).toBe(
    "doubt",
  );
  expect(verdict("redis", "get", { key: "order:1" }, env)).toBe("doubt");
  expect(verdict("redis", "set", "{", env)).toBe("doubt");
});
