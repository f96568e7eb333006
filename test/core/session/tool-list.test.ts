// A contract for a tool that the server does not have guards nothing, and somebody should say so.

import { describe, expect, test } from "vitest";
import type { Command } from "../../../src/core/session/types.ts";
import { enforce, notification, play, request, result, toClient, toServer } from "../../playbook.ts";

const list = (id: unknown, cursor?: unknown) => request(id, "tools/list", cursor === undefined ? {} : { cursor });
const page = (id: unknown, names: string[], nextCursor?: unknown) =>
  result(id, { tools: names.map((name) => ({ name })), nextCursor });
const missing =
  (...tools: [string, (string | undefined)?][]) =>
  (command: Command | undefined): void =>
    expect(command).toEqual({
      type: "note",
      note: { code: "tools_missing", tools: tools.map(([tool, nearest]) => ({ tool, nearest })) },
    });

describe("the list has no such tool", () => {
  test.each([
    ["a prefix of the client's", "mcp__jira__create_issue", ["create", "create_issue", "delete_issue"], "create_issue"],
    ["a name cut short", "issue", ["create_issue", "ping"], "create_issue"],
    ["a slip", "create_isue", ["create_issue"], "create_issue"],
    ["nothing near", "create_issue", ["ping"], undefined],
    ["no tools at all", "create_issue", [], undefined],
  ])("%s", (_what, tool, names, nearest) => {
    play(enforce(tool))
      .client(list(1))
      .expect(toServer(list(1)))
      .server(page(1, names))
      .expect(toClient(page(1, names)), missing([tool, nearest]))
      .done();
  });

  test("said once, and again only when a tool vanishes later", () => {
    const playing = play(enforce("a_tool", "b_tool"));
    const changed = notification("notifications/tools/list_changed");
    let id = 0;
    const read = (names: string[]) => {
      id++;
      return playing
        .client(list(id))
        .expect(toServer(list(id)))
        .server(page(id, names));
    };
    read(["b_tool"]).expect(toClient(page(id, ["b_tool"])), missing(["a_tool", "b_tool"]));
    read(["b_tool"]).expect(toClient(page(id, ["b_tool"])));
    playing.server(changed).expect(toClient(changed));
    read([]).expect(toClient(page(id, [])), missing(["b_tool"]));
    read(["a_tool", "b_tool"]).expect(toClient(page(id, ["a_tool", "b_tool"])));
    read(["b_tool"])
      .expect(toClient(page(id, ["b_tool"])), missing(["a_tool", "b_tool"]))
      .done();
  });
});

describe("nothing is said before the whole list is known", () => {
  test("pages", () => {
    play(enforce("a_tool", "c_tool"))
      .client(list(1))
      .expect(toServer(list(1)))
      .server(page(1, ["a_tool"], "p2"))
      .expect(toClient(page(1, ["a_tool"], "p2")))
      .client(list(2, "p2"))
      .expect(toServer(list(2, "p2")))
      .server(page(2, ["b"], "p3"))
      .expect(toClient(page(2, ["b"], "p3")))
      .client(list(3, "p3"))
      .expect(toServer(list(3, "p3")))
      .server(page(3, ["c_tool"]))
      .expect(toClient(page(3, ["c_tool"])))
      .done();
  });

  test("the last page alone says nothing about the others", () => {
    play(enforce("a_tool"))
      .client(list(1, "from an earlier session"))
      .expect(toServer(list(1, "from an earlier session")))
      .server(page(1, ["b"]))
      .expect(toClient(page(1, ["b"])))
      .done();
  });

  test.each([
    ["an error", (id: number) => `${JSON.stringify({ id, error: { code: -32601, message: "no" } })}\n`],
    ["no list", (id: number) => result(id, { tools: "none" })],
    ["an odd cursor", (id: number) => page(id, ["b"], 7)],
  ])("%s", (_what, reply) => {
    play(enforce("a_tool"))
      .client(list(1))
      .expect(toServer(list(1)))
      .server(reply(1))
      .expect(toClient(reply(1)))
      .done();
  });
});
