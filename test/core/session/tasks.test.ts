// Calls that become tasks: judged where their outcome is told, once, whichever message tells it.

import { describe, expect, test } from "vitest";
import { MAX_FOLLOWED_CALLS } from "../../../src/core/limits.ts";
import {
  call,
  cancelled,
  cancelsVerify,
  contract,
  enforce,
  exits,
  fail,
  line,
  notification,
  options,
  type Play,
  pass,
  play,
  recorded,
  request,
  result,
  shadow,
  toClient,
  toServer,
  updateContract,
  verdictIn,
  verify,
} from "../../playbook.ts";

const CHECK = verify({ id: 12, title: "t" });
const created = { content: [{ type: "text", text: "Created" }], structuredContent: { id: 12 } };
const failed = { content: [{ type: "text", text: "no" }], isError: true };

/** Revision 2025-11-25: the handle is wrapped, the outcome is the answer to `tasks/result`. */
const core = {
  handle: (id: unknown, taskId = "t1") => result(id, { task: { taskId, status: "working", ttl: 60000 } }),
  state: (id: unknown, status: string) => result(id, { taskId: "t1", status }),
  news: (status: string) => notification("notifications/tasks/status", { taskId: "t1", status }),
};
/** The tasks extension: the handle is the result, the outcome stands in the task object. */
const extension = {
  handle: (id: unknown, taskId = "t1") => result(id, { resultType: "task", taskId, status: "working", ttlMs: null }),
  state: (id: unknown, status: string, more: object = {}) =>
    result(id, { resultType: "complete", taskId: "t1", status, ...more }),
  news: (status: string, more: object = {}) => notification("notifications/tasks", { taskId: "t1", status, ...more }),
};
const ask = (id: unknown, method: "result" | "get" | "cancel", taskId = "t1") =>
  request(id, `tasks/${method}`, { taskId });

/** A call that was answered with a task. */
function begun(opts: Parameters<typeof play>[0], handle: string): Play {
  return play(opts)
    .client(call(1, "create"))
    .expect(toServer(call(1, "create")))
    .server(handle)
    .expect(toClient(handle));
}

