// Reading through an MCP server of its own: what its answers mean, what a bad one can do, and how long it lives.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Adapter, openAdapter } from "../../src/readback/adapter.ts";
import { readProcesses } from "../../src/run/read-processes.ts";
import { fieldsOf, type RunOptions, readback, run } from "./reading.ts";

const fixture = resolve("test/fixtures/servers/reads.mjs");
let folder: string;
let starts: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fourgate-mcp-"));
  starts = join(folder, "starts");
  writeFileSync(starts, "");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const about = (mode: string, args: object, more: object = {}) => ({
  type: "mcp",
  command: [process.execPath, fixture, mode, starts],
  tool: "read",
  arguments: args,
  attempts: 1,
  timeout_ms: 10_000,
  expected_fields: { title: "title" },
  ...more,
});

/** What the server is to answer with, as JSON text. */
const answering = (result: object | string) => ({
  answer: typeof result === "string" ? result : JSON.stringify(result),
});
const says = (text: string, more: object = {}) => answering({ content: [{ type: "text", text }], ...more });
const check = (args: object, more: object = {}, options: RunOptions = {}, mode = "good") =>
  run(about(mode, args, more), options);

describe("an answer", () => {
  test.each<[string, object, object, object]>([
    ["with structuredContent", answering({ content: [], structuredContent: { title: "t" } }), {}, { type: "pass" }],
    [
      "with another value",
      answering({ content: [], structuredContent: { title: "x" } }),
      {},
      { reason: "field_mismatch" },
    ],
    ["with JSON in its text", says('{"title":"t"}'), {}, { type: "pass" }],
    [
      "with both, where structuredContent counts",
      says('{"title":"t"}', { structuredContent: { title: "x" } }),
      {},
      { reason: "field_mismatch" },
    ],
    ["with a text", says("t"), { answer: "text", expected_fields: { text: "title" } }, { type: "pass" }],
    ["with a text that is not JSON", says("title: t"), {}, { reason: "readback_error" }],
    [
      "with two texts",
      answering({ content: [1, 2].map(() => ({ type: "text", text: "{}" })) }),
      {},
      { reason: "readback_shape_invalid" },
    ],
    [
      "with an image",
      answering({ content: [{ type: "image", data: "", mimeType: "x/y" }] }),
      {},
      { reason: "readback_shape_invalid" },
    ],
    ["with nothing", answering({}), {}, { reason: "readback_shape_invalid" }],
    ["that is an error", says('{"title":"t"}', { isError: true }), {}, { reason: "readback_unconfirmed" }],
    ["that is a list", answering("[]"), {}, { reason: "readback_unconfirmed" }],
    ["that is a task", answering({ task: { taskId: "1" } }), {}, { reason: "readback_unconfirmed" }],
    ["that is a question", answering({ resultType: "input_required" }), {}, { reason: "readback_unconfirmed" }],
    [
      "that is complete",
      answering({ resultType: "complete", structuredContent: { title: "t" } }),
      {},
      { type: "pass" },
    ],
    [
      "that is an error of the protocol",
      { do: "error" },
      {},
      { reason: "readback_unconfirmed", note: "tools/call, error -32603" },
    ],
    ["that is result and error", { do: "both" }, {}, { reason: "readback_error" }],
    ["whose record has no such path", answering({ structuredContent: {} }), {}, { reason: "readback_shape_invalid" }],
  ])("%s", async (_, args, more, outcome) => {
    expect(await check(args, more)).toMatchObject(outcome);
  });

  test("keeps its digits both ways", async () => {
    const fields = fieldsOf({}, { id: "1915883588174806058", price: "0.1000000000000000055511151231257827" });
    const args = { id: { field: "id" }, list: [{ field: "price" }], fixed: { value: { field: "id" } }, n: 1 };
    const expected_fields = {
      "asked.id": "id",
      "asked.list.0": "price",
      "asked.n": { value: 1 },
      "asked.fixed": { value: { field: "id" } },
    };
    expect(await check(args, { expected_fields }, { fields }, "echoes")).toMatchObject({ type: "pass" });
    const near = fieldsOf({}, { id: "1915883588174806059", price: "0.1" });
    const wrong = { ...expected_fields, "asked.id": { value: "1915883588174806058" } };
    expect(await check(args, { expected_fields: wrong }, { fields: near }, "echoes")).toMatchObject({
      reason: "field_mismatch",
      unmet: ["asked.id"],
    });
  });

  test("says that a record is not there only in the words that the contract gives", async () => {
    const absent = { absent_when: ["No key: {id}", "nil"] };
    for (const more of [{}, { isError: true }]) {
      expect(await check(says("No key: 7", more), absent)).toMatchObject({ reason: "record_missing" });
      expect(await check(says("nil", more), { ...absent, expect: "absent", expected_fields: undefined })).toMatchObject(
        {
          type: "pass",
        },
      );
    }
    for (const text of ["No key: 8", "No key: 7 ", "Nil", ""]) {
      expect(await check(says(text), absent)).toMatchObject({ type: "unknown" });
    }
  });

  test("may hold the record in a list", async () => {
    const list = answering({ structuredContent: { entities: [{ name: "n", title: "t" }] } });
    const find = { find: { in: "entities", where: { name: "name" }, complete: true } };
    const fields = (name: string) => ({ fields: fieldsOf({ name, title: "t" }) });
    expect(await check(list, find, fields("n"))).toMatchObject({ type: "pass" });
    expect(await check(list, find, fields("m"))).toMatchObject({ reason: "record_missing" });
  });
});

