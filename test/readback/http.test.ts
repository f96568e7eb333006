// The HTTP read-back against a system of record that answers well, badly, late or never: what leaves, and what is made of it.

import { createServer } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { type Answer, api, inTurn, json } from "./api.ts";
import { fieldsOf, run } from "./reading.ts";

const about = (origin: string, more: object = {}) => ({
  type: "http",
  url_template: `${origin}/issues/{id}`,
  expected_fields: { title: "title" },
  attempts: 1,
  interval_ms: 0,
  ...more,
});

const good = { id: 7, title: "t" };

describe("a clear answer", () => {
  test("with the expected values is PASS, at the first attempt", async () => {
    const system = await api(json(good));
    expect(await run(about(system.origin, { attempts: 3 }))).toMatchObject({ type: "pass", attempts: 1, status: 200 });
    expect(system.asked).toHaveLength(1);
    expect(system.asked[0]).toMatchObject({ method: "GET", url: "/issues/7", body: "" });
    expect(system.asked[0]!.headers).toMatchObject({ accept: "application/json" });
    expect(system.asked[0]!.headers["user-agent"]).toMatch(/^fourgate\//);
  });

  test("with other values is FAIL when all attempts agree, and names what is not met", async () => {
    const system = await api(json({ title: "other" }));
    expect(await run(about(system.origin, { attempts: 3 }))).toMatchObject({
      type: "fail",
      reason: "field_mismatch",
      attempts: 3,
      unmet: ["title"],
      fields: ["title"],
    });
  });

  test("that differs between attempts is UNKNOWN", async () => {
    const system = await api(inTurn(json({ title: "a" }), json({ title: "b" })));
    expect(await run(about(system.origin, { attempts: 2 }))).toMatchObject({ reason: "readback_inconsistent" });
  });

  test("that comes late within the attempts is PASS", async () => {
    const system = await api(inTurn(json({}, 404), json({}, 404), json(good)));
    expect(await run(about(system.origin, { attempts: 3, missing_statuses: [404] }))).toMatchObject({
      type: "pass",
      attempts: 3,
    });
  });

  test.each([404, 410])("of a listed status %i is FAIL", async (status) => {
    const system = await api(json({}, status));
    const outcome = await run(about(system.origin, { missing_statuses: [404, 410] }));
    expect(outcome).toMatchObject({ type: "fail", reason: "record_missing", status });
  });

  test("may begin with a byte order mark", async () => {
    const system = await api(json(`\ufeff${JSON.stringify(good)}`));
    expect(await run(about(system.origin))).toMatchObject({ type: "pass" });
  });

  test.each([
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
  ])("may come compressed by %s, although that was not asked for", async (encoding, compress) => {
    const system = await api((response, { headers }) => {
      expect(headers["accept-encoding"]).toBe("identity");
      response.writeHead(200, { "content-encoding": encoding }).end(compress(JSON.stringify(good)));
    });
    expect(await run(about(system.origin))).toMatchObject({ type: "pass" });
  });

  test("may come one byte at a time, if all of it comes in time", async () => {
    const system = await api((response) => {
      response.writeHead(200);
      const bytes = [...JSON.stringify(good)];
      const timer = setInterval(() => {
        response.write(bytes.shift()!);
        if (bytes.length > 0) return;
        clearInterval(timer);
        response.end();
      }, 1);
    });
    expect(await run(about(system.origin))).toMatchObject({ type: "pass" });
  });
});

const html: Answer = (response) => {
  response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Sign in</title>");
};
const large: Answer = (response) => {
  response.writeHead(200).end(JSON.stringify({ title: "t", more: "x".repeat(2 * 1024 * 1024) }));
};
const largeUntold: Answer = (response) => {
  response.writeHead(200, { "transfer-encoding": "chunked" });
  response.write(`{"title":"t","more":"`);
  const more = () => {
    while (!response.destroyed && response.write("x".repeat(65536)));
    response.once("drain", more);
  };
  more();
};
// Made ahead: while it is made, nothing else here runs.
const bombBody = gzipSync(JSON.stringify({ title: "t", more: "x".repeat(16 * 1024 * 1024) }), { level: 1 });
const bomb: Answer = (response) => {
  response.writeHead(200, { "content-encoding": "gzip" }).end(bombBody);
};
const half: Answer = (response) => {
  response.writeHead(200, { "content-length": "1000" });
  response.write(`{"title":"t"`, () => response.destroy());
};
const tooLong: Answer = (response) => {
  response.socket!.end('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n{"title":"t"}');
};
const notHttp: Answer = (response) => {
  response.socket!.end("hello\r\n");
};
/** Writes an answer as it stands, and then ends the connection in good order. */
const raw =
  (head: string, body = JSON.stringify(good)): Answer =>
  (response) => {
    response.socket!.end(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n${body}`);
  };
const switched: Answer = (response) => {
  response.socket!.end("HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n");
};
const badGzip: Answer = (response) => {
  response.writeHead(200, { "content-encoding": "gzip" }).end(JSON.stringify(good));
};

// Status, reason, and what is to be told; nothing here may ever be PASS or FAIL.
describe("doubt is UNKNOWN", () => {
  const ways: [string, Answer, string, RegExp][] = [
    ...[400, 401, 403, 404, 405, 409, 410, 418, 429, 500, 502, 503].map((status): [string, Answer, string, RegExp] => [
      `status ${status}`,
      json(good, status),
      "readback_unconfirmed",
      new RegExp(`GET ${status}`),
    ]),
    ["status 201 with the record", json(good, 201), "readback_unconfirmed", /GET 201/],
    ["status 204", (response) => response.writeHead(204).end(), "readback_unconfirmed", /GET 204/],
    ["status 206 with a part", json(good, 206), "readback_unconfirmed", /GET 206/],
    ["status 304", (response) => response.writeHead(304).end(), "readback_unconfirmed", /GET 304, a redirect/],
    ["a page instead of JSON", html, "readback_error", /not JSON/],
    ["an empty body", (response) => response.writeHead(200).end(), "readback_error", /empty body/],
    ["a list", json([good]), "readback_unconfirmed", /not an object/],
    ["an empty list", json([]), "readback_unconfirmed", /not an object/],
    ["null", json(null), "readback_unconfirmed", /not an object/],
    ["another shape", json({ data: good }), "readback_shape_invalid", /title is not in what was read/],
    ["a key that is given twice", json('{"title":"t","title":"u"}'), "readback_shape_invalid", /title/],
    ["JSON that is cut off", json('{"title":"t"'), "readback_error", /not JSON/],
    ["two JSON values", json('{"title":"t"} {}'), "readback_error", /not JSON/],
    ["100,000 brackets", json("[".repeat(100_000)), "readback_error", /not JSON/],
    [
      "bytes that are not UTF-8",
      (response) => response.writeHead(200).end(Buffer.from('{"title":"\xff"}', "latin1")),
      "readback_error",
      /not UTF-8/,
    ],
    ["a body of 2 MiB", large, "readback_unconfirmed", /more than 1 MiB/],
    ["a body without an end", largeUntold, "readback_unconfirmed", /more than 1 MiB/],
    ["16 MiB compressed into little", bomb, "readback_unconfirmed", /more than 1 MiB/],
    ["a body that is not what its header says", badGzip, "readback_unconfirmed", /cannot be decompressed/],
    ["half a body", half, "readback_error", /GET [A-Z_]+/],
    ["a body longer than it says", tooLong, "readback_error", /not JSON|GET [A-Z_]+/],
    ["something that is not HTTP", notHttp, "readback_error", /GET [A-Z_]+/],
    ["a whole record in a body that is cut short", raw("content-length: 1000"), "readback_error", /GET [A-Z_]+/],
    [
      "chunks without the last",
      raw("transfer-encoding: chunked", 'd\r\n{"title":"t"}\r\n'),
      "readback_error",
      /GET [A-Z_]+/,
    ],
    ["two lengths", raw("content-length: 20\r\ncontent-length: 13"), "readback_error", /GET HPE_/],
    [
      "a length and chunks",
      raw("content-length: 13\r\ntransfer-encoding: chunked", 'd\r\n{"title":"t"}\r\n0\r\n\r\n'),
      "readback_error",
      /GET HPE_/,
    ],
    ["headers of 32 KiB", raw(`x: ${"y".repeat(32_768)}`), "readback_error", /GET HPE_HEADER_OVERFLOW/],
    ["another protocol", switched, "readback_error", /GET [A-Z_]+/],
    ["a connection that is cut", (response) => response.destroy(), "readback_error", /GET [A-Z_]+/],
  ];
  test.each(ways)("%s", async (_, answer, reason, note) => {
    const system = await api(answer);
    const outcome = await run(about(system.origin, { attempts: 2 }));
    expect(outcome).toMatchObject({ type: "unknown", reason });
    expect(outcome.note).toMatch(note);
  });

  test("a connection that is refused", async () => {
    const system = await api(json(good));
    await system.close();
    const outcome = await run(about(system.origin));
    expect(outcome).toMatchObject({ type: "unknown", reason: "readback_error", note: "GET ECONNREFUSED" });
  });

  test("a name that nobody knows", async () => {
    const outcome = await run(about("https://no-such-host.invalid"));
    expect(outcome).toMatchObject({ type: "unknown", reason: "readback_error" });
    expect(outcome.note).toMatch(/GET (ENOTFOUND|EAI_AGAIN)/);
  });

  test("HTTPS where there is only HTTP", async () => {
    const system = await api(json(good));
    const outcome = await run(about(`https://127.0.0.1:${system.port}`));
    expect(outcome).toMatchObject({ type: "unknown", reason: "readback_error" });
  });

  test("a mismatch, then a 503: the attempts disagree", async () => {
    const system = await api(inTurn(json({ title: "x" }), json({}, 503)));
    expect(await run(about(system.origin, { attempts: 2 }))).toMatchObject({ reason: "readback_inconsistent" });
  });
});

