// Runs `fourgate scan` through the built program against a server that keeps what it is sent, with files as the system of record.

import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fixture, MAIN, node, processesMarked, scratch } from "./harness.ts";

/** How the record of a call of `create` is read back: the file that its id names must have the title. */
export const FILE_READBACK = {
  type: "file",
  root: { env: "SCAN_ROOT" },
  path_template: "{id}.json",
  format: "json",
  expected_fields: { title: "title" },
  attempts: 2,
  interval_ms: 20,
};

export const EXTRACT = {
  id: { source: "result", path: "result.structuredContent.id" },
  title: { source: "arguments", path: "title" },
};

/** A case of `create`. */
export const createCase = (args: object = {}, more: object = {}) => ({
  tool: "create",
  arguments: { title: "fourgate {run_id}", ...args },
  outcome_contract: { extract: EXTRACT, record_id_field: "id" },
  readback: FILE_READBACK,
  ...more,
});

export const CLEANUP = { cleanup: { tool: "remove", arguments: { id: "{id}" } } };

export interface ScanStart {
  readonly cases?: readonly object[];
  /** What is odd about the server's session. */
  readonly odd?: readonly string[];
  readonly server?: Record<string, unknown>;
  /** Members of the scan file beside these. */
  readonly more?: Record<string, unknown>;
  readonly flags?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** Files that stand beside the scan file. */
  readonly files?: Record<string, object>;
  /** Told once the scan runs; may send it signals. */
  readonly meanwhile?: (scan: { readonly pid: number; readonly folder: string }) => Promise<void>;
}

export interface Scanned {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** stdout as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever a report holds
  readonly report: any;
  /** `tool status/reason` of each row. */
  readonly outcomes: string[];
  /** The messages that the server was sent. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever the wire carries
  readonly received: any[];
  /** The folder of the records. */
  readonly folder: string;
  /** The scan file. */
  readonly file: string;
  /** Processes of the scan that still run. */
  readonly left: string[];
  readonly ms: number;
}

/** Runs a scan to its end, everything being read. Without other flags the report is JSON. */
export async function scan(start: ScanStart): Promise<Scanned> {
  const directory = scratch();
  const folder = join(directory, "records");
  mkdirSync(folder);
  const file = join(directory, "scan.json");
  const command = ["{node}", fixture("scanned.mjs"), folder, ...(start.odd ?? [])];
  const content = {
    scan_version: 1,
    server: { command, test_account: "disposable", ...start.server },
    write_tools: ["create", "remove"],
    cases: start.cases ?? [createCase()],
    ...start.more,
  };
  writeFileSync(file, JSON.stringify(content));
  for (const [name, value] of Object.entries(start.files ?? {}))
    writeFileSync(join(directory, name), JSON.stringify(value));
  const flags = start.flags ?? ["--json"];
  const env = { SCAN_ROOT: folder, ...start.env };
  return run([file, "--confirm-test-account", "disposable", ...flags], env, file, folder, start.meanwhile);
}

/** Runs a scan of a file that is there, with its report as JSON. */
export function scanFile(file: string, account: string, env: NodeJS.ProcessEnv): Promise<Scanned> {
  return run([file, "--confirm-test-account", account, "--json"], env, file, scratch());
}

async function run(
  argv: readonly string[],
  more: NodeJS.ProcessEnv,
  file: string,
  folder: string,
  meanwhile?: ScanStart["meanwhile"],
): Promise<Scanned> {
  // The mark finds every process of this scan, whatever became of its parents.
  const mark = `mark-${randomBytes(8).toString("hex")}`;
  const env = { ...process.env, ...more, FOURGATE_TEST_MARK: mark };
  const begin = performance.now();
  const child = spawn(node, [MAIN, "scan", ...argv], { env });
  const out: Buffer[] = [];
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const closed = new Promise<number>((resolve) => {
    child.on("close", (code) => resolve(code ?? -1));
  });
  await meanwhile?.({ pid: child.pid!, folder });
  const code = await closed;
  const ms = performance.now() - begin;
  const stdout = Buffer.concat(out).toString();
  const report = stdout.startsWith("{") ? JSON.parse(stdout) : undefined;
  const outcomes = (report?.cases ?? []).map(
    (one: { tool: string; status: string; reason_code: string }) => `${one.tool} ${one.status}/${one.reason_code}`,
  );
  const received = receivedIn(folder);
  return { code, stdout, stderr, report, outcomes, received, folder, file, left: processesMarked(mark), ms };
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever the wire carries
export function receivedIn(folder: string): any[] {
  const path = join(folder, "received.jsonl");
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, "utf8").split("\n");
  // The server may be writing the last one.
  return lines.slice(0, -1).map((line) => JSON.parse(line));
}

/** The methods that the server was sent, in order. */
export const methods = ({ received }: Pick<Scanned, "received">): string[] =>
  received.map(({ method }) => method ?? "(answer)");

/** The calls that it was sent. */
// biome-ignore lint/suspicious/noExplicitAny: as above
export const calls = ({ received }: Pick<Scanned, "received">): any[] =>
  received.filter(({ method }) => method === "tools/call").map(({ params }) => params);