describe("nothing is asked", () => {
  test.each(["null", '""'])("with a value of %s", async (id) => {
    const options = { fields: fieldsOf({ title: "t" }, { id }) };
    expect(await check({ id: { field: "id" } }, {}, options)).toMatchObject({ reason: "readback_selector_invalid" });
    expect(readFileSync(starts, "utf8")).toBe("");
  });

  test("without the credential", async () => {
    expect(await check({}, { secret_env: ["NONE"] })).toMatchObject({ reason: "credential_missing" });
    expect(readFileSync(starts, "utf8")).toBe("");
  });

  test("of a tool that is not there, or that writes by the server's own word", async () => {
    expect(await check({}, { tool: "none" })).toMatchObject({ reason: "readback_unconfirmed" });
    for (const tool of ["write", "destroy"]) {
      expect(await check(answering({ structuredContent: { title: "t" } }), { tool })).toMatchObject({
        reason: "readback_unconfirmed",
      });
    }
  });
});

test("the server gets a minimal base and what is named, and nothing else", async () => {
  const environment = { PATH: process.env.PATH!, TOKEN: "secret", KIND: "k", OTHER: "o" };
  const more = {
    secret_env: ["TOKEN"],
    env: ["KIND"],
    expected_fields: { TOKEN: { value: "secret" }, KIND: { value: "k" } },
  };
  expect(await check({ do: "environment" }, more, { environment })).toMatchObject({ type: "pass" });
  const other = { expected_fields: { OTHER: { value: "o" } } };
  expect(await check({ do: "environment" }, other, { environment })).toMatchObject({
    reason: "readback_shape_invalid",
  });
});

describe("a server", () => {
  const good = answering({ structuredContent: { title: "t" } });
  const started = () => readFileSync(starts, "utf8").split("\n").filter(Boolean).map(Number);
  const runs = (pid: number) => {
    try {
      return !/\) Z/.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
    } catch {
      return false;
    }
  };

  test.each<[string, string, string]>([
    ["that ends at once", "dies", "readback_error"],
    ["that says endless nonsense", "endless", "readback_error"],
  ])("%s is UNKNOWN", async (_, mode, reason) => {
    expect(await check(good, {}, {}, mode)).toMatchObject({ type: "unknown", reason });
    for (const pid of started()) while (runs(pid)) await pause(10);
  });

  test("that cannot be started is UNKNOWN", async () => {
    const command = [join(folder, "none")];
    expect(await check(good, { command })).toMatchObject({ type: "unknown", reason: "readback_error" });
  });

  test("that hangs while it starts is UNKNOWN in time, and ended", async () => {
    const outcome = await check(good, {}, { budgetMs: 300 }, "hangs");
    expect(outcome).toMatchObject({ type: "unknown", reason: "readback_timeout" });
    for (const pid of started()) while (runs(pid)) await pause(10);
  });

  test("that prints other things to stdout is read all the same", async () => {
    expect(await check(good, {}, {}, "garbage")).toMatchObject({ type: "pass" });
  });

  test("is kept between reads, answers them side by side, and ends with the adapter", async () => {
    const adapter = await opened(about("good", { do: "wait" }));
    const types = (await Promise.all(Array.from({ length: 16 }, () => read(adapter)))).map(({ type }) => type);
    expect(types).toEqual(Array(16).fill("record"));
    expect(await read(adapter)).toMatchObject({ type: "record" });
    expect(started()).toHaveLength(1);
    await adapter.close();
    for (const pid of started()) expect(runs(pid)).toBe(false);
  });

  test("is started anew when it has ended", async () => {
    const adapter = await opened(about("good", { do: { field: "do" }, ...good }));
    expect(await read(adapter, { do: "x" })).toMatchObject({ type: "record" });
    expect(await read(adapter, { do: "die" })).toMatchObject({ type: "doubt", reason: "readback_error" });
    expect(await read(adapter, { do: "x" })).toMatchObject({ type: "record" });
    expect(started()).toHaveLength(2);
    await adapter.close();
  });

  test("is started anew when it hangs", async () => {
    const adapter = await opened(about("good", { do: { field: "do" }, ...good }));
    expect(await read(adapter, { do: "x" })).toMatchObject({ type: "record" });
    expect(await read(adapter, { do: "never" }, 200)).toMatchObject({ type: "doubt", reason: "readback_timeout" });
    expect(await read(adapter, { do: "x" })).toMatchObject({ type: "record" });
    expect(started()).toHaveLength(2);
    expect(runs(started()[0]!)).toBe(false);
    await adapter.close();
  });

  test("is ended with what it started when it does not end by itself", async () => {
    const launcher = join(folder, "launcher.sh");
    // Ignores the end of its stdin, and has a child that does too.
    writeFileSync(launcher, `"$1" "$2" good "$3" & sleep 1000 < /dev/null & echo $! >> "$3"; wait`);
    const adapter = await opened({ ...about("", good), command: ["sh", launcher, process.execPath, fixture, starts] });
    const reading = read(adapter, {}, 500);
    while (started().length < 2) await pause(10);
    await reading;
    await adapter.close();
    for (const pid of started()) while (runs(pid)) await pause(10);
  });
});

async function opened(written: object): Promise<Adapter> {
  const spec = await readback(written);
  return openAdapter(spec.source, { environment: { PATH: process.env.PATH }, processes: readProcesses() });
}

function read(adapter: Adapter, values: Record<string, unknown> = {}, limitMs = 20_000) {
  return adapter.read({ fields: fieldsOf(values), limitMs, signal: new AbortController().signal });
}
