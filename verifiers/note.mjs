// Verifier in Node: is the note there, with its text? Fields on stdin, the verdict on stdout, any exit status but 0 when in doubt.

import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { json } from "node:stream/consumers";

const { id, text } = await json(process.stdin);
const notes = process.env.NOTES_DIR;
if (typeof id !== "string" || !/^[A-Za-z0-9_-]{1,64}$/.test(id)) throw new Error("in doubt: no usable id");
if (!(await stat(notes)).isDirectory()) throw new Error("in doubt: NOTES_DIR is no directory");

let answer;
try {
  const stored = await readFile(join(notes, `${id}.txt`), "utf8");
  answer = stored === text ? { status: "pass" } : { status: "fail", reason_code: "field_mismatch" };
} catch (error) {
  // Only "there is no such file" proves anything; every other error is thrown on and makes the check UNKNOWN.
  if (error.code !== "ENOENT") throw error;
  answer = { status: "fail", reason_code: "record_missing" };
}
console.log(JSON.stringify(answer));