describe("revision 2025-11-25", () => {
  test.each([
    ["pass", pass, "postcondition_satisfied", toClient],
    ["fail", fail(), "record_missing", verdictIn],
    ["unknown", { ended: "timeout" } as const, "verifier_timeout", toClient],
  ])("tasks/result brings the outcome: %s", (status, reply, reason, out) => {
    begun(enforce("create"), core.handle(1))
      .server(core.news("working"))
      .expect(toClient(core.news("working")))
      .client(ask(2, "get"))
      .expect(toServer(ask(2, "get")))
      .server(core.state(2, "completed"))
      .expect(toClient(core.state(2, "completed")))
      .client(ask(3, "result"))
      .expect(toServer(ask(3, "result")))
      .wait(70)
      .server(result(3, created))
      .expect(CHECK)
      .wait(10)
      .verdict(reply)
      .expect(recorded(status, reason, { gate_ms: 10, call_ms: 70 }))
      .written()
      .expect(out(result(3, created)))
      .done();
  });

  test("shadow: the outcome goes on at once and is checked beside", () => {
    begun(shadow("create"), core.handle(1))
      .client(ask(3, "result"))
      .expect(toServer(ask(3, "result")))
      .server(result(3, created))
      .expect(toClient(result(3, created)), CHECK)
      .verdict(fail())
      .expect(recorded("fail", "record_missing", { gate_ms: 0 }))
      .client(ask(4, "result"))
      .expect(toServer(ask(4, "result")))
      .server(result(4, created))
      .expect(toClient(result(4, created)))
      .done();
  });

  test("a status that comes before the answer that names the task says nothing", () => {
    play(enforce("create"))
      .client(call(1, "create"))
      .expect(toServer(call(1, "create")))
      .server(core.news("working"))
      .expect(toClient(core.news("working")))
      .server(core.handle(1))
      .expect(toClient(core.handle(1)))
      .client(ask(3, "result"))
      .expect(toServer(ask(3, "result")))
      .server(result(3, created))
      .expect(CHECK)
      .verdict(pass)
      .expect(recorded("pass", "postcondition_satisfied"))
      .written()
      .expect(toClient(result(3, created)))
      .done();
  });

  test.each([
    ["failed", "not_success_result"],
    ["cancelled", "cancelled"],
  ])("a task that is %s has its record, whoever says so", (status, reason) => {
    for (const [asked, told] of [
      ["", core.news(status)],
      [ask(2, "get"), core.state(2, status)],
      [ask(2, "cancel"), core.state(2, status)],
    ]) {
      const playing = begun(enforce("create"), core.handle(1));
      if (asked) playing.client(asked).expect(toServer(asked));
      playing
        .server(told!)
        .expect(recorded("unknown", reason!), toClient(told!))
        .server(told!)
        .expect(toClient(told!))
        .end("serverExited")
        .expect(exits)
        .done();
    }
  });

  test("an outcome that is an error is recorded as one", () => {
    begun(enforce("create"), core.handle(1))
      .client(ask(3, "result"))
      .expect(toServer(ask(3, "result")))
      .server(result(3, failed))
      .expect(recorded("unknown", "not_success_result"), toClient(result(3, failed)))
      .done();
  });

  test("a task that is gone is deferred; any other error about it leaves it open", () => {
    const gone = line({ jsonrpc: "2.0", id: 4, error: { code: -32602, message: "Task has expired" } });
    const busy = line({ jsonrpc: "2.0", id: 3, error: { code: -32000, message: "slow down" } });
    begun(enforce("create"), core.handle(1))
      .client(ask(3, "result") + ask(4, "get"))
      .expect(toServer(ask(3, "result") + ask(4, "get")))
      .server(busy)
      .expect(toClient(busy))
      .server(gone)
      .expect(recorded("unknown", "deferred"), toClient(gone))
      .done();
  });

  test("the same outcome asked for again gets the same verdict, without another check or record", () => {
    begun(enforce("create"), core.handle(1))
      .client(ask(3, "result"))
      .expect(toServer(ask(3, "result")))
      .server(result(3, created))
      .expect(CHECK)
      .client(ask(4, "result"))
      .expect(toServer(ask(4, "result")))
      .server(result(4, created))
      .expect()
      .verdict(fail())
      .expect(recorded("fail", "record_missing"), verdictIn(result(4, created)))
      .written()
      .expect(verdictIn(result(3, created)))
      .client(ask(5, "result"))
      .expect(toServer(ask(5, "result")))
      .server(result(5, created))
      .expect(verdictIn(result(5, created)))
      .end("serverExited")
      .expect(exits)
      .done();
  });

  test("giving up a held answer to tasks/result drops the line; the task keeps its verdict", () => {
    begun(enforce("create"), core.handle(1))
      .client(ask(3, "result"))
      .expect(toServer(ask(3, "result")))
      .server(result(3, created))
      .expect(CHECK)
      .client(cancelled(3))
      .expect(toServer(cancelled(3)))
      .verdict(fail())
      .expect(recorded("fail", "record_missing"))
      .client(ask(4, "result"))
      .expect(toServer(ask(4, "result")))
      .server(result(4, created))
      .expect(verdictIn(result(4, created)))
      .done();
  });

  test("giving up tasks/result before its answer leaves the task open", () => {
    begun(enforce("create"), core.handle(1))
      .client(ask(3, "result") + cancelled(3))
      .expect(toServer(ask(3, "result") + cancelled(3)))
      .client(ask(4, "result"))
      .expect(toServer(ask(4, "result")))
      .server(result(4, created))
      .expect(CHECK)
      .verdict(pass)
      .expect(recorded("pass", "postcondition_satisfied"))
      .written()
      .expect(toClient(result(4, created)))
      .done();
  });

  test("an id used twice for tasks/result: no wrong pairing, and the call ends as deferred", () => {
    begun(enforce("create"), core.handle(1))
      .client(ask(3, "result") + request(3, "ping"))
      .expect(toServer(ask(3, "result") + request(3, "ping")))
      .server(result(3, created))
      .expect(toClient(result(3, created)))
      .server(result(3, {}))
      .expect(toClient(result(3, {})))
      .end("serverExited")
      .expect(recorded("unknown", "deferred"), exits)
      .done();
  });

  test("two calls that get the same task id cannot be told apart", () => {
    begun(enforce("create"), core.handle(1))
      .client(call(2, "create"))
      .expect(toServer(call(2, "create")))
      .server(core.handle(2))
      .expect(
        recorded("unknown", "request_id_ambiguous"),
        recorded("unknown", "request_id_ambiguous"),
        toClient(core.handle(2)),
      )
      .done();
  });

  test("stop while its check runs: the answer goes out, and the record says so", () => {
    begun(enforce("create"), core.handle(1))
      .client(ask(3, "result"))
      .expect(toServer(ask(3, "result")))
      .server(result(3, created))
      .expect(CHECK)
      .end("stop")
      .expect(cancelsVerify, recorded("unknown", "session_ended"), toClient(result(3, created)))
      .end("serverExited")
      .expect(exits)
      .done();
  });

  test("a write to the same record while the task runs makes a FAIL unknown", () => {
    const told = result(3, { content: [] });
    play(enforce(updateContract("update"), "create"))
      .client(call(1, "update", { id: 7 }))
      .expect(toServer(call(1, "update", { id: 7 })))
      .server(core.handle(1))
      .expect(toClient(core.handle(1)))
      .client(call(2, "other", { ticket: 7 }) + ask(3, "result"))
      .expect(toServer(call(2, "other", { ticket: 7 }) + ask(3, "result")))
      .server(told)
      .expect(verify({ id: 7 }))
      .verdict(fail())
      .expect(recorded("unknown", "overlapped"))
      .written()
      .expect(toClient(told))
      .done();
  });
});

