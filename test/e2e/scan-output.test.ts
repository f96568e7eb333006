// What `fourgate scan` says and leaves behind: reports whole and private, no secret in any of them, and an end in time.

import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { api } from "../readback/api.ts";
import { contractFor, fixture, MAIN, node, processesMarked, scratch } from "./harness.ts";
import { calls, createCase, EXTRACT, receivedIn, scan } from "./scans.ts";

const wrong = (title: string, more: object = {}) => createCase({ stored: { title } }, more);

describe("usage and configuration: exit status 2, nothing on stdout, no server", () => {
  test.each<[string, string[], RegExp]>([
    ["an unknown reporter", ["--reporter", "xml"], /no reporter of that name; there are text, json/],
    ["two reporters for stdout", ["--reporter", "junit", "--reporter", "json"], /only one reporter can go to stdout/],
    ["one file for two", ["--reporter", "junit=/tmp/x", "--reporter", "json=/tmp/x"], /have the same file/],
    ["a reporter without its file", ["--reporter", "junit="], /needs a file/],
    ["0 as the status of doubt", ["--unknown-exit-code", "0"], /doubt is never success/],
    ["2 as the status of doubt", ["--unknown-exit-code", "2"], /2 means configuration/],
    ["none to be verified", ["--min-verified", "0"], /--min-verified takes/],
    ["an unknown flag", ["--reporters", "json"], /did you mean --reporter\?/],
    ["a report folder that is a file", ["--report-dir", "/dev/null"], /cannot be written/],
    ["a report into a device", ["--reporter", "junit=/dev/full"], /cannot be written: it is a pipe, a device/],
    ["a report in the place of a folder", ["--reporter", "junit=/tmp"], /cannot be written: EISDIR/],
    ["a report in a place that cannot be", ["--reporter", "junit=/proc/no/report.xml"], /cannot be written/],
  ])("%s", async (_, flags, words) => {
    const ran = await scan({ flags });
    expect(ran).toMatchObject({ code: 2, stdout: "", received: [] });
    expect(ran.stderr).toMatch(words);
    expect(ran.stderr.trimEnd().split("\n")).toHaveLength(1);
  });

  test("no label, another one, a bad file", async () => {
    const file = join(scratch(), "scan.json");
    writeFileSync(file, '{"scan_version": 1}');
    const run = (...argv: string[]) => spawnSync(node, [MAIN, "scan", ...argv], { encoding: "utf8" });
    expect(run(file)).toMatchObject({
      status: 2,
      stdout: "",
      stderr: expect.stringContaining("--confirm-test-account LABEL is missing"),
    });
    const bad = run(file, "--confirm-test-account", "x");
    expect(bad).toMatchObject({ status: 2, stdout: "" });
    expect(
      bad.stderr
        .trimEnd()
        .split("\n")
        .every((line) => line.startsWith("fourgate scan: contract error: ")),
    ).toBe(true);
    expect(run("--help")).toMatchObject({ status: 0, stderr: "", stdout: expect.stringContaining("Examples:\n") });
    const other = await scan({ server: { test_account: "production" } });
    expect(other).toMatchObject({ code: 2, stdout: "", received: [] });
    expect(other.stderr).not.toContain("production");
  });
});

describe("a report that would be written over something else is refused before the start", () => {
  test("a pipe, which is not opened", async () => {
    const pipe = join(scratch(), "pipe");
    spawnSync("mkfifo", [pipe]);
    const ran = await scan({ flags: ["--reporter", `json=${pipe}`] });
    expect(ran).toMatchObject({ code: 2, stdout: "", received: [] });
    expect(ran.stderr).toMatch(/cannot be written: it is a pipe/);
  });

  test("the scan file, also by another name, and its contracts", async () => {
    const { file, folder } = written([createCase()]);
    const link = join(folder, "link");
    symlinkSync(file, link);
    const before = readFileSync(file, "utf8");
    for (const report of [file, link]) {
      const argv = [MAIN, "scan", file, "--confirm-test-account", "t", "--reporter", `json=${report}`];
      const ran = spawnSync(node, argv, { encoding: "utf8" });
      expect(ran).toMatchObject({
        status: 2,
        stdout: "",
        stderr: expect.stringContaining("would replace the scan file"),
      });
    }
    expect(readFileSync(file, "utf8")).toBe(before);
    expect(receivedIn(folder)).toEqual([]);
    const contracts = join(folder, "contracts.json");
    writeFileSync(contracts, JSON.stringify(contractFor(["true"])));
    const checked = { ...JSON.parse(before), contracts: "contracts.json", cases: [{ tool: "create", arguments: {} }] };
    writeFileSync(file, JSON.stringify(checked));
    const argv = [MAIN, "scan", file, "--confirm-test-account", "t", "--reporter", `json=${contracts}`];
    expect(spawnSync(node, argv, { encoding: "utf8" })).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("its contracts; give it another file"),
    });
  });

  test("/dev/stdout and /dev/stderr are streams and stay what they are", async () => {
    const { file, folder } = written([createCase()]);
    const argv = [MAIN, "scan", file, "--confirm-test-account", "t", "--reporter", "json=/dev/stderr"];
    const flags = [...argv, "--reporter", "markdown=/dev/stdout"];
    const ran = spawnSync(node, flags, { encoding: "utf8", env: { ...process.env, SCAN_ROOT: folder } });
    expect(ran.status).toBe(0);
    expect(ran.stderr).toContain('"report_version": 1');
    expect(ran.stdout).toMatch(/^## fourgate scan: /m);
  });
});

