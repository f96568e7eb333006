// Runs the built program as a client would: lines in, lines out, everything it says and leaves behind in view.

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach } from "vitest";

export const MAIN = resolve("dist/main.cjs");
export const fixture = (name: string) => resolve("test/fixtures/servers", name);
export const node = process.execPath;

/** Verifiers as one-line shell programs: quick, and everything visible. */
export const says = (reply: object) => ["/bin/sh", "-c", `read -r input; echo '${JSON.stringify(reply)}'`];
export const FAILS = says({ status: "fail", reason_code: "record_missing" });
export const PASSES = says({ status: "pass" });

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const clean of cleanups.splice(0)) clean();
});

/** A directory of its own, gone after the test. */
export function scratch(): string {
  const directory = mkdtempSync(join(tmpdir(), "fourgate-test-"));
  cleanups.push(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** A contract for the tool `create`: `id` from the answer, all from the arguments left alone. */
export function contractFor(
  command: readonly string[],
  more: Record<string, unknown> = {},
  tools = ["create"],
): object {
  const { verifier = {}, ...rest } = more as { verifier?: object };
  const tool = {
    extract: { id: { source: "result", path: "result.structuredContent.id" } },
    record_id_field: "id",
    verifier: { command, timeout_ms: 2000, ...verifier },
    allowed_failure_reasons: ["record_missing", "field_mismatch"],
    ...rest,
  };
  return { contract_version: 1, tools: Object.fromEntries(tools.map((name) => [name, tool])) };
}

export interface GuardStart {
  readonly contract: object | string;
  readonly server?: readonly string[];
  readonly flags?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** Without a log file, records are on stderr. */
  readonly log?: boolean;
  /** What runs the guard, whose command is put behind it, and becomes it: the process number stays. */
  readonly through?: readonly string[];
}

export interface OutcomeLine {
  status: string;
  reason_code: string;
  tool: string;
  mode: string;
  gate_ms: number;
  seq: number;
  [key: string]: unknown;
}

/** Starts `fourgate guard` in front of a server. */
export function guard(start: GuardStart): Guard {
  const directory = scratch();
  const contract = typeof start.contract === "string" ? start.contract : join(directory, "contract.json");
  if (typeof start.contract !== "string") writeFileSync(contract, JSON.stringify(start.contract));
  const log = join(directory, "outcomes.jsonl");
  const flags = ["--contracts", contract, ...(start.log === false ? [] : ["--log", log]), ...(start.flags ?? [])];
  const server = start.server ?? [node, fixture("fast.mjs")];
  return new Guard([MAIN, "guard", ...flags, "--", ...server], log, start);
}

/** A running guard. */
export class Guard {
  readonly child: ChildProcessWithoutNullStreams;
  readonly mark = `mark-${randomBytes(8).toString("hex")}`;
  readonly logFile: string;
  stderr = "";
  /** Complete lines from stdout that nobody has taken yet, without their newline. */
  readonly lines: string[] = [];
  readonly exited: Promise<number>;
  /** stdout ended and all of it was read. */
  readonly closed: Promise<void>;
  #rest: Buffer[] = [];
  #wake: (() => void)[] = [];
  #ended = false;

  constructor(argv: readonly string[], logFile: string, start: GuardStart) {
    this.logFile = logFile;
    // The mark finds every process of this session, whatever became of its parents.
    const env = { ...process.env, ...start.env, FOURGATE_TEST_MARK: this.mark };
    const [program, ...args] = [...(start.through ?? []), node, ...argv] as [string, ...string[]];
    this.child = spawn(program, args, { env, cwd: start.cwd, detached: true });
    this.child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
      this.#notify();
    });
    this.child.stdin.on("error", () => {});
    this.exited = new Promise((done) => {
      this.child.on("exit", (code, signal) => done(code ?? (signal === "SIGKILL" ? 137 : 255)));
    });
    this.closed = new Promise((done) => this.child.on("close", () => done()));
    this.child.on("close", () => {
      this.#ended = true;
      this.#notify();
    });
    cleanups.push(() => this.kill());
  }

  /** Begins to read stdout; before that, nothing is taken from it. */
  read(): this {
    if (this.child.stdout.listenerCount("data") > 0) return this;
    this.child.stdout.on("data", (chunk: Buffer) => this.#take(chunk));
    return this;
  }

  send(message: object | string): boolean {
    return this.child.stdin.write(`${typeof message === "string" ? message : JSON.stringify(message)}\n`);
  }

  call(id: unknown, name = "create", args: object = {}): boolean {
    return this.send({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } });
  }

  /** The next line, or undefined when stdout has ended. */
  async next(): Promise<string | undefined> {
    this.read();
    while (this.lines.length === 0 && !this.#ended) await this.#woken();
    return this.lines.shift();
  }

  /** The next line, parsed. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever the wire carries
  async message(): Promise<any> {
    const line = await this.next();
    if (line === undefined) throw new Error(`stdout ended; stderr: ${this.stderr}`);
    return JSON.parse(line);
  }

  /** Waits until the condition holds; output on either stream makes it look again. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) {
      if (this.#ended) throw new Error(`ended before; stderr: ${this.stderr}`);
      await Promise.race([this.#woken(), new Promise((look) => setTimeout(look, 20))]);
    }
  }

  /** Closes the client's end and gives the exit status, everything being read. */
  async end(): Promise<number> {
    this.read();
    this.child.stdin.end();
    const code = await this.exited;
    await this.closed;
    return code;
  }

  records(): OutcomeLine[] {
    let text = "";
    try {
      text = readFileSync(this.logFile, "utf8");
    } catch {}
    return text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as OutcomeLine);
  }

  /** Records that went to stderr. */
  stderrRecords(): OutcomeLine[] {
    return [...this.stderr.matchAll(/^\[FOURGATE_OUTCOME\] (.*)$/gm)].map((match) => JSON.parse(match[1]!));
  }

  /** The processes of this session that still run, as `pid name`; zombies do not count. */
  left(): string[] {
    return processesMarked(this.mark);
  }

  kill(): void {
    for (const entry of this.left()) {
      try {
        process.kill(Number(entry.split(" ")[0]), "SIGKILL");
      } catch {}
    }
  }

  #take(chunk: Buffer): void {
    let at = 0;
    for (let newline = chunk.indexOf(10); newline >= 0; newline = chunk.indexOf(10, at)) {
      this.#rest.push(chunk.subarray(at, newline));
      this.lines.push(Buffer.concat(this.#rest).toString());
      this.#rest = [];
      at = newline + 1;
    }
    if (at < chunk.length) this.#rest.push(chunk.subarray(at));
    this.#notify();
  }

  #notify(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }

  #woken(): Promise<void> {
    return new Promise((wake) => this.#wake.push(wake));
  }
}

/** Processes whose environment carries the mark (Linux). */
export function processesMarked(mark: string): string[] {
  const found: string[] = [];
  for (const pid of readdirSync("/proc")) {
    if (!/^\d+$/.test(pid)) continue;
    try {
      if (!readFileSync(`/proc/${pid}/environ`, "latin1").includes(mark)) continue;
      const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
      if (!/\) Z/.test(stat)) found.push(`${pid} ${/\((.*)\)/s.exec(stat)?.[1]}`);
    } catch {}
  }
  return found;
}

/** The resident memory of a process, in bytes; `peak` is the most it ever had. */
export function memoryOf(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, "latin1");
  const kib = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) * 1024;
  return { now: kib("VmRSS"), peak: kib("VmHWM") };
}

export const verdictOf = (message: { result: { content: { text: string }[] } }) => message.result.content[0]!.text;
