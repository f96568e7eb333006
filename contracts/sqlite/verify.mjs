// Verifier for mcp-sqlite: `node verify.mjs TOOL`, the extracted fields on stdin, the verdict on stdout.
// It only reads, and it answers only what it can prove: any doubt is a message on stderr and exit status 1, which fourgate records as UNKNOWN.

import { json } from "node:stream/consumers";
import { checks } from "./checks.mjs";
import { openDatabase } from "./database.mjs";

try {
  const check = checks.get(process.argv[2] ?? "");
  if (check === undefined) throw new Error(`no check for this tool; known: ${[...checks.keys()].join(", ")}`);
  const fields = await json(process.stdin).catch(() => {
    throw new Error("stdin is not JSON");
  });
  const database = await openDatabase(process.env.SQLITE_DATABASE);
  process.stdout.write(JSON.stringify(check(fields, database)));
} catch (error) {
  // Errors of the driver and of the system may name a path or a value in their message: only their code is shown.
  process.stderr.write(`in doubt: ${error.code ?? error.message}\n`);
  process.exitCode = 1;
}
