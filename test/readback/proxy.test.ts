// A proxy between a read and its system: what it is told, what it is not, and that nothing it does can be taken for an answer.

import { createServer, type Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { proxyFor } from "../../src/readback/http-proxy.ts";
import { run } from "./reading.ts";
import { listen, secureApi } from "./tls.ts";

const about = {
  type: "http",
  url_template: "https://api.example.invalid/issues/{id}",
  token_env: "TOKEN",
  expected_fields: { title: "title" },
  missing_statuses: [404],
  attempts: 1,
};

/** A proxy that hears the whole request and then does as it likes. */
async function proxy(then: (socket: Socket) => void) {
  const heard: string[] = [];
  const server = createServer((socket) => {
    const nth = heard.push("") - 1;
    socket.on("error", () => {});
    socket.on("data", (bytes) => {
      heard[nth] += bytes.toString("latin1");
      if (heard[nth]!.endsWith("\r\n\r\n")) then(socket);
    });
  });
  const port = await listen(server);
  return {
    heard,
    at: `127.0.0.1:${port}`,
    environment: { HTTPS_PROXY: `http://127.0.0.1:${port}`, TOKEN: "k-SENTINEL" },
  };
}

const RECORD = 'HTTP/1.1 200 OK\r\ncontent-length: 13\r\n\r\n{"title":"t"}';

describe("what a proxy does is a doubt", () => {
  test.each<[string, (socket: Socket) => void, RegExp]>([
    ["refuses with 403", (socket) => socket.end("HTTP/1.1 403 Forbidden\r\n\r\n"), /^GET PROXY_STATUS_403$/],
    ["says 404", (socket) => socket.end("HTTP/1.1 404 Not Found\r\n\r\n"), /^GET PROXY_STATUS_404$/],
    ["wants a credential", (socket) => socket.end("HTTP/1.1 407 Who\r\n\r\n"), /^GET PROXY_STATUS_407$/],
    ["sends elsewhere", (socket) => socket.end("HTTP/1.1 302 F\r\nlocation: /x\r\n\r\n"), /^GET PROXY_STATUS_302$/],
    ["answers the question itself", (socket) => socket.end(RECORD), /^GET PROXY_ANSWER_INVALID$/],
    ["answers rubbish", (socket) => socket.end("hello\r\n\r\n"), /^GET PROXY_HPE_[A-Z_]+$/],
    ["answers without end", (socket) => socket.end(`HTTP/1.1 200 OK\r\na: ${"x".repeat(65536)}`), /^GET PROXY_HPE_/],
    ["hangs up", (socket) => socket.destroy(), /^GET PROXY_ECONNRESET$/],
    ["agrees and hangs up", (socket) => socket.end("HTTP/1.1 200 OK\r\n\r\n"), /^GET ECONNRESET$/],
  ])("%s", async (_, then, note) => {
    const { environment, heard } = await proxy(then);
    const outcome = await run(about, { environment });
    expect(outcome).toMatchObject({ type: "unknown", reason: "readback_error" });
    expect(outcome.note).toMatch(note);
    expect(heard).toHaveLength(1);
    expect(heard[0]).toMatch(/^CONNECT api\.example\.invalid:443 HTTP\/1\.1\r\n/);
    expect(heard[0]).not.toMatch(/SENTINEL|issues|authorization/i);
  });

  test("agrees and then speaks without TLS", async () => {
    const { environment } = await proxy((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      socket.once("data", () => socket.end(RECORD));
    });
    expect(await run(about, { environment })).toMatchObject({ type: "unknown", reason: "readback_error" });
  });

  test.each<[string, (socket: Socket) => void]>([
    ["never answers", () => {}],
    ["agrees and says nothing more", (socket) => void socket.write("HTTP/1.1 200 OK\r\n\r\n")],
  ])("%s: it ends with the read's own time", async (_, then) => {
    const hungUp: Promise<void>[] = [];
    const { environment } = await proxy((socket) => {
      hungUp.push(new Promise((resolve) => socket.on("close", () => resolve())));
      then(socket);
    });
    const begin = performance.now();
    expect(await run({ ...about, timeout_ms: 300 }, { environment })).toMatchObject({ reason: "readback_timeout" });
    expect(performance.now() - begin).toBeLessThan(1200);
    await Promise.all(hungUp);
    expect(hungUp).toHaveLength(1);
  });

  test("is not there", async () => {
    const outcome = await run(about, { environment: { HTTPS_PROXY: "http://127.0.0.1:1", TOKEN: "k" } });
    expect(outcome).toMatchObject({ reason: "readback_error", note: "GET PROXY_ECONNREFUSED" });
  });

  test("has a certificate of nobody's", async () => {
    const system = await secureApi("{}");
    const outcome = await run(about, { environment: { HTTPS_PROXY: `https://localhost:${system.port}`, TOKEN: "k" } });
    expect(outcome).toMatchObject({ type: "unknown", reason: "readback_error" });
    expect(outcome.note).toMatch(/^GET PROXY_.*(CERT|UNABLE_TO|SELF_SIGNED)/);
    expect(system.asked).toEqual([]);
  });

  test.each([
    ["socks5://127.0.0.1:1080", "GET PROXY_SCHEME_UNKNOWN"],
    ["http://", "GET PROXY_ADDRESS_INVALID"],
  ])("has the address %s", async (url, note) => {
    expect(await run(about, { environment: { HTTPS_PROXY: url, TOKEN: "k" } })).toMatchObject({
      type: "unknown",
      note,
    });
  });
});

test("the credential in a proxy's address is for the proxy, and stands in no note", async () => {
  const { at, heard } = await proxy((socket) => socket.end("HTTP/1.1 407 No\r\n\r\n"));
  const outcome = await run(about, { environment: { HTTPS_PROXY: `http://us%40er:p%3A-SECRET@${at}`, TOKEN: "k" } });
  expect(heard[0]).toContain(`\r\nproxy-authorization: Basic ${Buffer.from("us@er:p:-SECRET").toString("base64")}\r\n`);
  expect(JSON.stringify(outcome)).not.toContain("SECRET");
});

test("an address of a proxy without a scheme is one of HTTP", async () => {
  const { at, heard } = await proxy((socket) => socket.destroy());
  await run(about, { environment: { HTTPS_PROXY: at, TOKEN: "k" } });
  expect(heard).toHaveLength(1);
});

describe("NO_PROXY", () => {
  const asks = (target: string, list: string) =>
    proxyFor(new URL(target), { HTTPS_PROXY: "http://p", NO_PROXY: list }).type === "proxy";

  test.each([
    ["https://api.example.com", "*"],
    ["https://api.example.com", "api.example.com"],
    ["https://api.example.com", "EXAMPLE.com"],
    ["https://api.example.com", ".example.com"],
    ["https://api.example.com", "*.example.com"],
    ["https://api.example.com", "other, example.com"],
    ["https://api.example.com", "other example.com"],
    ["https://api.example.com", "example.com:443"],
    ["https://api.example.com:8443", "example.com:8443"],
    ["https://[2001:db8::1]", "[2001:db8::1]"],
    ["https://[2001:db8::1]:8443", "[2001:db8::1]:8443"],
    ["https://10.0.0.7", "10.0.0.7"],
  ])("%s goes directly with %s", (target, list) => {
    expect(asks(target, list)).toBe(false);
  });

  test.each([
    ["https://api.example.com", ""],
    ["https://api.example.com", ","],
    ["https://api.example.com", "ample.com"],
    ["https://api.example.com", "api.example.com.evil"],
    ["https://api.example.com", "example.com:8443"],
    ["https://api.example.com:8443", "example.com:443"],
    ["https://110.0.0.7", "10.0.0.7"],
  ])("%s goes by the proxy with %j", (target, list) => {
    expect(asks(target, list)).toBe(true);
  });

  test("the names in small letters come first", () => {
    const environment = { HTTPS_PROXY: "http://a", https_proxy: "http://b", NO_PROXY: "*", no_proxy: "none" };
    expect(proxyFor(new URL("https://x"), environment)).toMatchObject({ url: { host: "b" } });
  });
});