describe("a redirect", () => {
  test("is never followed, and no credential reaches another port", async () => {
    const other = await api(json(good));
    for (const status of [301, 302, 303, 307, 308]) {
      const system = await api((response) =>
        response.writeHead(status, { location: `${other.origin}/issues/7` }).end(),
      );
      const auth = { scheme: "header", header: "x-api-key" };
      const outcome = await run(about(system.origin, { token_env: "TOKEN", auth }), { environment: { TOKEN: "k" } });
      expect(outcome).toMatchObject({ type: "unknown", reason: "readback_unconfirmed", status });
      expect(outcome.note).toMatch(/redirect/);
      expect(system.asked[0]!.headers["x-api-key"]).toBe("k");
    }
    expect(other.connections()).toBe(0);
  });

  test("to the same place is not followed either", async () => {
    const system = await api((response) => response.writeHead(302, { location: "/issues/8" }).end());
    await run(about(system.origin));
    expect(system.asked.map(({ url }) => url)).toEqual(["/issues/7"]);
  });
});

describe("time", () => {
  const timed = async (answer: Answer, more: object = {}) => {
    const system = await api(answer);
    const begin = performance.now();
    const outcome = await run(about(system.origin, { timeout_ms: 300, ...more }));
    return { outcome, ms: performance.now() - begin };
  };

  test("ends a read that is never answered", async () => {
    const { outcome, ms } = await timed(() => {});
    expect(outcome).toMatchObject({ type: "unknown", reason: "readback_timeout" });
    expect(ms).toBeGreaterThanOrEqual(290);
    expect(ms).toBeLessThan(1200);
  });

  test("covers the body, one byte at a time", async () => {
    const { outcome, ms } = await timed((response) => {
      response.writeHead(200);
      response.write("{");
      const timer = setInterval(() => response.write(" "), 20);
      response.on("close", () => clearInterval(timer));
    });
    expect(outcome).toMatchObject({ type: "unknown", reason: "readback_timeout" });
    expect(ms).toBeLessThan(1200);
  });

  test("covers all attempts and their pauses together", async () => {
    const { outcome, ms } = await timed(json({ title: "x" }), { attempts: 5, interval_ms: 200 });
    expect(outcome).toMatchObject({ type: "fail", attempts: 2 });
    expect(ms).toBeLessThan(1200);
  });

  test("covers a port that accepts and says nothing", async () => {
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const { port } = silent.address() as { port: number };
    const outcome = await run(about(`https://127.0.0.1:${port}`, { timeout_ms: 200 }));
    expect(outcome).toMatchObject({ type: "unknown", reason: "readback_timeout" });
    silent.close();
  });

  test("waits as long as Retry-After says, when there is time", async () => {
    const system = await api(inTurn(json({}, 429, { "retry-after": "1" }), json(good)));
    const begin = performance.now();
    expect(await run(about(system.origin, { attempts: 2, timeout_ms: 5000 }))).toMatchObject({
      type: "pass",
      attempts: 2,
    });
    expect(performance.now() - begin).toBeGreaterThanOrEqual(990);
  });

  test.each(["60", new Date(Date.now() + 60_000).toUTCString()])(
    "does not ask again when Retry-After says %s and there is not that much",
    async (retryAfter) => {
      const system = await api(json({}, 429, { "retry-after": retryAfter }));
      const outcome = await run(about(system.origin, { attempts: 5, timeout_ms: 2000 }));
      expect(outcome).toMatchObject({ type: "unknown", reason: "readback_unconfirmed", status: 429, attempts: 1 });
      expect(system.asked).toHaveLength(1);
    },
  );

  test("a cancelled read ends at once", async () => {
    const cancel = new AbortController();
    const system = await api(() => cancel.abort());
    const begin = performance.now();
    await run(about(system.origin, { attempts: 5, interval_ms: 2000 }), { signal: cancel.signal });
    expect(performance.now() - begin).toBeLessThan(1500);
    expect(system.asked).toHaveLength(1);
  });
});

