// The scene of one session: its folder, its tools, and a guard in front of a server that answers everything.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fixture, Guard, MAIN, node, scratch } from "../e2e/harness.ts";
import type { Random } from "./random.ts";

export type Mode = "shadow" | "enforce";

/** What the wrapped tools are, and what a check of each must never say. */
export const TOOLS: Record<string, { readonly protected: boolean; readonly never?: "pass" | "fail" }> = {
  create: { protected: true, never: "fail" },
  slow: { protected: true, never: "fail" },
  lies: { protected: true, never: "pass" },
  read: { protected: true, never: "fail" },
  gone: { protected: true, never: "pass" },
  other: { protected: false },
};

export interface Stage {
  readonly random: Random;
  readonly mode: Mode;
  /** Everything of this session lies below it. */
  readonly folder: string;
  /** Stands in arguments and in a credential; nowhere on disk and in no word of ours. */
  readonly secret: string;
  readonly session: Guard;
  /** Where the records are, as the guard sees it. */
  readonly log: string;
  /** Processes of ours that no mark tells. */
  readonly unmarked: number[];
}

/** How a fault wants its guard started. */
export interface Start {
  readonly through?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly log?: string;
  /** The built program, where it must lie elsewhere. */
  readonly main?: string;
}

export function setStage(random: Random, mode: Mode, startOf: (folder: string) => Start): Stage {
  const folder = scratch();
  const secret = `private-${random.int(2 ** 31)}-${random.int(2 ** 31)}`;
  for (const name of ["tmp", "home", "records"]) mkdirSync(join(folder, name));
  const contract = join(folder, "contract.json");
  writeFileSync(contract, JSON.stringify(contractFor(folder)));
  const start = startOf(folder);
  const log = start.log ?? join(folder, "outcomes.jsonl");
  const argv = ["guard", "--contracts", contract, "--mode", mode, "--log", log, "--", node, fixture("fast.mjs")];
  const env = { ...start.env, TMPDIR: join(folder, "tmp"), HOME: join(folder, "home"), READ_TOKEN: secret };
  const through = start.through === undefined ? {} : { through: start.through };
  const session = new Guard([start.main ?? MAIN, ...argv], log, { contract, env, cwd: folder, ...through });
  return { random, mode, folder, secret, session, log, unmarked: [] };
}

function contractFor(folder: string): object {
  const extract = {
    id: { source: "result", path: "result.structuredContent.id" },
    title: { source: "arguments", path: "title" },
  };
  const allowed_failure_reasons = ["record_missing", "field_mismatch"];
  const verifier = (script: string) => ({
    extract,
    record_id_field: "id",
    verifier: { command: ["/bin/sh", "-c", script], timeout_ms: 2000, secret_env: ["READ_TOKEN"] },
    allowed_failure_reasons,
  });
  const readback = (root: string, path_template: string) => ({
    extract,
    readback: { type: "file", root, path_template, interval_ms: 20, attempts: 2 },
    allowed_failure_reasons,
  });
  const pass = `echo '{"status":"pass"}'`;
  writeFileSync(join(folder, "records", "there"), "");
  return {
    contract_version: 1,
    tools: {
      create: verifier(`read -r input; ${pass}`),
      slow: verifier(`read -r input; sleep 0.2; ${pass}`),
      lies: verifier(`read -r input; echo '{"status":"fail","reason_code":"record_missing"}'`),
      read: readback("records", "there"),
      gone: readback("records", "{id}"),
    },
  };
}

export type Role = "server" | "reader" | "verifier" | "lifeline";

/** The guard's own children of a kind, now (Linux). */
export function childrenOf({ session }: Stage, role: Role): number[] {
  const pid = session.child.pid!;
  const file = `/proc/${pid}/task/${pid}/children`;
  let pids: number[] = [];
  try {
    if (existsSync(file)) pids = readFileSync(file, "latin1").split(" ").filter(Boolean).map(Number);
  } catch {}
  return pids.filter((child) => roleOf(child) === role);
}

function roleOf(pid: number): Role | undefined {
  let line: string;
  try {
    line = readFileSync(`/proc/${pid}/cmdline`, "latin1");
  } catch {
    return undefined;
  }
  if (line.includes("--reader")) return "reader";
  if (line.includes("read -r what group")) return "lifeline";
  if (line.includes("read -r input")) return "verifier";
  return line.includes("fast.mjs") && !line.includes("\0guard\0") ? "server" : undefined;
}

/** Every file below a folder. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
