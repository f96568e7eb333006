// What lies between a read and its system: connections that are kept and lost, proxies, names with several addresses.

import { lookup } from "node:dns/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import type { Fields } from "../../src/core/select/types.ts";
import { type Adapter, openAdapter } from "../../src/readback/adapter.ts";
import { api, json } from "./api.ts";
import { fieldsOf, readback, run } from "./reading.ts";

const adapters: Adapter[] = [];
const proxies: Server[] = [];
afterEach(async () => {
  for (const adapter of adapters.splice(0)) await adapter.close();
  for (const proxy of proxies.splice(0)) await new Promise<void>((resolve) => proxy.close(() => resolve()));
});

const about = (origin: string) => ({
  type: "http",
  url_template: `${origin}/issues/{id}`,
  expected_fields: { title: "title" },
  attempts: 1,
});

async function reader(origin: string): Promise<() => Promise<string>> {
  const adapter = await openAdapter((await readback(about(origin))).source, { environment: {} });
  adapters.push(adapter);
  const fields: Fields = fieldsOf({ id: 7 });
  return async () => {
    const { signal } = new AbortController();
    const seen = await adapter.read({ fields, limitMs: 2000, signal });
    return seen.type === "doubt" ? `doubt: ${seen.note}` : seen.type;
  };
}

test("two reads share a connection", async () => {
  const system = await api(json({ title: "t" }));
  const read = await reader(system.origin);
  for (let i = 0; i < 3; i++) {
    expect(await read()).toBe("record");
    // A connection is free again a turn after its answer.
    await new Promise((turn) => setImmediate(turn));
  }
  expect(system.connections()).toBe(1);
});

test("a kept connection that the system has cut is replaced without a word", async () => {
  const system = await api(json({ title: "t" }));
  const read = await reader(system.origin);
  expect(await read()).toBe("record");
  system.cut();
  expect(await read()).toBe("record");
});

test("a kept connection that is cut when it is used is replaced, once", async () => {
  let cutting = false;
  const system = await api((response, asked, nth) => {
    if (!cutting) return json({ title: "t" })(response, asked, nth);
    cutting = false;
    response.socket!.destroy();
  });
  const read = await reader(system.origin);
  expect(await read()).toBe("record");
  cutting = true;
  expect(await read()).toBe("record");
  expect(system.asked).toHaveLength(3);
});

test("a read that the system cuts every time is a doubt, not an endless loop", async () => {
  let cutting = false;
  const system = await api((response, asked, nth) =>
    cutting ? void response.socket!.destroy() : json({ title: "t" })(response, asked, nth),
  );
  const read = await reader(system.origin);
  expect(await read()).toBe("record");
  cutting = true;
  expect(await read()).toMatch(/^doubt: GET /);
  expect(system.asked).toHaveLength(3);
});

test("a read that ends within its answer is not asked again", async () => {
  let cutting = false;
  const system = await api((response, asked, nth) => {
    if (!cutting) return json({ title: "t" })(response, asked, nth);
    response.socket!.end("HTTP/1.1 200");
  });
  const read = await reader(system.origin);
  expect(await read()).toBe("record");
  cutting = true;
  expect(await read()).toMatch(/^doubt: GET /);
  expect(system.asked).toHaveLength(2);
});

test("a kept connection that speaks unasked is dropped, and its words are no answer", async () => {
  const sockets: Socket[] = [];
  const system = await api((response, asked, nth) => {
    sockets.push(response.socket!);
    json({ title: "t" })(response, asked, nth);
  });
  const read = await reader(system.origin);
  expect(await read()).toBe("record");
  const gone = new Promise((resolve) => sockets[0]!.on("close", resolve));
  sockets[0]!.write("HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n");
  await gone;
  expect(await read()).toBe("record");
  expect(system.connections()).toBe(2);
});

test("a connection is kept no longer than its server says", async () => {
  let closed: Promise<number> | undefined;
  const system = await api((response, asked, nth) => {
    closed ??= new Promise((resolve) => response.socket!.on("close", () => resolve(performance.now())));
    json({ title: "t" }, 200, { "keep-alive": "timeout=2" })(response, asked, nth);
  });
  const read = await reader(system.origin);
  expect(await read()).toBe("record");
  const begin = performance.now();
  // The server itself would wait for 5 s.
  expect((await closed!) - begin).toBeLessThan(4000);
});

test("reads side by side do not wait for each other", async () => {
  const waiting: (() => void)[] = [];
  const system = await api((response, asked, nth) => {
    waiting.push(() => json({ title: "t" })(response, asked, nth));
    // Nobody is answered before all 16 have asked.
    if (waiting.length === 16) for (const answer of waiting) answer();
  });
  const read = await reader(system.origin);
  const seen = await Promise.all(Array.from({ length: 16 }, read));
  expect(new Set(seen)).toEqual(new Set(["record"]));
});

test("localhost is found on whichever address the system listens", async () => {
  const addresses = await lookup("localhost", { all: true });
  expect(addresses.length).toBeGreaterThan(0);
  for (const { address: host } of addresses) {
    const system = await api(json({ title: "t" }), host);
    const outcome = await run({ ...about(""), url_template: `http://localhost:${system.port}/issues/{id}` });
    expect([host, outcome.type]).toEqual([host, "pass"]);
  }
});

test("an address of IPv6 may be written out", async () => {
  const system = await api(json({ title: "t" }), "::1");
  expect(await run({ ...about(""), url_template: `http://[::1]:${system.port}/{id}` })).toMatchObject({ type: "pass" });
});

/** A proxy that refuses whatever it is asked for, and remembers it. */
async function proxy(): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(502).end();
  });
  server.on("connect", (request, socket) => {
    asked.push(`CONNECT ${request.url}`);
    socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
  });
  proxies.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

test.each(["HTTPS_PROXY", "https_proxy"])("%s is honoured, and a proxy that refuses is UNKNOWN", async (name) => {
  const { url, asked } = await proxy();
  const outcome = await run(about("https://api.example.invalid"), { environment: { [name]: url } });
  expect(asked).toEqual(["CONNECT api.example.invalid:443"]);
  expect(outcome).toMatchObject({ type: "unknown", reason: "readback_error" });
});

test("NO_PROXY is honoured", async () => {
  const { url, asked } = await proxy();
  const environment = { HTTPS_PROXY: url, NO_PROXY: "example.invalid,other" };
  expect(await run(about("https://api.example.invalid"), { environment })).toMatchObject({ type: "unknown" });
  expect(asked).toEqual([]);
});

test("no proxy ever sees what goes to this machine, nor the token with it", async () => {
  const { url, asked } = await proxy();
  const system = await api(json({ title: "t" }));
  const environment = {
    HTTP_PROXY: url,
    http_proxy: url,
    HTTPS_PROXY: url,
    https_proxy: url,
    ALL_PROXY: url,
    TOKEN: "k",
  };
  const outcome = await run({ ...about(system.origin), token_env: "TOKEN" }, { environment });
  expect(outcome).toMatchObject({ type: "pass" });
  expect(asked).toEqual([]);
});

test("a proxy whose address is none is a doubt", async () => {
  const environment = { HTTPS_PROXY: "not a proxy" };
  expect(await run(about("https://api.example.invalid"), { environment })).toMatchObject({
    type: "unknown",
    reason: "readback_error",
  });
});
