// A contract with a read-back in it, through the built program: the reader asks the system of record, and no one else does.

import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type Answer, type Api, api, inTurn, json } from "../readback/api.ts";
import { fixture, type Guard, guard, node, verdictOf } from "./harness.ts";

const TOKEN = "r-SENTINEL-token";

/** A contract for `create`: the record's id from the answer, the title from the arguments. */
function contractWith(origin: string, more: object = {}, reasons = ["record_missing", "field_mismatch"]) {
  return {
    contract_version: 1,
    tools: {
      create: {
        extract: {
          id: { source: "result", path: "result.structuredContent.id" },
          title: { source: "arguments", path: "title" },
          labels: { source: "arguments", path: "labels" },
        },
        record_id_field: "id",
        readback: {
          type: "http",
          url_template: `${origin}/issues/{id}`,
          token_env: "READBACK_TOKEN",
          missing_statuses: [404],
          expected_fields: { title: "title", labels: { field: "labels", compare: "set" } },
          interval_ms: 10,
          ...more,
        },
        allowed_failure_reasons: reasons,
      },
    },
  };
}

const asked = { title: "t-SENTINEL", labels: ["bug"] };

function start(contract: object, more: object = {}): Guard {
  return guard({
    contract,
    env: { READBACK_TOKEN: TOKEN },
    flags: ["--mode", "enforce", "--server", "srv"],
    ...more,
  }).read();
}

