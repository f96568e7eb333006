// Reading files: what stands there, what is proof of absence, and that nothing leads out of the root or blocks.

import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openAdapter } from "../../src/readback/adapter.ts";
import { openBelow } from "../../src/readback/file-open.ts";
import { fieldsOf, readback, run } from "./reading.ts";

let base: string;
let root: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "fourgate-file-"));
  root = join(base, "root");
  mkdirSync(root);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const about = (more: object = {}) => ({
  type: "file",
  root: { env: "ROOT" },
  path_template: "{+path}",
  attempts: 1,
  ...more,
});

function check(more: object, values: Record<string, unknown>, environment: Record<string, string> = { ROOT: root }) {
  return run(about(more), { fields: fieldsOf({ path: "a.txt", ...values }), environment });
}

const text = { expected_fields: { text: "content" } };

describe("text", () => {
  test("as it was asked for is PASS, anything else is FAIL", async () => {
    writeFileSync(join(root, "a.txt"), "line\r\nlast\n");
    expect(await check(text, { content: "line\r\nlast\n" })).toMatchObject({ type: "pass" });
    expect(await check(text, { content: "line\r\n" })).toMatchObject({ type: "fail", reason: "field_mismatch" });
    // Ends of lines may have been rewritten on the way, which is no proof that the text is another.
    expect(await check(text, { content: "line\nlast\n" })).toMatchObject({ type: "unknown" });
  });

  test("a mark of byte order is not passed over; a difference in that alone is one of encoding, and no proof", async () => {
    writeFileSync(join(root, "a.txt"), "\ufeffx");
    expect(await check(text, { content: "x" })).toMatchObject({ type: "unknown", reason: "readback_unconfirmed" });
    expect(await check(text, { content: "y" })).toMatchObject({ type: "fail" });
    expect(await check(text, { content: "\ufeffx" })).toMatchObject({ type: "pass" });
  });

  test("that is not UTF-8 cannot be compared, its digest and size can", async () => {
    writeFileSync(join(root, "a.txt"), Buffer.from([0xff, 0xfe]));
    expect(await check(text, { content: "x" })).toMatchObject({ reason: "readback_shape_invalid" });
    expect(await check({ expected_fields: { size: "n" } }, { n: 2 })).toMatchObject({ type: "pass" });
  });

  test("a digest is compared with the text or with a digest", async () => {
    writeFileSync(join(root, "a.txt"), "x");
    const digest = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881";
    expect(await check({ expected_fields: { sha256: "d" } }, { d: digest })).toMatchObject({ type: "pass" });
    const of = { expected_fields: { sha256: { field: "content", compare: "sha256" } } };
    expect(await check(of, { content: "x" })).toMatchObject({ type: "pass" });
    expect(await check(of, { content: "y" })).toMatchObject({ type: "fail" });
  });

  test("above 1 MiB there is only its size", async () => {
    writeFileSync(join(root, "a.txt"), "x".repeat(1024 * 1024 + 1));
    expect(await check(text, { content: "x" })).toMatchObject({ reason: "readback_shape_invalid" });
    expect(await check({ expected_fields: { size: "n" } }, { n: 1024 * 1024 + 1 })).toMatchObject({ type: "pass" });
    expect(await check({}, {})).toMatchObject({ type: "pass" });
    expect(await check({ format: "json" }, {})).toMatchObject({ reason: "readback_unconfirmed" });
  });
});

describe("JSON", () => {
  const title = { format: "json", expected_fields: { "$.meta.id": "id" } };

  test("keeps its digits", async () => {
    writeFileSync(join(root, "a.txt"), '{"meta": {"id": 1915883588174806058}}');
    const spec = about(title);
    const fields = (id: string) => fieldsOf({ path: "a.txt" }, { id });
    const environment = { ROOT: root };
    expect(await run(spec, { fields: fields("1915883588174806058"), environment })).toMatchObject({ type: "pass" });
    expect(await run(spec, { fields: fields("1915883588174806059"), environment })).toMatchObject({ type: "fail" });
  });

  test.each(["", "{", "[]", "7", '{"meta":1}'])("%s is UNKNOWN", async (content) => {
    writeFileSync(join(root, "a.txt"), content);
    expect(await check(title, { id: 1 })).toMatchObject({ type: "unknown" });
  });

  test("lines are a list to find the record in", async () => {
    writeFileSync(join(root, "a.txt"), '{"name":"Ada","kind":"person"}\n\n{"name":"Bob","kind":"dog"}\n');
    const lines = {
      format: "json_lines",
      find: { in: "$", where: { name: "name" }, complete: true },
      expected_fields: { kind: "kind" },
    };
    expect(await check(lines, { name: "Bob", kind: "dog" })).toMatchObject({ type: "pass" });
    expect(await check(lines, { name: "Bob", kind: "cat" })).toMatchObject({ reason: "field_mismatch" });
    expect(await check(lines, { name: "Eve", kind: "cat" })).toMatchObject({ reason: "record_missing" });
    writeFileSync(join(root, "a.txt"), '{"name":"Ada"}\n{"name":');
    expect(await check(lines, { name: "Eve", kind: "cat" })).toMatchObject({ reason: "readback_error" });
    writeFileSync(join(root, "a.txt"), "");
    expect(await check(lines, { name: "Eve", kind: "cat" })).toMatchObject({ reason: "record_missing" });
  });
});

