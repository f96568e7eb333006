// A request for input (revision 2026-07-28) is no outcome; the call that brings the input is another call with its own.

import { expect, test } from "vitest";
import { MAX_FOLLOWED_CALLS } from "../../../src/core/limits.ts";
import {
  answer,
  call,
  enforce,
  exits,
  fail,
  line,
  play,
  recorded,
  result,
  toClient,
  toServer,
  updateContract,
  verdictIn,
  verify,
} from "../../playbook.ts";

const asks = (id: unknown, requestState?: string) =>
  result(id, { resultType: "input_required", inputRequests: { who: {} }, requestState });
const retry = (id: unknown, params: object, title = "t") =>
  line({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "create", arguments: { title }, ...params } });

const answered = { inputResponses: { who: {} } };

test("the first call leaves no record; the retry is checked with its own arguments", () => {
  const second = retry(2, { ...answered, requestState: "s1" }, "changed");
  play(enforce("create"))
    .client(call(1, "create"))
    .expect(toServer(call(1, "create")))
    .server(asks(1, "s1"))
    .expect(toClient(asks(1, "s1")))
    .client(second)
    .expect(toServer(second))
    .server(answer(2))
    .expect(verify({ id: 12, title: "changed" }))
    .verdict(fail())
    .expect(recorded("fail", "record_missing"))
    .written()
    .expect(verdictIn(answer(2)))
    .end("serverExited")
    .expect(exits)
    .done();
});

test("without a state the input alone marks the retry", () => {
  const second = retry(2, answered);
  play(enforce("create"))
    .client(call(1, "create"))
    .expect(toServer(call(1, "create")))
    .server(asks(1))
    .expect(toClient(asks(1)))
    .client(second)
    .expect(toServer(second))
    .end("serverExited")
    .expect(recorded("unknown", "no_response"), exits)
    .done();
});

test.each([
  ["another state", retry(2, { ...answered, requestState: "s2" })],
  ["no state", retry(2, answered)],
  ["a new call", call(2, "create")],
  [
    "a state given twice",
    retry(2, answered).replace('"inputResponses"', '"requestState":"s1","requestState":"s1","inputResponses"'),
  ],
])("%s is not the retry: the first call is deferred", (_what, second) => {
  play(enforce("create"))
    .client(call(1, "create"))
    .expect(toServer(call(1, "create")))
    .server(asks(1, "s1"))
    .expect(toClient(asks(1, "s1")))
    .client(second)
    .expect(toServer(second))
    .end("serverExited")
    .expect(recorded("unknown", "deferred"), recorded("unknown", "no_response"), exits)
    .done();
});

test("states are compared after unescaping, and rounds may follow each other", () => {
  const second = retry(2, answered).replace(
    '"inputResponses"',
    String.raw`"requestState":"\u0073\/1","inputResponses"`,
  );
  const third = retry(3, { ...answered, requestState: "s2" });
  play(enforce("create"))
    .client(call(1, "create"))
    .expect(toServer(call(1, "create")))
    .server(asks(1, "s/1"))
    .expect(toClient(asks(1, "s/1")))
    .client(second)
    .expect(toServer(second))
    .server(asks(2, "s2"))
    .expect(toClient(asks(2, "s2")))
    .client(third)
    .expect(toServer(third))
    .end("serverExited")
    .expect(recorded("unknown", "no_response"), exits)
    .done();
});

test("the retry of an update does not overlap with the call that it stands for", () => {
  const first = line({ id: 1, method: "tools/call", params: { name: "update", arguments: { id: 7 } } });
  const second = line({
    id: 2,
    method: "tools/call",
    params: { name: "update", arguments: { id: 7 }, ...answered, requestState: "s" },
  });
  play(enforce(updateContract("update")))
    .client(first)
    .expect(toServer(first))
    .server(asks(1, "s"))
    .expect(toClient(asks(1, "s")))
    .client(second)
    .expect(toServer(second))
    .server(result(2, { content: [] }))
    .expect(verify({ id: 7 }))
    .verdict(fail())
    .expect(recorded("fail", "record_missing"))
    .written()
    .expect(verdictIn(result(2, { content: [] })))
    .done();
});

test("more open questions than are remembered: the oldest is recorded as deferred", () => {
  const playing = play(enforce("create"));
  for (let id = 0; id <= MAX_FOLLOWED_CALLS; id++) {
    const asked = asks(id, `s${id}`);
    playing
      .client(call(id, "create"))
      .expect(toServer(call(id, "create")))
      .server(asked);
    if (id < MAX_FOLLOWED_CALLS) playing.expect(toClient(asked));
    else playing.expect(recorded("unknown", "deferred"), toClient(asked));
  }
  expect(playing.session.retries).toHaveLength(MAX_FOLLOWED_CALLS);
});
