// Verifier for @modelcontextprotocol/server-memory: `node verify.mjs TOOL`, the extracted fields on stdin, the verdict on stdout.
// It only reads, and it answers only what it can prove: any doubt is a message on stderr and exit status 1, which fourgate records as UNKNOWN.

import { checks } from "./checks.mjs";
import { readGraph } from "./graph.mjs";

try {
  const check = checks.get(process.argv[2] ?? "");
  if (check === undefined) throw new Error(`no check for this tool; known: ${[...checks.keys()].join(", ")}`);
  const fields = await readFields();
  process.stdout.write(JSON.stringify(check(fields, await readGraph(process.env.MEMORY_FILE_PATH))));
} catch (error) {
  // System errors name the path in their message: only their code is shown.
  process.stderr.write(`in doubt: ${error.code ?? error.message}\n`);
  process.exitCode = 1;
}

/** The fields that fourgate extracted from the call. */
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