describe("existence", () => {
  test("of a file", async () => {
    expect(await check({}, {})).toMatchObject({ type: "fail", reason: "record_missing" });
    expect(await check({ expect: "absent" }, {})).toMatchObject({ type: "pass" });
    writeFileSync(join(root, "a.txt"), "");
    expect(await check({}, {})).toMatchObject({ type: "pass" });
    expect(await check({ expect: "absent" }, {})).toMatchObject({ type: "fail", reason: "record_present" });
  });

  test("of a folder", async () => {
    const folder = { entry: "folder", path_template: "d/{v}" };
    mkdirSync(join(root, "d"));
    expect(await check(folder, { v: "e" })).toMatchObject({ reason: "record_missing" });
    mkdirSync(join(root, "d/e"));
    expect(await check(folder, { v: "e" })).toMatchObject({ type: "pass" });
    expect(await check({ ...folder, entry: "file" }, { v: "e" })).toMatchObject({ reason: "readback_unconfirmed" });
    writeFileSync(join(root, "d/f"), "");
    expect(await check(folder, { v: "f" })).toMatchObject({ reason: "readback_unconfirmed" });
  });

  test("is not denied by a folder that is not there, unless the contract says so", async () => {
    expect(await check({}, { path: "d/a.txt" })).toMatchObject({ reason: "readback_unconfirmed" });
    const proof = { missing_folder_is_missing: true };
    expect(await check(proof, { path: "d/a.txt" })).toMatchObject({ reason: "record_missing" });
  });

  test("is not denied by a file in the place of a folder, or by a name that is too long", async () => {
    writeFileSync(join(root, "d"), "");
    const proof = { missing_folder_is_missing: true };
    expect(await check(proof, { path: "d/a.txt" })).toMatchObject({ reason: "readback_error" });
    expect(await check(proof, { path: "x".repeat(300) })).toMatchObject({ reason: "readback_error" });
  });
});

describe("the root", () => {
  test("that is not set, not absolute or not there is UNKNOWN", async () => {
    expect(await check({}, {}, {})).toMatchObject({ reason: "readback_error", note: "ROOT is not set" });
    expect(await check({}, {}, { ROOT: "." })).toMatchObject({ reason: "readback_error" });
    expect(await check({}, {}, { ROOT: join(base, "none") })).toMatchObject({ reason: "readback_error" });
  });

  test("may be reached through a link, and absolute paths below it are read", async () => {
    writeFileSync(join(root, "a.txt"), "x");
    const link = join(base, "link");
    symlinkSync(root, link);
    for (const path of [join(root, "a.txt"), join(link, "a.txt")]) {
      expect(await check({}, { path }, { ROOT: link })).toMatchObject({ type: "pass" });
    }
    for (const path of [join(base, "rootx/a.txt"), root, "/etc/passwd", `${root}/../root/a.txt`]) {
      expect(await check({}, { path })).toMatchObject({ reason: "readback_selector_invalid" });
    }
  });
});

