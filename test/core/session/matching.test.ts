// Which answer belongs to which call: ids by type and value, directions, duplicates, and what is no answer at all.

import { describe, test } from "vitest";
import {
  answer,
  call,
  cancelled,
  cancelsVerify,
  contract,
  enforce,
  fail,
  line,
  notification,
  options,
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
const AMBIGUOUS = recorded("unknown", "request_id_ambiguous");

describe("an answer is matched by the type and value of its id", () => {
  test.each([
    ["7", "7"],
    ["0", "0"],
    ["-3", "-3"],
    ['""', '""'],
    ['"7"', '"7"'],
    ["9007199254740993", "9007199254740993"],
    ["1", "1.0"],
    ['"\\u0061"', '"a"'],
    ["12345678901234567890123456789012345", "12345678901234567890123456789012345"],
  ])("%s is answered by %s", (asked, answered) => {
    const asks = call(1, "create").replace('"id":1', `"id":${asked}`);
    const answers = answer(1).replace('"id":1', `"id":${answered}`);
    play(enforce("create"))
      .client(asks)
      .expect(toServer(asks))
      .server(answers)
      .expect(verify({ id: 12, title: "t" }))
      .verdict(fail())
      .expect(recorded("fail", "record_missing"))
      .written()
      .expect(verdictIn(answers))
      .done();
  });

  test.each([
    ["1", '"1"'],
    ['"1"', "1"],
    ["1", "true"],
    ["9007199254740993", "9007199254740992"],
    ["1", "null"],
    ["1", "[1]"],
    ["0", '""'],
  ])("%s is not answered by %s", (asked, answered) => {
    const asks = call(1, "create").replace('"id":1', `"id":${asked}`);
    const answers = answer(1).replace('"id":1', `"id":${answered}`);
    play(enforce("create"))
      .client(asks)
      .expect(toServer(asks))
      .server(answers)
      .expect(toClient(answers))
      .end("serverExited")
      .expect(recorded("unknown", "no_response"), (command) => command?.type === "exit")
      .done();
  });

  test("a number and a string of the same digits in flight together are two calls", () => {
    play(shadow("create"))
      .client(call(1, "create", { title: "number" }) + call("1", "create", { title: "text" }))
      .expect(toServer(call(1, "create", { title: "number" }) + call("1", "create", { title: "text" })))
      .server(answer("1", 5))
      .expect(toClient(answer("1", 5)), verify({ id: 5, title: "text" }))
      .server(answer(1, 6))
      .expect(toClient(answer(1, 6)), verify({ id: 6, title: "number" }))
      .verdict(pass)
      .expect(recorded("pass", "postcondition_satisfied"))
      .verdict(fail())
      .expect(recorded("fail", "record_missing"))
      .done();
  });
});

describe("what is no answer", () => {
  test("a server request with the id of a pending call does not use the call up", () => {
    const elicits = request(7, "elicitation/create");
    const accepts = result(7, { action: "accept" });
    play(enforce("create"))
      .client(call(7, "create"))
      .expect(toServer(call(7, "create")))
      .server(elicits)
      .expect(toClient(elicits))
      .client(accepts)
      .expect(toServer(accepts))
      .server(answer(7))
      .expect(verify({ id: 12, title: "t" }))
      .verdict(fail())
      .expect(recorded("fail", "record_missing"))
      .written()
      .expect(verdictIn(answer(7)))
      .done();
  });

  test("a message with a method and a result is a request", () => {
    const odd = line('{"id":1,"method":"ping","result":{}}');
    play(enforce("create"))
      .client(call(1, "create"))
      .expect(toServer(call(1, "create")))
      .server(odd)
      .expect(toClient(odd))
      .done();
  });

  test("a line that looks like the answer but is not JSON does not use the call up", () => {
    const noise = line('{"id":1,"result":{"content":[]}} done');
    play(shadow("create"))
      .client(call(1, "create"))
      .expect(toServer(call(1, "create")))
      .server(noise)
      .expect(toClient(noise))
      .server(answer(1))
      .expect(toClient(answer(1)), verify({ id: 12, title: "t" }))
      .done();
  });

  test("a line that the server began before the call was sent cannot answer it", () => {
    const [head, tail] = [answer(1).slice(0, 20), answer(1).slice(20)];
    play(enforce("create"))
      .server(head)
      .expect(toClient(head))
      .client(call(1, "create"))
      .expect(toServer(call(1, "create")))
      .server(tail)
      .expect(toClient(tail))
      .server(answer(1))
      .expect(verify({ id: 12, title: "t" }))
      .done();
  });

  test("a second answer to a decided call is not checked", () => {
    play(shadow("create"))
      .client(call(1, "create"))
      .expect(toServer(call(1, "create")))
      .server(answer(1))
      .expect(toClient(answer(1)), verify({ id: 12, title: "t" }))
      .server(answer(1))
      .expect(toClient(answer(1)))
      .done();
  });

  test("a second answer cannot overtake the first one while that is held", () => {
    play(enforce("create"))
      .client(call(1, "create"))
      .expect(toServer(call(1, "create")))
      .server(answer(1))
      .expect(verify({ id: 12, title: "t" }))
      .server(answer(1, 13))
      .expect()
      .verdict(fail())
      .expect(recorded("fail", "record_missing"))
      .written()
      .expect(verdictIn(answer(1)), toClient(answer(1, 13)))
      .done();
  });
});

describe("the request is recognised however it is written", () => {
  test.each([
    '{"jsonrpc":"2.0","id":1,"method":"tools\\/call","params":{"name":"create","arguments":{"title":"t"}}}',
    '{"jsonrpc":"2.0","id":1,"method":"\\u0074ools/call","params":{"name":"creat\\u0065","arguments":{"title":"t"}}}',
    '{"params":{"arguments":{"title":"t"},"name":"create"},"id":1,"m\\u0065thod":"tools/call"}',
    ' \t{ "id" : 1 , "method" : "tools/call" , "params" : { "name" : "create" , "arguments" : { "title" : "t" } } } \r',
  ])("%s", (text) => {
    for (let cut = 0; cut <= text.length; cut += 7) {
      play(shadow("create"))
        .client(text.slice(0, cut))
        .expect(...(cut === 0 ? [] : [toServer(text.slice(0, cut))]))
        .client(`${text.slice(cut)}\n`)
        .expect(toServer(`${text.slice(cut)}\n`))
        .server(answer(1))
        .expect(toClient(answer(1)), verify({ id: 12, title: "t" }))
        .done();
    }
  });

  test("a call without its newline is known before its last byte is sent", () => {
    const asks = call(1, "create").trimEnd();
    play(shadow("create"))
      .client(asks)
      .expect(toServer(asks))
      .server(answer(1))
      .expect(toClient(answer(1)), verify({ id: 12, title: "t" }))
      .client("\n")
      .expect(toServer("\n"))
      .done();
  });

  test("a tool named like a member of every object is only protected when a contract names it", () => {
    play(shadow(contract("__proto__")))
      .client(call(1, "constructor"))
      .expect(toServer(call(1, "constructor")))
      .server(answer(1))
      .expect(toClient(answer(1)))
      .client(call(2, "__proto__", { title: "t" }))
      .expect(toServer(call(2, "__proto__", { title: "t" })))
      .server(answer(2))
      .expect(toClient(answer(2)), verify({ id: 12, title: "t" }))
      .done();
  });
});

describe("an id that cannot be trusted makes the call unknown, and nothing else", () => {
  test.each(["null", "true", "{}", "[1]", "1.5e99999999999"])("id %s", (id) => {
    const asks = call(1, "create").replace('"id":1', `"id":${id}`);
    play(enforce("create")).client(asks).expect(toServer(asks), AMBIGUOUS).done();
  });

  test.each([
    ["no id", '{"method":"tools/call","params":{"name":"create"}}'],
    ["two ids", '{"id":1,"id":2,"method":"tools/call","params":{"name":"create"}}'],
    ["two methods", '{"id":1,"method":"ping","method":"tools/call","params":{"name":"create"}}'],
    ["two names", '{"id":1,"method":"tools/call","params":{"name":"create","name":"other"}}'],
    ["two params", '{"id":1,"method":"tools/call","params":{"name":"create"},"params":{"name":"other"}}'],
  ])("%s", (_what, text) => {
    play(enforce("create"))
      .client(line(text))
      .expect(toServer(line(text)), AMBIGUOUS)
      .server(answer(1))
      .expect(toClient(answer(1)))
      .end("serverExited")
      .expect((command) => command?.type === "exit")
      .done();
  });

  test("one id for two protected calls in flight: both are unknown, neither answer is held, and so is a third", () => {
    play(enforce("create"))
      .client(call(1, "create"))
      .expect(toServer(call(1, "create")))
      .client(call(1, "create"))
      .expect(toServer(call(1, "create")), AMBIGUOUS, AMBIGUOUS)
      .server(answer(1) + answer(1))
      .expect(toClient(answer(1) + answer(1)))
      // Nobody can say which of the calls those two were for: one may still be answered.
      .client(call(1, "create"))
      .expect(toServer(call(1, "create")), AMBIGUOUS)
      .server(answer(1))
      .expect(toClient(answer(1)))
      .done();
  });

  test("an unprotected request that reuses the id of a protected call makes it unknown, either way round", () => {
    play(enforce("create"))
      .client(call(1, "create"))
      .expect(toServer(call(1, "create")))
      .client(request(1, "ping"))
      .expect(toServer(request(1, "ping")), AMBIGUOUS)
      .client(request(2, "ping"))
      .expect(toServer(request(2, "ping")))
      .client(call(2, "create"))
      .expect(toServer(call(2, "create")), AMBIGUOUS)
      .done();
  });

  test("an id used again after its answer is a new call", () => {
    const play1 = play(enforce("create"));
    for (const title of ["a", "b", "c"]) {
      play1
        .client(call(1, "create", { title }))
        .expect(toServer(call(1, "create", { title })))
        .server(answer(1))
        .expect(verify({ id: 12, title }))
        .verdict(pass)
        .expect(recorded("pass", "postcondition_satisfied"))
        .written()
        .expect(toClient(answer(1)));
    }
    play1.done();
  });

  test("an answer with two ids is nobody's, and its call is unknown", () => {
    const answers = answer(1).replace('"id":1', '"id":2,"id":1');
    play(enforce("create"))
      .client(call(1, "create"))
      .expect(toServer(call(1, "create")))
      .server(answers)
      .expect(AMBIGUOUS, toClient(answers))
      .done();
  });
});

describe("cancelling", () => {
  test("before the answer: one record, and a late answer passes", () => {
    play(enforce("create"))
      .client(call(9, "create"))
      .expect(toServer(call(9, "create")))
      .client(cancelled(9))
      .expect(toServer(cancelled(9)), recorded("unknown", "cancelled"))
      .server(answer(9))
      .expect(toClient(answer(9)))
      .done();
  });

  test("while the answer is held: the check is stopped, the answer dropped, the cancel goes on at once", () => {
    play(enforce("create"))
      .client(call(9, "create"))
      .expect(toServer(call(9, "create")))
      .server(answer(9))
      .expect(verify({ id: 12, title: "t" }))
      .client(cancelled(9))
      .expect(toServer(cancelled(9)), cancelsVerify, recorded("unknown", "cancelled"))
      .verdict({ ended: "cancelled" })
      .expect()
      .client(call(10, "create"))
      .expect(toServer(call(10, "create")))
      .done();
  });

  test("one call of a batch: the other answers of its line still go out", () => {
    const both = line([JSON.parse(answer(1)), JSON.parse(result(2, {}))]);
    play(enforce("create"))
      .client(call(1, "create") + request(2, "ping"))
      .expect(toServer(call(1, "create") + request(2, "ping")))
      .server(both)
      .expect(CHECK)
      .client(cancelled(1))
      .expect(toServer(cancelled(1)), cancelsVerify, recorded("unknown", "cancelled"))
      .written()
      .expect(toClient(both))
      .done();
  });

  test("when only the log is waited for: the answer goes out as its record says", () => {
    play(enforce("create"))
      .client(call(1, "create"))
      .expect(toServer(call(1, "create")))
      .server(answer(1))
      .expect(CHECK)
      .verdict(pass)
      .expect(recorded("pass", "postcondition_satisfied"))
      .client(cancelled(1))
      .expect(toServer(cancelled(1)))
      .written()
      .expect(toClient(answer(1)))
      .done();
  });

  test("an id that is used again after a cancel could get the late answer of the first call: unknown", () => {
    play(enforce("create"))
      .client(call(9, "create"))
      .expect(toServer(call(9, "create")))
      .client(cancelled(9))
      .expect(toServer(cancelled(9)), recorded("unknown", "cancelled"))
      .client(call(9, "create"))
      .expect(toServer(call(9, "create")), AMBIGUOUS)
      .done();
  });

  test("a cancel of something else changes nothing", () => {
    play(enforce("create"))
      .client(call(9, "create"))
      .expect(toServer(call(9, "create")))
      .client(cancelled("9"))
      .expect(toServer(cancelled("9")))
      .server(notification("notifications/cancelled", { requestId: 9 }))
      .expect(toClient(notification("notifications/cancelled", { requestId: 9 })))
      .server(answer(9))
      .expect(verify({ id: 12, title: "t" }))
      .done();
  });
});

describe("writes that overlap a check", () => {
  test("shadow: any other write during the check makes a would-be FAIL unknown; PASS stays PASS", () => {
    for (const [reply, status, reason] of [
      [fail(), "unknown", "overlapped"],
      [pass, "pass", "postcondition_satisfied"],
    ] as const) {
      play(shadow("create"))
        .client(call(1, "create"))
        .expect(toServer(call(1, "create")))
        .server(answer(1))
        .expect(toClient(answer(1)), verify({ id: 12, title: "t" }))
        .client(call(2, "other"))
        .expect(toServer(call(2, "other")))
        .verdict(reply)
        .expect(recorded(status, reason))
        .done();
    }
  });

  test("shadow: a tool that the server says only reads does not disturb a check", () => {
    const tools = result(0, { tools: [{ name: "get", annotations: { readOnlyHint: true } }, { name: "create" }] });
    play(shadow("create"))
      .client(request(0, "tools/list"))
      .expect(toServer(request(0, "tools/list")))
      .server(tools)
      .expect(toClient(tools))
      .client(call(1, "create"))
      .expect(toServer(call(1, "create")))
      .server(answer(1))
      .expect(toClient(answer(1)), verify({ id: 12, title: "t" }))
      .client(call(2, "get"))
      .expect(toServer(call(2, "get")))
      .verdict(fail())
      .expect(recorded("fail", "record_missing"))
      .done();
  });

  test("two creates side by side do not excuse each other, even with one id", () => {
    for (const mode of [shadow, enforce]) {
      const answers = answer(1) + answer(2);
      play(mode("create"))
        .client(call(1, "create") + call(2, "create"))
        .expect(toServer(call(1, "create") + call(2, "create")))
        .server(answers)
        .expect(
          ...(mode === shadow ? [toClient(answers)] : []),
          verify({ id: 12, title: "t" }),
          verify({ id: 12, title: "t" }),
        )
        .verdict(fail())
        .expect(recorded("fail", "record_missing"))
        .verdict(fail())
        .expect(recorded("fail", "record_missing"))
        .feed({ type: "stop", now: 0 })
        .expect(...(mode === shadow ? [] : [verdictIn(answer(1)), verdictIn(answer(2))]))
        .done();
    }
  });

  test("enforce: a write whose arguments name the record during its check makes a would-be FAIL unknown", () => {
    for (const args of [{ issue: 12 }, { deep: [{ id: "12" }] }]) {
      play(enforce("create"))
        .client(call(1, "create"))
        .expect(toServer(call(1, "create")))
        .server(answer(1, 12))
        .expect(verify({ id: 12, title: "t" }))
        .client(call(2, "close", args))
        .expect(toServer(call(2, "close", args)))
        .verdict(fail())
        .expect(recorded("unknown", "overlapped"))
        .written()
        .expect(toClient(answer(1, 12)))
        .done();
    }
  });

  test("enforce: a write whose arguments cannot be read may write any record", () => {
    const long = call(2, "other", { id: 7, text: "x".repeat(5000) });
    const doubled = line(
      '{"id":2,"method":"tools/call","params":{"name":"other","arguments":{},"arguments":{"id":7}}}',
    );
    for (const write of [long, doubled]) {
      play(options("enforce", [updateContract("update")], { maxInspectBytes: 4096 }))
        .client(call(1, "update", { id: 7 }))
        .expect(toServer(call(1, "update", { id: 7 })))
        .server(answer(1))
        .expect(verify({ id: 7 }))
        .client(write)
        .expect(toServer(write))
        .verdict(fail())
        .expect(recorded("unknown", "overlapped"))
        .written()
        .expect(toClient(answer(1)))
        .done();
    }
  });

  test("enforce: a write to another record does not", () => {
    play(enforce("create"))
      .client(call(1, "create"))
      .expect(toServer(call(1, "create")))
      .server(answer(1, 12))
      .expect(verify({ id: 12, title: "t" }))
      .client(call(2, "close", { issue: 13 }))
      .expect(toServer(call(2, "close", { issue: 13 })))
      .verdict(fail())
      .expect(recorded("fail", "record_missing"))
      .written()
      .expect(verdictIn(answer(1, 12)))
      .done();
  });

  test.each(["cancelled", "ambiguous"])(
    "a call that was given up (%s) may still write: for a minute nothing about its record can fail",
    (how) => {
      const given = call(1, "update", { id: 7 });
      const up = how === "cancelled" ? cancelled(1) : request(1, "ping");
      const reason = how === "cancelled" ? "cancelled" : "request_id_ambiguous";
      const again = (id: number) => call(id, "update", { id: 7 });
      play(options("enforce", [updateContract("update")]))
        .client(given)
        .expect(toServer(given))
        .client(up)
        .expect(toServer(up), recorded("unknown", reason))
        .client(again(2))
        .expect(toServer(again(2)))
        .server(answer(2))
        .expect(verify({ id: 7 }))
        .verdict(fail())
        .expect(recorded("unknown", "overlapped"))
        .written()
        .expect(toClient(answer(2)))
        .wait(60_000)
        .client(again(3))
        .expect(toServer(again(3)))
        .server(answer(3))
        .expect(verify({ id: 7 }))
        .verdict(fail())
        .expect(recorded("fail", "record_missing"))
        .written()
        .expect(verdictIn(answer(3)))
        .done();
    },
  );

  test("two updates of one record in flight together: either may act last, so neither can fail", () => {
    const asks = call(1, "update", { id: "A-1" }) + call(2, "update", { id: "A-1" }) + call(3, "update", { id: "A-2" });
    play(enforce(updateContract("update")))
      .client(asks)
      .expect(toServer(asks))
      .server(answer(2) + answer(1) + answer(3))
      .expect(verify({ id: "A-1" }), verify({ id: "A-1" }), verify({ id: "A-2" }))
      .verdict(fail())
      .expect(recorded("unknown", "overlapped"))
      .verdict(fail())
      .expect(recorded("unknown", "overlapped"))
      .verdict(fail())
      .expect(recorded("fail", "record_missing"))
      .done();
  });
});
