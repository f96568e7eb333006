// The checks of write_file, create_directory and move_file. Each takes the extracted fields and gives fourgate's reply object,
// or throws when it cannot tell.

import { open } from "node:fs/promises";
import { locate } from "./locate.mjs";

export const pass = { status: "pass" };
export const missing = { status: "fail", reason_code: "record_missing" };
export const mismatch = { status: "fail", reason_code: "field_mismatch" };

/** PASS: the file holds exactly the bytes of `content`; nothing is trimmed and no line end is converted. */
export async function checkWrite({ path, content }) {
  if (typeof content !== "string") throw new Error("content is not text");
  const found = await locate(path);
  if (found.type === "missing") return missing;
  if (found.type === "directory") return mismatch;
  const expected = Buffer.from(content, "utf8");
  if (found.size !== expected.length) return mismatch;
  const actual = await readExactly(found.path, expected.length);
  return actual.equals(expected) ? pass : mismatch;
}

/** PASS: a directory is there, whether this call made it or an earlier one. */
export async function checkDirectory({ path }) {
  const found = await locate(path);
  if (found.type === "missing") return missing;
  return found.type === "directory" ? pass : mismatch;
}

/**
 * PASS: something is at the destination and nothing at the source. What it holds cannot be known from here. Something at the
 * source may be a file that a later call put there, so it proves nothing.
 */
export async function checkMove({ source, destination }) {
  const to = await locate(destination);
  if (to.type === "missing") return missing;
  const from = await locate(source);
  if (from.type !== "missing") throw new Error("something stands at the source, left there or written since");
  return pass;
}

/** Reads a file whose size is known; one byte more is asked for, so that a file that grew meanwhile does not pass. */
async function readExactly(path, size) {
  const file = await open(path, "r");
  try {
    const buffer = Buffer.alloc(size + 1);
    let length = 0;
    for (;;) {
      const { bytesRead } = await file.read(buffer, length, buffer.length - length, length);
      if (bytesRead === 0) break;
      length += bytesRead;
      if (length > size) throw new Error("the file is being written");
    }
    return buffer.subarray(0, length);
  } finally {
    await file.close();
  }
}