describe("the tasks extension", () => {
  const done = { status: "completed", result: created };

  test("tasks/get carries the outcome, and the verdict goes into it", () => {
    begun(enforce("create"), extension.handle(1))
      .client(ask(2, "get"))
      .expect(toServer(ask(2, "get")))
      .server(extension.state(2, "working"))
      .expect(toClient(extension.state(2, "working")))
      .client(ask(3, "get"))
      .expect(toServer(ask(3, "get")))
      .server(extension.state(3, "completed", done))
      .expect(CHECK)
      .verdict(fail())
      .expect(recorded("fail", "record_missing"))
      .written()
      .expect(verdictIn(extension.state(3, "completed", done)))
      .done();
  });

  test("a notification carries it too: held like an answer, and the next tasks/get has the verdict as well", () => {
    const told = extension.news("completed", done);
    begun(enforce("create"), extension.handle(1))
      .server(told)
      .expect(CHECK)
      .server(result("other", {}))
      .expect(toClient(result("other", {})))
      .verdict(fail())
      .expect(recorded("fail", "record_missing"))
      .written()
      .expect(verdictIn(told))
      .client(ask(3, "get"))
      .expect(toServer(ask(3, "get")))
      .server(extension.state(3, "completed", done))
      .expect(verdictIn(extension.state(3, "completed", done)))
      .server(told)
      .expect(verdictIn(told))
      .done();
  });

  test("a notification and an answer in one batch: one check, one record, two verdicts", () => {
    const batch = line(`[${extension.news("completed", done).trim()},${extension.state(3, "completed", done).trim()}]`);
    begun(enforce("create"), extension.handle(1))
      .client(ask(3, "get"))
      .expect(toServer(ask(3, "get")))
      .server(batch)
      .expect(CHECK)
      .verdict(fail())
      .expect(recorded("fail", "record_missing"))
      .written()
      .expect((command) => {
        const text = Buffer.from((command as { bytes: Uint8Array }).bytes).toString();
        expect(text.split("outcome_failed").length - 1).toBe(2);
        expect(JSON.parse(text)).toHaveLength(2);
      })
      .done();
  });

  test("in the shape of an error result where the client would not show it else", () => {
    const told = extension.state(3, "completed", done);
    begun(options("enforce", ["create"], { surface: "error" }), extension.handle(1))
      .client(ask(3, "get"))
      .expect(toServer(ask(3, "get")))
      .server(told)
      .expect(CHECK)
      .verdict(fail())
      .expect(recorded("fail", "record_missing"))
      .written()
      .expect((command) => {
        const message = JSON.parse(Buffer.from((command as { bytes: Uint8Array }).bytes).toString());
        expect(message.result.result.isError).toBe(true);
        expect(message.result.result).not.toHaveProperty("structuredContent");
        expect(message.result).toMatchObject({ taskId: "t1", status: "completed", resultType: "complete" });
      })
      .done();
  });

  test.each([
    ["failed", { error: { code: -32603, message: "no" } }, "not_success_result"],
    ["cancelled", {}, "cancelled"],
    ["completed", { result: failed }, "not_success_result"],
  ])("%s", (status, more, reason) => {
    const told = extension.news(status, more);
    begun(enforce("create"), extension.handle(1))
      .server(told)
      .expect(recorded("unknown", reason), toClient(told))
      .done();
  });

  test("the input that a task asks for is not an outcome", () => {
    const asks = extension.state(2, "input_required", { inputRequests: {} });
    const update = request(3, "tasks/update", { taskId: "t1", inputResponses: {} });
    begun(enforce("create"), extension.handle(1))
      .client(ask(2, "get"))
      .expect(toServer(ask(2, "get")))
      .server(asks)
      .expect(toClient(asks))
      .client(update)
      .expect(toServer(update))
      .server(result(3, { resultType: "complete" }))
      .expect(toClient(result(3, { resultType: "complete" })))
      .end("serverExited")
      .expect(recorded("unknown", "deferred"), exits)
      .done();
  });

  test("messages about other tasks, and requests of the server, are none of ours", () => {
    const foreign = notification("notifications/tasks", { taskId: "t2", ...done });
    const asks = request(9, "notifications/tasks", { taskId: "t1", ...done });
    begun(enforce("create"), extension.handle(1))
      .server(foreign + asks)
      .expect(toClient(foreign), toClient(asks))
      .client(ask(2, "get", "t2"))
      .expect(toServer(ask(2, "get", "t2")))
      .server(extension.state(2, "completed", done))
      .expect(toClient(extension.state(2, "completed", done)))
      .done();
  });
});

test("more tasks than are followed: the oldest is recorded as deferred", () => {
  const playing = play(enforce(contract("create")));
  for (let id = 0; id < MAX_FOLLOWED_CALLS; id++) {
    const handle = core.handle(id, `t${id}`);
    playing
      .client(call(id, "create"))
      .expect(toServer(call(id, "create")))
      .server(handle)
      .expect(toClient(handle));
  }
  const one = core.handle("one", "one more");
  playing
    .client(call("one", "create"))
    .expect(toServer(call("one", "create")))
    .server(one)
    .expect(recorded("unknown", "deferred"), toClient(one))
    .done();
  expect(playing.session.tasks.has("t0")).toBe(false);
  expect(playing.session.tasks.size).toBe(MAX_FOLLOWED_CALLS);
});