/** The readers of a guard: its children that were started with the hidden argument. */
function readersOf(session: Guard): number[] {
  return readdirSync("/proc")
    .filter((pid) => /^\d+$/.test(pid))
    .filter((pid) => {
      try {
        const parent = /\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, "latin1"))?.[1];
        return (
          Number(parent) === session.child.pid && readFileSync(`/proc/${pid}/cmdline`, "latin1").includes("--reader")
        );
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** Waits for a reader that is none of those. */
async function newReader(session: Guard, ...not: number[]): Promise<number> {
  let found: number | undefined;
  await session.until(() => {
    found = readersOf(session).find((pid) => !not.includes(pid));
    return found !== undefined;
  });
  return found!;
}

function runs(pid: number): boolean {
  try {
    return !/\) Z/.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
}

async function ask(session: Guard, id: number, args: object = asked) {
  session.call(id, "create", args);
  return session.message();
}

/** Everything that guard has said or written. */
const said = (session: Guard) => session.stderr + readFileSync(session.logFile, "utf8");

test("the record as it was asked for is PASS, and the answer is the server's", async () => {
  const system = await api(json(asked));
  const session = start(contractWith(system.origin));
  expect(await ask(session, 7)).toEqual({
    jsonrpc: "2.0",
    id: 7,
    result: { content: [{ type: "text", text: "Created 7" }], structuredContent: { id: 7 } },
  });
  expect(await session.end()).toBe(0);
  expect(session.records()).toMatchObject([{ status: "pass", reason_code: "postcondition_satisfied" }]);
  expect(system.asked).toMatchObject([
    { method: "GET", url: "/issues/7", headers: { authorization: `Bearer ${TOKEN}` } },
  ]);
  expect(said(session)).not.toContain("SENTINEL");
});

test("a record that is not there is FAIL, and the verdict says so without any value", async () => {
  const system = await api(json({}, 404));
  const session = start(contractWith(system.origin));
  const verdict = verdictOf(await ask(session, 7));
  expect(JSON.parse(verdict.split("\n")[0]!.slice("[FOURGATE] ".length))).toEqual({
    kind: "outcome_failed",
    tool: "srv/create",
    evidence: { reason_code: "record_missing", checked_fields: ["id", "labels", "title"] },
    recovery: "stop",
  });
  expect(verdict).not.toContain("SENTINEL");
  expect(await session.end()).toBe(0);
  expect(session.records()).toMatchObject([{ status: "fail", reason_code: "record_missing" }]);
  expect(system.asked).toHaveLength(3);
});

test("a record with one field missing is FAIL, and the verdict names that field alone", async () => {
  const system = await api(json({ ...asked, labels: [] }));
  const session = start(contractWith(system.origin));
  const verdict = verdictOf(await ask(session, 7));
  expect(verdict).toContain("the record exists");
  expect(verdict).toContain("Not as asked: labels.");
  expect(await session.end()).toBe(0);
  expect(session.records()).toMatchObject([{ status: "fail", reason_code: "field_mismatch" }]);
});

test("in shadow mode nothing is changed, whatever is found", async () => {
  const system = await api(json({}, 404));
  const session = start(contractWith(system.origin), { flags: [] });
  expect((await ask(session, 7)).result.content).toEqual([{ type: "text", text: "Created 7" }]);
  expect(await session.end()).toBe(0);
  expect(session.records()).toMatchObject([{ status: "fail", reason_code: "record_missing", mode: "shadow" }]);
});

const doubts: [string, Answer, object, string][] = [
  ["readback_unconfirmed", json({}, 401), {}, "readback_unconfirmed"],
  ["readback_shape_invalid", json({ title: asked.title }), {}, "readback_shape_invalid"],
  ["readback_error", json("<html>"), {}, "readback_error"],
  ["readback_timeout", () => {}, { timeout_ms: 200 }, "readback_timeout"],
  [
    "readback_inconsistent",
    inTurn(json({}, 404), json({ ...asked, title: "x" })),
    { attempts: 2 },
    "readback_inconsistent",
  ],
  ["not_settled", json({}, 404), { settle_ms: 60_000 }, "not_settled"],
  [
    "a failure that the contract does not allow",
    json({ ...asked, labels: [] }),
    { attempts: 1 },
    "readback_unconfirmed",
  ],
];
test.each(doubts)("%s is UNKNOWN, and the answer goes on unchanged", async (what, answer, more, reason) => {
  const system = await api(answer);
  const reasons = what.startsWith("a failure") ? ["record_missing"] : ["record_missing", "field_mismatch"];
  const session = start(contractWith(system.origin, more, reasons));
  expect((await ask(session, 7)).result.content).toEqual([{ type: "text", text: "Created 7" }]);
  expect(await session.end()).toBe(0);
  expect(session.records()).toMatchObject([{ status: "unknown", reason_code: reason }]);
  expect(said(session)).not.toContain("SENTINEL");
});

test("an id that must not stand in an address is UNKNOWN, and nothing is asked", async () => {
  const system = await api(json(asked));
  const session = start(contractWith(system.origin));
  await ask(session, 7, { ...asked, id: "../admin" });
  expect(await session.end()).toBe(0);
  expect(session.records()).toMatchObject([{ status: "unknown", reason_code: "readback_selector_invalid" }]);
  expect(system.connections()).toBe(0);
});

test("a credential that is not set is UNKNOWN and pointed out at the start", async () => {
  const system = await api(json(asked));
  const session = start(contractWith(system.origin), { env: { READBACK_TOKEN: "" } });
  await ask(session, 7);
  expect(await session.end()).toBe(0);
  expect(session.records()).toMatchObject([{ status: "unknown", reason_code: "credential_missing" }]);
  expect(session.stderr).toContain("WARNING: READBACK_TOKEN is not set");
  expect(system.connections()).toBe(0);
});

test("the credential is kept from the server without being listed, and the reader gets little else", async () => {
  const system = await api(json(asked));
  const session = start(contractWith(system.origin), { server: [node, fixture("prints-environment.mjs")] });
  const answer = await ask(session, 7);
  expect(answer.result.structuredContent.env).toMatchObject({ FOURGATE_TEST_MARK: session.mark });
  expect(answer.result.structuredContent.env).not.toHaveProperty("READBACK_TOKEN");
  const names = readFileSync(`/proc/${await newReader(session)}/environ`, "latin1")
    .split("\0")
    .map((entry) => entry.split("=")[0]!)
    .filter(Boolean);
  // It comes by the pipe: whatever a process was started with, every program of the same user can read.
  expect(names).not.toContain("READBACK_TOKEN");
  expect(names).toContain("PATH");
  expect(names).not.toContain("FOURGATE_TEST_MARK");
  expect(session.stderr).toContain("READBACK_TOKEN (set)");
  expect(await session.end()).toBe(0);
});

test("numbers keep their digits from the wire to the address and the comparison", async () => {
  const system = await api(json('{"title":0.1000000000000000055511151231257827,"labels":[]}'));
  const session = start(contractWith(system.origin, { attempts: 1 }));
  const call = (id: number, title: string) =>
    session.send(
      `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"create","arguments":{"id":"1915883588174806058","title":${title},"labels":[]}}}`,
    );
  call(1, "0.1000000000000000055511151231257827");
  await session.message();
  call(2, "0.1");
  await session.message();
  expect(await session.end()).toBe(0);
  expect(session.records().map(({ status }) => status)).toEqual(["pass", "fail"]);
  expect(system.asked[0]!.url).toBe("/issues/1915883588174806058");
});

test("a reader that is killed in mid-check: UNKNOWN, and the next check has another", async () => {
  let answered = false;
  const system = await api((response, question, nth) => {
    if (answered) json(asked)(response, question, nth);
  });
  const session = start(contractWith(system.origin));
  const first = await newReader(session);
  session.call(1, "create", asked);
  await session.until(() => system.asked.length === 1);
  process.kill(first, "SIGKILL");
  expect((await session.message()).result.content).toHaveLength(1);
  answered = true;
  expect((await ask(session, 2)).result.content).toHaveLength(1);
  expect(runs(first)).toBe(false);
  expect(await session.end()).toBe(0);
  expect(session.records()).toMatchObject([
    { status: "unknown", reason_code: "readback_error" },
    { status: "pass", reason_code: "postcondition_satisfied" },
  ]);
});

test("a reader that hangs: UNKNOWN at the check's limit, and another takes its place", async () => {
  const system = await api(json(asked));
  const hurried = contractWith(system.origin, { timeout_ms: 300 });
  const patient = contractWith(system.origin);
  const session = start({ ...hurried, tools: { ...hurried.tools, patient: patient.tools.create } });
  const first = await newReader(session);
  process.kill(first, "SIGSTOP");
  const begin = performance.now();
  expect((await ask(session, 1)).result.content).toHaveLength(1);
  expect(performance.now() - begin).toBeLessThan(1000);
  await session.until(() => !runs(first));
  await newReader(session, first);
  // A process that only starts may take longer than 300 ms on a busy machine.
  session.call(2, "patient", asked);
  expect((await session.message()).result.content).toHaveLength(1);
  expect(await session.end()).toBe(0);
  expect(session.records()).toMatchObject([
    { status: "unknown", reason_code: "readback_timeout" },
    { status: "pass", reason_code: "postcondition_satisfied" },
  ]);
});

test("64 calls side by side: each its own record, few connections, all kept", async () => {
  const system = await api((response, question, nth) => {
    const id = Number(question.url.split("/").at(-1));
    json({ ...asked, title: id % 2 === 0 ? asked.title : "x" })(response, question, nth);
  });
  const session = start(contractWith(system.origin, { attempts: 1 }));
  for (let id = 1; id <= 64; id++) session.call(id, "create", asked);
  const failed: number[] = [];
  for (let i = 0; i < 64; i++) {
    const message = await session.message();
    if (message.result.content.length > 1) failed.push(message.id);
  }
  expect(await session.end()).toBe(0);
  expect(failed.sort((a, b) => a - b)).toEqual(Array.from({ length: 32 }, (_, i) => 2 * i + 1));
  expect(system.asked).toHaveLength(64);
  expect(system.connections()).toBeLessThanOrEqual(16);
  expect(session.records()).toHaveLength(64);
});

test("calls one after the other share one connection", async () => {
  const system = await api(json(asked));
  const session = start(contractWith(system.origin));
  for (let id = 1; id <= 10; id++) await ask(session, id);
  expect(await session.end()).toBe(0);
  expect(system.asked).toHaveLength(10);
  expect(system.connections()).toBe(1);
});

test("a call that the client cancels ends the read", async () => {
  const system = await api(() => {});
  const session = start(contractWith(system.origin));
  session.call(1, "create", asked);
  await session.until(() => system.asked.length === 1);
  session.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
  await session.until(() => session.records().length === 1);
  expect(session.records()).toMatchObject([{ status: "unknown", reason_code: "cancelled" }]);
  expect(await session.end()).toBe(0);
});

test.each<[string, (session: Guard, system: Api) => Promise<unknown>]>([
  ["the client leaves", (session) => session.end()],
  [
    "guard is told to stop, with a check under way",
    async (session, system) => {
      session.call(1, "create", { ...asked, id: "slow" });
      await session.until(() => system.asked.some(({ url }) => url.endsWith("slow")));
      session.child.kill("SIGTERM");
      await session.exited;
    },
  ],
  [
    "guard is killed",
    async (session) => {
      session.child.kill("SIGKILL");
      await session.exited;
    },
  ],
])("the reader is gone when %s", async (_, leave) => {
  const system = await api((response, question, nth) => {
    if (!question.url.endsWith("slow")) json(asked)(response, question, nth);
  });
  const session = start(contractWith(system.origin));
  await ask(session, 7);
  const reader = await newReader(session);
  await leave(session, system);
  const end = performance.now() + 5000;
  while (runs(reader) && performance.now() < end) await new Promise((look) => setTimeout(look, 20));
  expect(runs(reader)).toBe(false);
});

test("a contract without a read-back starts no reader", async () => {
  const contract = {
    contract_version: 1,
    tools: {
      create: {
        extract: { id: { source: "result", path: "result.structuredContent.id" } },
        verifier: { command: ["true"], timeout_ms: 1000 },
        allowed_failure_reasons: ["x"],
      },
    },
  };
  const session = start(contract);
  await ask(session, 1);
  expect(readersOf(session)).toEqual([]);
  expect(await session.end()).toBe(0);
});