describe("values in the address", () => {
  const url = async (id: string, template = "/issues/{id}") => {
    const system = await api(json(good));
    const outcome = await run(
      { ...about(system.origin), url_template: `${system.origin}${template}` },
      { fields: fieldsOf({ title: "t" }, { id }) },
    );
    return { asked: system.asked.map((one) => one.url), outcome, connections: system.connections() };
  };

  test.each([
    ["7", "/issues/7"],
    ["1915883588174806058", "/issues/1915883588174806058"],
    ["0.1000000000000000055511151231257827", "/issues/0.1000000000000000055511151231257827"],
    ["-1", "/issues/-1"],
    ["true", "/issues/true"],
    ['"DEMO-1"', "/issues/DEMO-1"],
    ['"a/b"', "/issues/a%2Fb"],
    ['"a?b&c=d#e"', "/issues/a%3Fb%26c%3Dd%23e"],
    ['"a b+c"', "/issues/a%20b%2Bc"],
    ['"é😀"', "/issues/%C3%A9%F0%9F%98%80"],
    ['"50%"', "/issues/50%25"],
    ['"(x)*\'!"', "/issues/%28x%29%2A%27%21"],
    ['"a..b"', "/issues/a..b"],
    ['"..."', "/issues/..."],
    ['"http://other.example/"', "/issues/http%3A%2F%2Fother.example%2F"],
    ['"@other.example"', "/issues/%40other.example"],
  ])("%s is asked as %s", async (id, expected) => {
    const { asked, outcome } = await url(id);
    expect(asked).toEqual([expected]);
    expect(outcome.type).toBe("pass");
  });

  test.each([
    "null",
    '""',
    '"."',
    '".."',
    '"../x"',
    '"x/../y"',
    '"a\\\\..\\\\b"',
    '"%2e%2e"',
    '"%2E"',
    '".%2e"',
    '"%252e%252e"',
    '"..;"',
    '"a\\r\\nHost: x"',
    '"a\\nb"',
    '"a%0d%0ab"',
    '"a\\u0000b"',
    '"\\u202eb"',
    '"\\ud800"',
    "{}",
    '{"a":1}',
    "[]",
    "[7]",
  ])("%s is never sent", async (id) => {
    const { outcome, connections } = await url(id);
    expect(outcome).toMatchObject({ type: "unknown", reason: "readback_selector_invalid", attempts: 1 });
    expect(connections).toBe(0);
  });

  test("a field that is missing is never sent", async () => {
    const system = await api(json(good));
    const outcome = await run(about(system.origin), { fields: fieldsOf({ title: "t" }) });
    expect(outcome).toMatchObject({ reason: "readback_selector_invalid" });
    expect(system.connections()).toBe(0);
  });

  test("a dot that becomes a step by the text around it is never sent", async () => {
    const { outcome, connections } = await url('"."', "/issues/.{id}");
    expect(outcome).toMatchObject({ reason: "readback_selector_invalid" });
    expect(connections).toBe(0);
  });

  test("may stand in the query, several times", async () => {
    const { asked } = await url('"a&b"', "/search?q={id}&again={id}&fixed=%20");
    expect(asked).toEqual(["/search?q=a%26b&again=a%26b&fixed=%20"]);
  });
});

