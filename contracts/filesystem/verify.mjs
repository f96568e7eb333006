// Verifier for @modelcontextprotocol/server-filesystem: `node verify.mjs TOOL`, the extracted fields on stdin, the verdict on stdout.
// It only looks, and it answers only what it can prove: any doubt is a message on stderr and exit status 1, which fourgate records as UNKNOWN.

import { checkEdit } from "./check-edit.mjs";
import { checkDirectory, checkMove, checkWrite } from "./checks.mjs";

const checks = new Map([
  ["write_file", checkWrite],
  ["edit_file", checkEdit],
  ["create_directory", checkDirectory],
  ["move_file", checkMove],
]);

try {
  const check = checks.get(process.argv[2] ?? "");
  if (check === undefined) throw new Error(`no check for this tool; known: ${[...checks.keys()].join(", ")}`);
  process.stdout.write(JSON.stringify(await check(await readFields())));
} catch (error) {
  // System errors name the path in their message, which is a value of the call: only their code is shown.
  process.stderr.write(`in doubt: ${error.code ?? error.message}\n`);
  process.exitCode = 1;
}

/** The fields that fourgate extracted from the call and its answer. */
async function readFields() {
  const chunks = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    // JSON.parse quotes what it could not read.
    throw new Error("stdin is not JSON");
  }
}
