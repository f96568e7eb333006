// The filesystem verifier against files as they may stand: what it proves, and where it must stay in doubt.

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { verdict } from "./verifier.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "fourgate-fs-")));
const at = (path: string) => join(root, path);
const roots = { FILESYSTEM_ROOTS: root };

beforeAll(() => {
  writeFileSync(at("plain.txt"), "one\ntwo\n");
  writeFileSync(at("crlf.txt"), "one\r\ntwo\r\n");
  writeFileSync(at("bom.txt"), "\ufeffone\n");
  writeFileSync(at("empty.txt"), "");
  writeFileSync(at("latin1.txt"), Buffer.from([0x66, 0xfc, 0x72, 0x0a]));
  writeFileSync(at("e\u0301.txt"), "accent");
  mkdirSync(at("dir"));
  symlinkSync(at("plain.txt"), at("link.txt"));
  symlinkSync(at("gone.txt"), at("dangling.txt"));
  symlinkSync(at("loop.txt"), at("loop.txt"));
  execFileSync("mkfifo", [at("fifo")]);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe("write_file", () => {
  const rows: [string, string, string, string][] = [
    ["the same bytes", "plain.txt", "one\ntwo\n", "pass"],
    ["CRLF kept as written", "crlf.txt", "one\r\ntwo\r\n", "pass"],
    ["CRLF turned into LF", "crlf.txt", "one\ntwo\n", "fail field_mismatch"],
    ["a byte order mark that was written", "bom.txt", "\ufeffone\n", "pass"],
    ["a byte order mark that was not", "bom.txt", "one\n", "fail field_mismatch"],
    ["nothing written, as asked", "empty.txt", "", "pass"],
    ["an empty file where text was asked for", "empty.txt", "x", "fail field_mismatch"],
    ["one byte less", "plain.txt", "one\ntwo\n!", "fail field_mismatch"],
    ["other bytes of the same length", "plain.txt", "one\nTWO\n", "fail field_mismatch"],
    ["no file", "no.txt", "x", "fail record_missing"],
    ["a directory in its place", "dir", "x", "fail field_mismatch"],
    ["a link to the file", "link.txt", "one\ntwo\n", "pass"],
    ["a link to nothing", "dangling.txt", "x", "fail record_missing"],
    ["a link to itself", "loop.txt", "x", "doubt"],
    ["a pipe, which must not be opened", "fifo", "x", "doubt"],
    ["a name in the other Unicode form", "\u00e9.txt", "accent", "pass"],
    ["a file where its directory should be", "plain.txt/x", "x", "fail record_missing"],
    ["a directory that is not there either", "no/x.txt", "x", "doubt"],
    ["dots that lead back in", "dir/../plain.txt", "one\ntwo\n", "pass"],
  ];
  test.each(rows)("%s", (_, path, content, expected) => {
    expect(verdict("filesystem", "write_file", { path: at(path), content })).toBe(expected);
  });

  test("a lone surrogate is compared as the replacement character that the server writes", () => {
    writeFileSync(at("surrogate.txt"), "a\ud800b");
    expect(verdict("filesystem", "write_file", { path: at("surrogate.txt"), content: "a\ud800b" })).toBe("pass");
  });
  test.each([
    ["a path that is no text", { path: 7, content: "x" }],
    ["a content that is no text", { path: at("plain.txt"), content: null }],
    ["a null character in the path", { path: `${at("plain.txt")}\0`, content: "x" }],
    ["stdin that is not JSON", "one"],
  ])("%s is in doubt", (_, fields) => {
    expect(verdict("filesystem", "write_file", fields)).toBe("doubt");
  });
});

describe("which file a path means", () => {
  const write = (path: string, env: Record<string, string>) =>
    verdict("filesystem", "write_file", { path, content: "one\ntwo\n" }, env);

  test("a relative path is in doubt without FILESYSTEM_ROOTS", () => expect(write("plain.txt", {})).toBe("doubt"));
  test("a relative path starts from the first root", () => expect(write("plain.txt", roots)).toBe("pass"));
  test("a relative path out of the roots is in doubt", () => expect(write("../x.txt", roots)).toBe("doubt"));
  test("of several roots the first that holds the path counts", () =>
    expect(write("../plain.txt", { FILESYSTEM_ROOTS: `${at("dir")}:${root}` })).toBe("pass"));
  test("a path outside the roots is in doubt: the server has others", () =>
    expect(write("/etc/hostname", roots)).toBe("doubt"));
  test("a relative root is in doubt", () => expect(write("plain.txt", { FILESYSTEM_ROOTS: "." })).toBe("doubt"));
  test("a root that is not there is in doubt: the server sees other files", () =>
    expect(write(`${root}-other/x.txt`, { FILESYSTEM_ROOTS: `${root}-other` })).toBe("doubt"));
  test("with known roots a missing directory proves a missing file", () =>
    expect(write(at("no/x.txt"), roots)).toBe("fail record_missing"));
  test("~ is the home directory", () => expect(write("~/plain.txt", { HOME: root })).toBe("pass"));
});

describe("create_directory", () => {
  test.each([
    ["a directory", "dir", "pass"],
    ["nothing", "no", "fail record_missing"],
    ["a file", "plain.txt", "fail field_mismatch"],
    ["nothing, deep below nothing", "no/no", "fail record_missing"],
  ])("%s there", (_, path, expected) => {
    expect(verdict("filesystem", "create_directory", { path: at(path) }, roots)).toBe(expected);
  });
});

describe("move_file", () => {
  test.each([
    ["moved", "no.txt", "plain.txt", "pass"],
    ["a directory moved", "no", "dir", "pass"],
    ["not moved", "plain.txt", "no.txt", "fail record_missing"],
    ["copied: the source still stands", "crlf.txt", "plain.txt", "doubt"],
    ["a link whose target was moved", "dangling.txt", "plain.txt", "pass"],
  ])("%s", (_, source, destination, expected) => {
    const fields = { source: at(source), destination: at(destination) };
    expect(verdict("filesystem", "move_file", fields)).toBe(expected);
  });
});

test("a tool without a check is in doubt", () => {
  expect(verdict("filesystem", "read_file", { path: at("plain.txt") })).toBe("doubt");
});