describe("reports", () => {
  test("a report folder holds json and html, and what else is asked for: private, whole, and named on stderr", async () => {
    const folder = join(scratch(), "deep", "reports");
    const ran = await scan({ flags: ["--report-dir", folder, "--reporter", "junit", "--reporter", "text"] });
    expect(ran.code).toBe(0);
    expect(readdirSync(folder).sort()).toEqual([
      "fourgate-report.html",
      "fourgate-report.json",
      expect.stringMatching(/junit|xml/),
    ]);
    for (const name of readdirSync(folder)) {
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
      expect(ran.stderr).toContain(join(folder, name));
    }
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(JSON.parse(readFileSync(join(folder, "fourgate-report.json"), "utf8")).cases).toHaveLength(1);
    expect(ran.stdout.trimEnd().split("\n").at(-1)).toContain("1 verified (1 PASS, 0 FAIL)");
  });

  test("a file that is there is replaced, a link as well and not what it leads to; a device is written to", async () => {
    const folder = scratch();
    const file = join(folder, "report.json");
    writeFileSync(file, "x".repeat(1 << 20), { mode: 0o644 });
    const ran = await scan({ flags: ["--reporter", `json=${file}`, "--reporter", "markdown=/dev/null"] });
    expect(ran.code).toBe(0);
    expect(JSON.parse(readFileSync(file, "utf8")).totals.pass).toBe(1);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync("/dev/null").isCharacterDevice()).toBe(true);
    expect(readdirSync(folder)).toEqual(["report.json"]);
  });

  test("a report that cannot be written after all is exit status 2, though every case passed", async () => {
    const folder = join(scratch(), "reports");
    const ran = await scan({
      flags: ["--report-dir", folder],
      cases: [createCase({ mode: "late", ms: 700 })],
      async meanwhile({ folder: records }) {
        while (!readdirSync(records).includes("R-1.json")) await new Promise((look) => setTimeout(look, 10));
        // In the place of the report there is a folder now.
        mkdirSync(join(folder, "fourgate-report.json"));
      },
    });
    expect(ran.code).toBe(2);
    expect(ran.stderr).toMatch(/fourgate-report\.json cannot be written: \w+/);
    expect(ran.stdout).toContain("1 verified");
  });

  test("in GitHub Actions: masks first, then commands; the summary is put behind what is there", async () => {
    const summary = join(scratch(), "summary.md");
    writeFileSync(summary, "before\n");
    const env = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: summary, MY_TOKEN: '{"key":"tok-abc123"}' };
    const ran = await scan({ flags: ["--reporter", "github"], env, cases: [wrong("x")] });
    const lines = ran.stdout.split("\n");
    const masks = lines.filter((line) => line.startsWith("::add-mask::"));
    expect(masks).toContain("::add-mask::tok-abc123");
    expect(masks).toContain(`::add-mask::${Buffer.from("tok-abc123").toString("base64").replace(/=+$/, "")}`);
    expect(lines.slice(0, masks.length)).toEqual(masks);
    expect(lines[masks.length]).toMatch(/^::error file=/);
    expect(readFileSync(summary, "utf8")).toMatch(/^before\n[\s\S]*field_mismatch/);
    const elsewhere = await scan({ flags: ["--reporter", "github"], env: { ...env, GITHUB_ACTIONS: "" } });
    expect(elsewhere.stdout).not.toContain("add-mask");
  });
});

