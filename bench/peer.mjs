// A client for benchmarks: starts a server command, counts answers, and times them; nothing but pipes in between.

import { spawn } from "node:child_process";

/** The newline-terminated call that all benchmarks send. */
export function callLine(id, args = {}, tool = "echo") {
  return `${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name: tool, arguments: args } })}\n`;
}

const INITIALIZE = `${JSON.stringify({
  jsonrpc: "2.0",
  id: "init",
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "bench", version: "1" } },
})}\n`;

/** Starts `command` and waits until `initialize` is answered. */
export async function connect(command) {
  const begin = performance.now();
  const child = spawn(command[0], command.slice(1), { stdio: ["pipe", "pipe", "ignore"] });
  let waiting = () => {};
  let gone = () => {};
  let answers = 0;
  child.once("exit", (code) => gone(new Error(`it ended with ${code}: ${command.join(" ")}`)));
  child.stdout.on("data", (chunk) => {
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) answers++;
    waiting();
  });
  const until = (count) =>
    new Promise((resolve, reject) => {
      gone = reject;
      waiting = () => answers >= count && resolve();
      waiting();
    });
  child.stdin.write(INITIALIZE);
  await until(1);
  return {
    child,
    startMs: performance.now() - begin,
    /** `count` calls one after the other; gives each one's milliseconds. */
    async roundTrips(count, args, tool) {
      const times = [];
      for (let id = 0; id < count; id++) {
        const sent = performance.now();
        const target = answers + 1;
        child.stdin.write(callLine(id, args, tool));
        await until(target);
        times.push(performance.now() - sent);
      }
      return times;
    },
    /** `count` calls with `outstanding` of them in flight, to `tool`, or to what it says of each id; gives the milliseconds of all together. */
    async pipelined(count, outstanding, args, tool) {
      const begin = performance.now();
      const base = answers;
      const toolOf = typeof tool === "function" ? tool : () => tool;
      let sent = 0;
      while (answers - base < count) {
        let lines = "";
        while (sent < count && sent - (answers - base) < outstanding) lines += callLine(sent, args, toolOf(sent++));
        if (lines !== "") child.stdin.write(lines);
        await until(answers + 1);
      }
      return performance.now() - begin;
    },
    async close() {
      child.stdin.end();
      await new Promise((resolve) => child.once("exit", resolve));
    },
  };
}

/** Milliseconds that a command takes from spawn to exit. */
export async function runTime(command) {
  const begin = performance.now();
  const child = spawn(command[0], command.slice(1), { stdio: "ignore" });
  await new Promise((resolve) => child.once("exit", resolve));
  return performance.now() - begin;
}

export function quantile(values, q) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))];
}

export const median = (values) => quantile(values, 0.5);