describe("who asks", () => {
  const sent = async (more: object, environment: Record<string, string>) => {
    const system = await api(json(good));
    const outcome = await run(about(system.origin, more), { environment });
    return { headers: system.asked[0]?.headers, outcome };
  };
  const base64 = (text: string) => Buffer.from(text).toString("base64");

  test.each<[string, object, Record<string, string>, Record<string, string | undefined>]>([
    ["a token alone is a bearer token", { token_env: "T" }, { T: "tok" }, { authorization: "Bearer tok" }],
    ["bearer", { token_env: "T", auth: { scheme: "bearer" } }, { T: "tok" }, { authorization: "Bearer tok" }],
    [
      "a header with a prefix, and no Authorization beside it",
      { token_env: "T", auth: { scheme: "header", header: "PRIVATE-TOKEN", prefix: "k=" } },
      { T: "tok" },
      { "private-token": "k=tok", authorization: undefined },
    ],
    [
      "Authorization with a scheme of one's own",
      { token_env: "T", auth: { scheme: "header", header: "Authorization", prefix: "Token " } },
      { T: "tok" },
      { authorization: "Token tok" },
    ],
    [
      "basic with a fixed user",
      { token_env: "T", auth: { scheme: "basic", username: "bot" } },
      { T: "tok" },
      { authorization: `Basic ${base64("bot:tok")}` },
    ],
    [
      "basic with a user from a variable",
      { token_env: "T", auth: { scheme: "basic", username_env: "U" } },
      { T: "tok", U: "bot@example.org" },
      { authorization: `Basic ${base64("bot@example.org:tok")}` },
    ],
    [
      "basic with the token as the user",
      { token_env: "T", auth: { scheme: "basic", token_as: "username", password: "x" } },
      { T: "tok" },
      { authorization: `Basic ${base64("tok:x")}` },
    ],
    ["nobody", {}, { T: "tok" }, { authorization: undefined }],
    ["fixed headers replace the usual ones", { headers: { ACCEPT: "a/b" } }, {}, { accept: "a/b" }],
  ])("%s", async (_, more, environment, headers) => {
    const seen = await sent(more, environment);
    expect(seen.outcome.type).toBe("pass");
    for (const [name, value] of Object.entries(headers)) expect(seen.headers![name]).toBe(value);
  });

  test.each<[string, object, Record<string, string>]>([
    ["not set", { token_env: "T" }, {}],
    ["empty", { token_env: "T" }, { T: "" }],
    ["a line too many", { token_env: "T" }, { T: "tok\nX-Other: 1" }],
    ["beyond ASCII", { token_env: "T" }, { T: "tök" }],
    ["a user that is not set", { token_env: "T", auth: { scheme: "basic", username_env: "U" } }, { T: "tok" }],
    ["a user with a colon", { token_env: "T", auth: { scheme: "basic", username_env: "U" } }, { T: "tok", U: "a:b" }],
  ])("a credential that is %s: nothing is asked, and once", async (_, more, environment) => {
    const { headers, outcome } = await sent({ ...more, attempts: 5 }, environment);
    expect(outcome).toMatchObject({ type: "unknown", reason: "credential_missing", attempts: 1 });
    expect(outcome.note).not.toMatch(/tok|tök|a:b/);
    expect(headers).toBeUndefined();
  });
});