describe("secrets", () => {
  const secret = "tok-abc/123+x?~";
  const forms = [
    secret,
    Buffer.from(secret).toString("base64"),
    Buffer.from(secret).toString("base64url"),
    Buffer.from(secret).toString("hex"),
    encodeURIComponent(secret),
    Buffer.from(`reader:${secret}`).toString("base64"),
  ];
  /** What must be nowhere: of the last form only its second half, which the user name does not shift about. */
  const traces = ["tok-abc", ...forms.slice(1, 5), forms[5]!.slice(12, -4)];

  test("are in no report, nor on a stream, in whatever form a system gives them back; also with --show-values", async () => {
    const desk = await api((response, { headers }) => {
      const sent = /^Basic (.*)$/.exec(headers.authorization ?? "")?.[1] ?? "";
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ title: `${forms.join(" ")} ${sent}`, password: "p-SENTINEL" }));
    });
    const folder = join(scratch(), "reports");
    const readback = {
      type: "http",
      url_template: `${desk.origin}/{id}?q=1`,
      token_env: "READER",
      auth: { scheme: "basic", username: "reader" },
      expected_fields: { title: "title", password: { value: "q-SENTINEL" } },
      attempts: 1,
    };
    const json = JSON.stringify({ token: secret });
    const verifier = {
      outcome_contract: {
        extract: EXTRACT,
        verifier: {
          command: [
            "sh",
            "-c",
            `echo '${JSON.stringify({ status: "fail", reason_code: "x", evidence: { seen: forms, api_key: "k-SENTINEL" } })}'; echo "$READER_JSON" >&2`,
          ],
          timeout_ms: 1000,
          secret_env: ["READER_JSON"],
        },
        allowed_failure_reasons: ["x"],
      },
      readback: undefined,
    };
    const cases = [
      createCase({ note: forms.join(), password: "p-SENTINEL" }, { readback, name: `of ${secret}` }),
      createCase({}, { readback: { ...readback, token_env: "READER_JSON" } }),
      createCase({ mode: "says", says: forms }, verifier),
    ];
    const names = ["junit", "sarif", "github", "markdown", "text"];
    const files = names.flatMap((name) => ["--reporter", `${name}=${join(folder, name)}`]);
    const ran = await scan({
      cases,
      flags: ["--show-values", "--report-dir", folder, ...files, "--json"],
      env: { READER: secret, READER_JSON: json },
    });
    expect(ran.code).toBe(1);
    expect(ran.stderr).toBe(readdirSync(folder).length === 7 ? ran.stderr : "seven reports");
    // The token itself was sent, so the desk did know it.
    expect(desk.asked[0]!.headers.authorization).toBe(`Basic ${forms[5]}`);
    const said = [
      ran.stderr,
      ran.stdout,
      ...readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8")),
    ];
    for (const text of said) {
      for (const trace of traces) expect(text).not.toContain(trace);
      expect(text).not.toContain("SENTINEL");
    }
    expect(said.join("")).toContain("[REDACTED]");
  });

  test("without --show-values no argument and no value of a record is anywhere either, and the server's arguments are nowhere", async () => {
    const folder = join(scratch(), "reports");
    const ran = await scan({
      cases: [createCase({ note: "a-SENTINEL", stored: { title: "r-SENTINEL" } }), createCase({ mode: "error" })],
      odd: ["k-SENTINEL"],
      flags: ["--report-dir", folder, "--reporter", "text"],
    });
    expect(ran.code).toBe(1);
    for (const text of [
      ran.stderr,
      ran.stdout,
      ...readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8")),
    ]) {
      expect(text).not.toContain("SENTINEL");
    }
  });
});

describe("a server that fails", () => {
  const cases = [createCase({ note: "title-of-mine" })];

  test("of its stderr only the amount is told; with --show-values the end of it, without secrets", async () => {
    const ran = await scan({ odd: ["early-exit"], cases });
    expect(ran.stderr).toBe("fourgate scan: server: its stderr ended with 1 line; --show-values shows the end of it\n");
    const shown = await scan({ odd: ["early-exit"], cases, flags: ["--json", "--show-values"] });
    expect(shown.stderr).toBe("fourgate scan: server: cannot start: password=[REDACTED]\n");
  });

  test("what it calls itself holds no argument", async () => {
    const ran = await scan({ odd: ["named"], cases });
    expect(ran.report.server).toMatchObject({ name: "server of [REDACTED]", version: "1" });
    const shown = await scan({ odd: ["named"], cases, flags: ["--json", "--show-values"] });
    expect(shown.report.server.name).toBe("server of title-of-mine");
  });

  test("before the first case: the words say so", async () => {
    const ran = await scan({ odd: ["early-exit"], cases, flags: ["--reporter", "text"] });
    expect(ran.stdout).toContain("Stopped before the first case (server_closed): no writes were sent");
    expect(ran.stdout).not.toMatch(/after case 0|\b0 cases were/);
  });
});

test("too few verified: the last line says so", async () => {
  const ran = await scan({ flags: ["--reporter", "text", "--min-verified", "2"] });
  expect(ran.code).toBe(1);
  expect(ran.stdout.trimEnd()).toMatch(/; fewer verified than --min-verified 2$/);
  const enough = await scan({ flags: ["--reporter", "text", "--min-verified", "1"] });
  expect(enough.stdout).not.toContain("min-verified");
});