describe("links", () => {
  test("are followed below the root, and not at the end", async () => {
    mkdirSync(join(root, "real"));
    writeFileSync(join(root, "real/a.txt"), "x");
    symlinkSync("real", join(root, "way"));
    symlinkSync("real/a.txt", join(root, "end"));
    symlinkSync("nowhere", join(root, "broken"));
    expect(await check(text, { path: "way/a.txt", content: "x" })).toMatchObject({ type: "pass" });
    expect(await check({}, { path: "end" })).toMatchObject({ reason: "readback_error" });
    expect(await check({ expect: "absent" }, { path: "broken" })).toMatchObject({ reason: "readback_error" });
  });

  test("never lead out", async () => {
    writeFileSync(join(base, "secret"), "x");
    symlinkSync("..", join(root, "up"));
    symlinkSync("/", join(root, "all"));
    symlinkSync(join(base, "secret"), join(root, "secret"));
    for (const path of ["up/secret", "up/none", "secret", "all/etc/passwd", "up/root"]) {
      expect(await check(text, { path, content: "x" })).toMatchObject({ type: "unknown", reason: "readback_error" });
    }
  });

  test("that come and go while it is read never lead out either", async () => {
    const outside = join(base, "outside");
    mkdirSync(outside);
    mkdirSync(join(root, "d"));
    writeFileSync(join(outside, "in.txt"), "outside");
    writeFileSync(join(root, "d/a.txt"), "inside");
    writeFileSync(join(root, "d/in.txt"), "inside");
    symlinkSync(outside, join(base, "link"));
    const spec = await readback(about(text));
    const adapter = await openAdapter(spec.source, { environment: { ROOT: root } });
    const read = (path: string) =>
      adapter.read({ fields: fieldsOf({ path }), limitMs: 5000, signal: new AbortController().signal });
    const seen = new Set<string>();
    for (let i = 0; i < 400; i++) {
      // Each read meets some moment of an exchange that takes four steps.
      const reads = [read("d/in.txt"), read("d/a.txt")];
      for (const [from, to] of [
        ["root/d", "aside"],
        ["link", "root/d"],
        ["root/d", "link"],
        ["aside", "root/d"],
      ]) {
        renameSync(join(base, from!), join(base, to!));
        await new Promise((turn) => setImmediate(turn));
      }
      for (const observation of await Promise.all(reads)) {
        expect(JSON.stringify(observation)).not.toContain("outside");
        seen.add(observation.type);
        // The folder was there all the time or in exchange; its file never was not.
        if (observation.type === "missing") expect(observation).toBe("never");
      }
    }
    expect(seen).toContain("record");
    await adapter.close();
  });
});

describe.each(["linux", "darwin"] as const)("opened as on %s", (platform) => {
  test("a file is a file, a folder a folder, and what is missing is missing", async () => {
    mkdirSync(join(root, "d"));
    writeFileSync(join(root, "d/a.txt"), "x");
    const opened = await openBelow(root, ["d", "a.txt"], platform);
    expect(opened).toMatchObject({ type: "file" });
    if (opened.type === "file") await opened.handle.close();
    expect(await openBelow(root, ["d"], platform)).toEqual({ type: "folder" });
    expect(await openBelow(root, ["d", "b"], platform)).toEqual({ type: "missing", folder: false });
    expect(await openBelow(root, ["e", "b"], platform)).toEqual({ type: "missing", folder: true });
    expect(await openBelow(root, ["d", "a.txt", "b"], platform)).toMatchObject({ type: "doubt" });
  });

  test("links never lead out", async () => {
    writeFileSync(join(base, "secret"), "x");
    symlinkSync("..", join(root, "up"));
    symlinkSync(join(base, "secret"), join(root, "secret"));
    for (const parts of [["up", "secret"], ["up", "none"], ["secret"]]) {
      expect(await openBelow(root, parts, platform)).toMatchObject({ type: "doubt" });
    }
  });
});

describe("what is neither file nor folder is not opened", () => {
  test("a pipe that nobody writes to", async () => {
    execFileSync("mkfifo", [join(root, "a.txt")]);
    expect(await check({}, {})).toMatchObject({ reason: "readback_error" });
  });

  test("a socket", async () => {
    const server = createServer();
    await new Promise<void>((listening) => server.listen(join(root, "a.txt"), listening));
    expect(await check({}, {})).toMatchObject({ reason: "readback_error" });
    server.close();
  });
});

test("what may not be read is UNKNOWN, also where its absence was to be proved", async () => {
  writeFileSync(join(root, "a.txt"), "x");
  chmodSync(root, 0o000);
  const program = `import("node:fs").then((fs) => { try { fs.readdirSync(process.argv[1]); } catch { process.exit(3); } })`;
  let status = 0;
  try {
    execFileSync(process.execPath, ["-e", program, root]);
  } catch (error) {
    status = (error as { status: number }).status;
  }
  const outcome = await check({ expect: "absent" }, {});
  chmodSync(root, 0o700);
  // The superuser may read everything; then the file is seen.
  if (status === 3) expect(outcome).toMatchObject({ type: "unknown", reason: "readback_error" });
  else expect(outcome).toMatchObject({ type: "fail", reason: "record_present" });
});
