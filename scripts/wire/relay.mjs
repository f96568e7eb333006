// Runs a server and writes down each line of either side before passing it on, so that the order in the file is the true one.
// Usage: relay.mjs FILE COMMAND ARGS... Each start takes a file of its own: FILE.1, FILE.2 and so on.

import { spawn } from "node:child_process";
import { appendFileSync, openSync } from "node:fs";
import { createInterface } from "node:readline";

const [, , base, command, ...args] = process.argv;
const server = spawn(command, args, { stdio: ["pipe", "pipe", "ignore"] });

function file() {
  for (let number = 1; ; number++) {
    try {
      return openSync(`${base}.${number}`, "wx");
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
    }
  }
}

const out = file();
function pass(from, input, to) {
  createInterface({ input }).on("line", (line) => {
    appendFileSync(out, `${JSON.stringify({ from, line })}\n`);
    to.write(`${line}\n`);
  });
}
pass("client", process.stdin, server.stdin);
pass("server", server.stdout, process.stdout);
process.stdin.on("end", () => server.stdin.end());
process.on("SIGTERM", () => server.kill());
server.stdin.on("error", () => {});
server.on("exit", () => process.exit());
