// `fourgate verify` through the built program: as a verifier command, and as the dry run that explains itself.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { api, inTurn, json } from "../readback/api.ts";
import { AUTHORITY, proxyTo, secureApi } from "../readback/tls.ts";
import { contractFor, guard, MAIN, node, scratch, verdictOf } from "./harness.ts";

const TOKEN = "r-SENTINEL/token+1";

interface Said {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command; without `stdin`, nothing is on it. */
function run(
  args: readonly string[],
  stdin: string | Uint8Array = "",
  env: Record<string, string> = {},
): Promise<Said> {
  const child = spawn(node, [MAIN, "verify", ...args], { env: { ...process.env, READBACK_TOKEN: TOKEN, ...env } });
  const said = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said.stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said.stderr += text;
  });
  child.stdin.on("error", () => {});
  child.stdin.end(stdin);
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, ...said })));
}

const WAITS_600_MS = "Atomics.wait(new/**/Int32Array(new/**/SharedArrayBuffer(4)),0,0,600)";

/** How long this machine takes to start and end a Node that does nothing (milliseconds). */
async function bareNode(): Promise<number> {
  const begin = performance.now();
  await once(spawn(node, ["-e", "0"]), "close");
  return performance.now() - begin;
}

function file(content: object | string, name = "readback.json"): string {
  const path = join(scratch(), name);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

const about = (origin: string, more: object = {}) => ({
  type: "http",
  url_template: `${origin}/issues/{id}`,
  token_env: "READBACK_TOKEN",
  expected_fields: { title: "title", state: { value: "open" } },
  missing_statuses: [404],
  interval_ms: 10,
  ...more,
});

const fields = JSON.stringify({ id: 7, title: "v-SENTINEL" });
const good = { title: "v-SENTINEL", state: "open", note: "n-SENTINEL" };

describe("as a verifier", () => {
  test("PASS is exit status 0 and one object", async () => {
    const system = await api(json(good));
    expect(await run([file(about(system.origin))], fields)).toEqual({
      code: 0,
      stdout: '{"status":"pass"}\n',
      stderr: "",
    });
    expect(system.asked).toMatchObject([{ url: "/issues/7", headers: { authorization: `Bearer ${TOKEN}` } }]);
  });

  test("a mismatch is exit status 0 and one object with the paths, and no value", async () => {
    const system = await api(json({ ...good, title: "x-SENTINEL" }));
    const said = await run([file(about(system.origin))], fields);
    expect(said).toMatchObject({ code: 0, stderr: "" });
    expect(said.stdout).not.toContain("SENTINEL");
    expect(JSON.parse(said.stdout)).toEqual({
      evidence: {
        attempts: 3,
        checked_fields: ["state", "title"],
        method: "GET",
        mismatched_fields: ["title"],
        status: 200,
      },
      reason_code: "field_mismatch",
      status: "fail",
    });
  });

  test("a listed status is exit status 0 and record_missing", async () => {
    const system = await api(json({}, 404));
    const said = await run([file(about(system.origin))], fields);
    expect(JSON.parse(said.stdout)).toEqual({
      evidence: { attempts: 3, method: "GET", status: 404 },
      reason_code: "record_missing",
      status: "fail",
    });
  });

  test.each([
    [401, "readback_unconfirmed", /The credential was refused/],
    [403, "readback_unconfirmed", /may not read/],
    [429, "readback_unconfirmed", /too often/],
    [503, "readback_unconfirmed", /try again later/],
    [302, "readback_unconfirmed", /Redirects are never followed/],
  ])("status %i is exit status 1, nothing on stdout, and the reason on stderr", async (status, reason, remedy) => {
    const system = await api(json({ echo: TOKEN }, status));
    const said = await run([file(about(system.origin))], fields);
    expect(said).toMatchObject({ code: 1, stdout: "" });
    expect(said.stderr).toMatch(new RegExp(`^fourgate verify: UNKNOWN ${reason} after 3 attempts: GET ${status}`));
    expect(said.stderr).toMatch(remedy);
    expect(said.stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(said.stderr).not.toContain("SENTINEL");
  });

  test("a missing credential is exit status 1, and nothing is asked", async () => {
    const system = await api(json(good));
    const said = await run([file(about(system.origin))], fields, { READBACK_TOKEN: "" });
    expect(said).toMatchObject({ code: 1, stdout: "" });
    expect(said.stderr).toContain("credential_missing");
    expect(system.connections()).toBe(0);
  });

  test.each<[string, string | Uint8Array]>([
    ["nothing", ""],
    ["no JSON", "{"],
    ["a list", "[1]"],
    ["no field", "{}"],
    ["a name twice", '{"id":1,"id":2}'],
    ["more than 1 MiB", JSON.stringify({ id: "x".repeat(1024 * 1024) })],
    ["bytes that are not UTF-8", Buffer.from('{"id":"\xff"}', "latin1")],
  ])("stdin with %s is exit status 2, one line, and nothing is asked", async (_, stdin) => {
    const system = await api(json(good));
    const said = await run([file(about(system.origin))], stdin);
    expect(said).toMatchObject({ code: 2, stdout: "" });
    expect(said.stderr).toMatch(/^fourgate verify: error: stdin .*\n$/);
    expect(system.connections()).toBe(0);
  });

  test.each([
    ["a system that does not answer", {}],
    ["and a start that takes 600 ms", { NODE_OPTIONS: `--import data:text/javascript,${WAITS_600_MS}` }],
  ])("%s: no longer than a verifier may take, whatever its timeout_ms", async (_, env) => {
    const system = await api(() => {});
    const path = file(about(system.origin, { timeout_ms: 10_000 }));
    // Starting and ending a process is the machine's part, and beside others it takes longer; the rest is fourgate's own.
    const before = await bareNode();
    const begin = performance.now();
    const said = await run([path], fields, env);
    const ms = performance.now() - begin;
    const bare = Math.max(before, await bareNode());
    expect(said).toMatchObject({ code: 1, stdout: "" });
    expect(said.stderr).toContain("readback_timeout");
    expect(ms - bare).toBeLessThan(1750);
  });

  test("Node's option for a lenient parser changes nothing", async () => {
    const system = await api((response) => {
      const body = JSON.stringify(good);
      const lengths = `content-length: ${body.length + 1}\r\ncontent-length: ${body.length}`;
      response.socket!.end(`HTTP/1.1 200 OK\r\n${lengths}\r\n\r\n${body}`);
    });
    const env = { NODE_OPTIONS: "--insecure-http-parser" };
    const said = await run([file(about(system.origin, { attempts: 1 }))], fields, env);
    expect(said).toMatchObject({ code: 1, stdout: "" });
    expect(said.stderr).toMatch(/readback_error .*HPE_/);
  });

  test("guard runs it as `{fourgate} verify FILE`, and as the Python edition's words for it", async () => {
    const system = await api(json({}, 404));
    const readback = file(about(system.origin, { expected_fields: { id: "id" }, attempts: 1 }));
    for (const command of [
      ["{fourgate}", "verify", readback],
      ["{python}", "-m", "fourgate.verify_http", readback],
    ]) {
      const contract = contractFor(command, { verifier: { secret_env: ["READBACK_TOKEN"] } });
      const session = guard({ contract, env: { READBACK_TOKEN: TOKEN }, flags: ["--mode", "enforce"] }).read();
      session.call(7);
      expect(verdictOf(await session.message())).toContain('"reason_code":"record_missing"');
      expect(await session.end()).toBe(0);
    }
    expect(system.asked.map(({ url }) => url)).toEqual(["/issues/7", "/issues/7"]);
  });
});

describe("as a dry run", () => {
  const given = ["--field", "id=7", "--field", "title=v-SENTINEL"];

  test("says what it asks, what came and how it compares, without any value", async () => {
    const system = await api(inTurn(json({}, 500), json({ ...good, state: "c-SENTINEL" })));
    const said = await run([file(about(system.origin, { attempts: 2 })), ...given]);
    expect(said).toMatchObject({ code: 1, stderr: "" });
    expect(said.stdout.replace(/\(\d+ ms\)/g, "(0 ms)")).toBe(`asks         GET ${system.origin}/issues/{id}
credential   READBACK_TOKEN (set)
field        id: number
field        title: string

attempt 1    GET 500 (0 ms)
  doubt      GET 500

attempt 2    GET 200 (0 ms)
  got        {"title": string, "state": string, "note": string}
  equal      title (exact): expected string, read string
  different  state (exact): expected string, read string

UNKNOWN readback_inconsistent after 2 attempts
The attempts saw different things, and none of them what the call asked for.
The record may be changing or late; raise \`interval_ms\`, or read from the primary.
`);
  });

  test("shows values when asked, but never the credential, in whatever form the system echoes it", async () => {
    const echo = [TOKEN, Buffer.from(TOKEN).toString("base64"), encodeURIComponent(TOKEN), JSON.stringify({ TOKEN })];
    const system = await api(json({ ...good, echo }));
    const said = await run([file(about(system.origin)), ...given, "--show-values"]);
    expect(said.code).toBe(0);
    expect(said.stdout).toContain(`asks         GET ${system.origin}/issues/7\n`);
    expect(said.stdout).toContain('equal      title (exact): expected "v-SENTINEL", read "v-SENTINEL"');
    expect(said.stdout).not.toContain("r-SENTINEL");
    expect(said.stdout).not.toContain(echo[1]);
    expect(said.stdout).not.toContain(echo[2]);
    expect(said.stdout).toContain("[REDACTED]");
  });

  test("is one document with --json", async () => {
    const system = await api(json({ title: "x", state: "open" }));
    const said = await run([file(about(system.origin, { attempts: 1 })), ...given, "--json"]);
    expect(said).toMatchObject({ code: 1, stderr: "" });
    expect(said.stdout).not.toContain("SENTINEL");
    expect(JSON.parse(said.stdout)).toMatchObject({
      type: "http",
      credentials: [{ name: "READBACK_TOKEN", set: true }],
      fields: { id: "number", title: "string" },
      attempts: [
        {
          status: 200,
          comparisons: [
            { path: "title", outcome: "different" },
            { path: "state", outcome: "equal" },
          ],
        },
      ],
      status: "fail",
      reason_code: "field_mismatch",
      unmet: ["title"],
    });
  });

  test("takes its fields from stdin when none is given", async () => {
    const system = await api(json(good));
    expect(await run([file(about(system.origin)), "--json"], fields)).toMatchObject({ code: 0 });
  });

  test("with nothing on stdin there are no fields, which is enough for a read-back that needs none", async () => {
    const system = await api(json(good));
    const needsNone = { url_template: `${system.origin}/state`, expected_fields: { state: { value: "open" } } };
    const said = await run([file(about(system.origin, needsNone)), "--json"], "");
    expect(said).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(said.stdout)).toMatchObject({ fields: {}, status: "pass" });
    const needs = await run([file(about(system.origin)), "--json"], "");
    expect(needs).toMatchObject({ code: 1, stderr: "" });
    expect(JSON.parse(needs.stdout)).toMatchObject({ status: "unknown", reason_code: "readback_selector_invalid" });
    expect(system.asked.map(({ url }) => url)).toEqual(["/state"]);
  });

  test("control characters of the system do not reach the terminal", async () => {
    const system = await api(json({ ...good, "\u001b[2Jx": "\u001b]0;t\u0007\u202e" }));
    const said = await run([file(about(system.origin)), ...given, "--show-values"]);
    expect(said.stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  });

  test.each([
    ["id=7", '"/issues/7"'],
    ['id="7"', '"/issues/7"'],
    ["id=1915883588174806058", '"/issues/1915883588174806058"'],
    ["id=a=b", '"/issues/a%3Db"'],
    ["id=null", "undefined"],
  ])("--field %s asks for %s", async (field, url) => {
    const system = await api(json(good));
    await run([file(about(system.origin, { attempts: 1 })), "--field", field, "--field", "title=t"]);
    expect(JSON.stringify(system.asked[0]?.url) ?? "undefined").toBe(url);
  });

  test("of a contract takes the tool by its name", async () => {
    const system = await api(json(good));
    const tool = (readback: object | undefined) => ({
      extract: { id: { source: "arguments", path: "id" }, title: { source: "arguments", path: "title" } },
      allowed_failure_reasons: ["field_mismatch"],
      ...(readback ? { readback } : { verifier: { command: ["true"], timeout_ms: 1 } }),
    });
    const contract = (tools: object) => file({ contract_version: 1, tools }, "contract.json");
    const two = contract({ a: tool(about(system.origin)), b: tool(about(system.origin)), c: tool(undefined) });
    expect(await run([two, "--tool", "a", ...given])).toMatchObject({ code: 0 });
    expect((await run([two, ...given])).stderr).toMatch(/which tool is meant with --tool: "a", "b"/);
    expect((await run([two, "--tool", "x", ...given])).stderr).toMatch(/no such tool/);
    expect((await run([two, "--tool", "c", ...given])).stderr).toMatch(/checked by a verifier/);
    expect(await run([contract({ a: tool(about(system.origin)) }), ...given])).toMatchObject({ code: 0 });
  });
});

describe("usage", () => {
  test.each<[string, string[], RegExp]>([
    ["no file", [], /no FILE/],
    ["two files", ["a", "b"], /more than one FILE/],
    ["a file that is not there", ["/no/such.json"], /no such file/],
    ["an unknown flag", ["a", "--tools", "x"], /unknown flag --tools; did you mean --tool/],
    ["a field without a value", ["a", "--field", "x"], /NAME=VALUE/],
    ["a field twice", ["a", "--field", "x=1", "--field", "x=2"], /twice/],
  ])("%s is exit status 2 and one line", async (_, args, words) => {
    const said = await run(args, fields);
    expect(said).toMatchObject({ code: 2, stdout: "" });
    expect(said.stderr).toMatch(words);
    expect(said.stderr).toMatch(/^fourgate verify: error: .*\n$/);
  });

  test("a read-back with several problems shows all, each at its place, and no value", async () => {
    const path = file('{\n  "type": "http",\n  "url_template": "ftp://SENTINEL",\n  "attempts": 9\n}\n');
    const said = await run([path], fields);
    expect(said).toMatchObject({ code: 2, stdout: "" });
    expect(said.stderr.replaceAll(path, "F")).toBe(
      [
        'fourgate verify: error: F:1:1: expected_fields: is missing; it must be an object with at least one path of the record, then the name of an extracted field, or an object like {"field": "title", "compare": "trim"} or {"value": "open"}',
        "fourgate verify: error: F:3:20: url_template: the address must begin with https://",
        "fourgate verify: error: F:4:15: attempts: must be a whole number from 1 to 5, in digits only",
        "",
      ].join("\n"),
    );
  });

  test("YAML and JSON with comments are read too, with $schema", async () => {
    const system = await api(json({ id: 7 }));
    const yaml = `$schema: x\ntype: http\nurl_template: ${system.origin}/{id}\nexpected_fields: {id: id}\n`;
    const jsonc = `{"$schema": "x", /* c */ "type": "http", "url_template": "${system.origin}/{id}", "expected_fields": {"id": "id"},}`;
    for (const path of [file(yaml, "r.yaml"), file(jsonc, "r.jsonc")]) {
      expect(await run([path], fields)).toMatchObject({ code: 0, stdout: '{"status":"pass"}\n' });
    }
  });

  test("--help has an example", async () => {
    const said = await run(["--help"]);
    expect(said).toMatchObject({ code: 0, stderr: "" });
    expect(said.stdout).toContain("Example:\n  fourgate verify");
  });
});

describe("HTTPS", () => {
  const secure = (port: number) => about(`https://localhost:${port}`, { attempts: 1 });

  test("with a private authority works when NODE_EXTRA_CA_CERTS names it, and is UNKNOWN without", async () => {
    const system = await secureApi(JSON.stringify(good));
    const path = file(secure(system.port));
    expect(await run([path], fields, { NODE_EXTRA_CA_CERTS: AUTHORITY })).toMatchObject({ code: 0 });
    const said = await run([path], fields);
    expect(said).toMatchObject({ code: 1, stdout: "" });
    expect(said.stderr).toMatch(/readback_error .*NODE_EXTRA_CA_CERTS/);
    expect(system.asked).toHaveLength(1);
  });

  test("is not weakened by a variable that turns the check of certificates off", async () => {
    const system = await secureApi(JSON.stringify(good));
    const said = await run([file(secure(system.port))], fields, { NODE_TLS_REJECT_UNAUTHORIZED: "0" });
    expect(said).toMatchObject({ code: 1, stdout: "" });
    expect(system.asked).toHaveLength(0);
  });

  test("goes through the proxy, and NODE_EXTRA_CA_CERTS works there too", async () => {
    const system = await secureApi(JSON.stringify(good));
    const proxy = await proxyTo(system.port);
    const env = { HTTPS_PROXY: proxy.url, NODE_EXTRA_CA_CERTS: AUTHORITY };
    expect(await run([file(about("https://api.example.invalid"))], fields, env)).toMatchObject({ code: 0, stderr: "" });
    expect(proxy.tunnels).toEqual(["api.example.invalid:443"]);
  });

  test("attempts share one tunnel", async () => {
    const system = await secureApi(JSON.stringify({ ...good, state: "closed" }));
    const proxy = await proxyTo(system.port);
    const env = { HTTPS_PROXY: proxy.url, NODE_EXTRA_CA_CERTS: AUTHORITY };
    const said = await run([file(about("https://api.example.invalid"))], fields, env);
    expect(JSON.parse(said.stdout)).toMatchObject({ status: "fail", evidence: { attempts: 3 } });
    expect(system.asked).toHaveLength(3);
    expect(proxy.tunnels).toHaveLength(1);
  });

  test("a proxy may be spoken to by TLS, and has a credential of its own", async () => {
    const system = await secureApi(JSON.stringify(good));
    const proxy = await proxyTo(system.port, true);
    const env = {
      HTTPS_PROXY: proxy.url.replace("127.0.0.1", "user:p-SECRET@localhost"),
      NODE_EXTRA_CA_CERTS: AUTHORITY,
    };
    const said = await run([file(about("https://api.example.invalid"))], fields, env);
    expect(said).toMatchObject({ code: 0, stderr: "" });
    const basic = `Basic ${Buffer.from("user:p-SECRET").toString("base64")}`;
    expect(proxy.headers).toMatchObject([{ "proxy-authorization": basic, host: "api.example.invalid:443" }]);
    expect(proxy.headers[0]).not.toHaveProperty("authorization");
    expect(system.asked[0]!.headers).not.toHaveProperty("proxy-authorization");
  });

  test("a certificate for another name is UNKNOWN", async () => {
    const system = await secureApi(JSON.stringify(good));
    const proxy = await proxyTo(system.port);
    const env = { HTTPS_PROXY: proxy.url, NODE_EXTRA_CA_CERTS: AUTHORITY };
    const said = await run([file(about("https://other.example.invalid", { attempts: 1 }))], fields, env);
    expect(said).toMatchObject({ code: 1, stdout: "" });
    expect(system.asked).toHaveLength(0);
  });

  test("github_issue asks GitHub's API for the issue, with its media type", async () => {
    const issue = {
      type: "github_issue",
      repository: "octo-org/tracker",
      issue_number_field: "id",
      token_env: "READBACK_TOKEN",
      expected_fields: { title: "title" },
      attempts: 1,
    };
    const system = await secureApi(JSON.stringify({ title: "v-SENTINEL" }));
    const proxy = await proxyTo(system.port);
    const env = { HTTPS_PROXY: proxy.url, NODE_EXTRA_CA_CERTS: AUTHORITY };
    expect(await run([file(issue)], fields, env)).toMatchObject({ code: 0 });
    expect(system.asked).toMatchObject([
      {
        url: "/repos/octo-org/tracker/issues/7",
        headers: { authorization: `Bearer ${TOKEN}`, accept: "application/vnd.github+json", host: "api.github.com" },
      },
    ]);
    for (const id of ["0", '"x"', "1.5", "-1", '"7/../8"']) {
      const said = await run([file(issue)], `{"id":${id},"title":"t"}`, env);
      expect([id, said.code, /readback_selector_invalid/.test(said.stderr)]).toEqual([id, 1, true]);
    }
    expect(system.asked).toHaveLength(1);
  });
});
