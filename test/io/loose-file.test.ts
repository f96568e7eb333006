// Who may change what a path means, by modes and links as they are on disk.

import { chmodSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { looseness } from "../../src/io/loose-file.ts";

let top: string;
let file: string;
beforeEach(() => {
  // Below /tmp, which everybody may write to: its sticky bit keeps others from replacing what is in it.
  top = mkdtempSync(join(tmpdir(), "fourgate-test-"));
  mkdirSync(join(top, "a", "b"), { recursive: true });
  file = join(top, "a", "b", "check.sh");
  writeFileSync(file, "");
  chmodSync(file, 0o755);
});

test("a file and folders that only their owner and a group may change are fine, and so is what is not there", () => {
  chmodSync(join(top, "a"), 0o775);
  expect(looseness(file, false)).toBeUndefined();
  expect(looseness(join(top, "none"), false)).toBeUndefined();
});

test("a file that everybody may change, and any folder above it, is named", () => {
  chmodSync(file, 0o757);
  expect(looseness(file, false)).toEqual({ path: file, how: "writable" });
  chmodSync(file, 0o755);
  chmodSync(join(top, "a"), 0o777);
  expect(looseness(file, false)).toEqual({ path: join(top, "a"), how: "writable" });
  chmodSync(join(top, "a"), 0o1777);
  expect(looseness(file, false)).toBeUndefined();
});

test("a link is named where none may be; where one may, the folders of both its ends are looked at", () => {
  mkdirSync(join(top, "links"));
  const link = join(top, "links", "check");
  symlinkSync(file, link);
  expect(looseness(link, false)).toEqual({ path: link, how: "link" });
  expect(looseness(link, true)).toBeUndefined();
  chmodSync(join(top, "links"), 0o777);
  expect(looseness(link, true)).toEqual({ path: join(top, "links"), how: "writable" });
  chmodSync(join(top, "links"), 0o755);
  chmodSync(join(top, "a", "b"), 0o777);
  expect(looseness(link, true)).toEqual({ path: join(top, "a", "b"), how: "writable" });
});