describe("the end", () => {
  test("3 MiB of JSON reach a reader that sleeps until the server is gone", async () => {
    const big = { note: "n".repeat(60_000) };
    const mark = "mark-slow-pipe";
    const cases = Array.from({ length: 60 }, () => createCase({ ...big, mode: "lie" }));
    const quick = cases.map((one) => ({
      ...one,
      readback: { ...(one as { readback: object }).readback, attempts: 1 },
    }));
    const { file, folder } = written(quick);
    const env = { ...process.env, SCAN_ROOT: folder, FOURGATE_TEST_MARK: mark };
    const argv = [MAIN, "scan", file, "--confirm-test-account", "t", "--json", "--show-values"];
    const child = spawn(node, argv, { env, stdio: ["ignore", "pipe", "ignore"] });
    const closed = new Promise<number | null>((resolve) => child.on("close", resolve));
    const alone = () => processesMarked(mark).length === 1 && calls({ received: receivedIn(folder) }).length === 60;
    while (!alone()) await new Promise((look) => setTimeout(look, 50));
    let text = "";
    for await (const chunk of child.stdout.setEncoding("utf8")) text += chunk;
    expect(await closed).toBe(1);
    expect(text.length).toBeGreaterThan(3 * 1024 * 1024);
    expect(JSON.parse(text).cases).toHaveLength(60);
  });

  test.each([
    ["a reader that has gone", "{ COMMAND; } 2>FOLDER/stderr | true", /^$/],
    [
      "a full disk",
      "{ COMMAND; } >/dev/full 2>FOLDER/stderr",
      /^fourgate scan: error: the report on stdout cannot be written: ENOSPC\n$/,
    ],
  ])("is exit status 2 where the report does not get out: %s", (_, line, stderr) => {
    for (const [title, reporter] of [
      ["t", "text"],
      ["other", "json"],
    ] as const) {
      const { file, folder } = written([createCase({ title, stored: { title: "t" } })]);
      const run = `"${node}" "${MAIN}" scan "${file}" --confirm-test-account t --reporter ${reporter}; echo $? >"${folder}/status"`;
      const env = { ...process.env, SCAN_ROOT: folder };
      spawnSync("sh", ["-c", line.replace("COMMAND", run).replace("FOLDER", folder)], { env });
      expect(readFileSync(join(folder, "status"), "utf8")).toBe("2\n");
      expect(readFileSync(join(folder, "stderr"), "utf8")).toMatch(stderr);
    }
  });

  test.each([
    ["closed from the start", ">&-"],
    ["sent to nowhere by a shell", ">/dev/null"],
    ["sent to nowhere as programs do it", "1<>/dev/null"],
  ])("a stdout that is %s: the exit status says what was proven, and files are written", (_, redirection) => {
    for (const [title, status] of [
      ["t", 0],
      ["other", 1],
    ] as const) {
      const { file, folder } = written([createCase({ title, stored: { title: "t" } })]);
      const run = `"${node}" "${MAIN}" scan "${file}" --confirm-test-account t --reporter json="${folder}/report"`;
      const env = { ...process.env, SCAN_ROOT: folder };
      expect(spawnSync("sh", ["-c", `${run} ${redirection}`], { env }).status).toBe(status);
      expect(JSON.parse(readFileSync(join(folder, "report"), "utf8")).totals.pass).toBe(1 - status);
    }
  });

  test("comes within a second of the last verdict, whatever connections are kept", async () => {
    let answeredAt = 0;
    const desk = await api((response) => {
      response.setHeader("content-type", "application/json");
      response.setHeader("keep-alive", "timeout=60");
      response.end(JSON.stringify({ title: "t" }), () => {
        answeredAt = performance.now();
      });
    });
    const readback = { type: "http", url_template: `${desk.origin}/{id}`, expected_fields: { title: "title" } };
    const cases = Array.from({ length: 3 }, () => createCase({ title: "t" }, { readback }));
    const ran = await scan({ cases, flags: ["--reporter", "text"] });
    const ms = performance.now() - answeredAt;
    expect(ran.code).toBe(0);
    expect(desk.connections()).toBe(1);
    expect(ms).toBeLessThan(1000);
  });
});

/** A scan file by itself. */
function written(cases: readonly object[]): { file: string; folder: string } {
  const folder = scratch();
  const file = join(folder, "scan.json");
  const server = { command: ["{node}", fixture("scanned.mjs"), folder], test_account: "t", call_timeout_ms: 10_000 };
  writeFileSync(file, JSON.stringify({ scan_version: 1, server, write_tools: ["create"], cases }));
  return { file, folder };
}
