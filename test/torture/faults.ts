// What may happen to a session, one fault each: how it strikes, and what dies of it.

import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { MAIN } from "../e2e/harness.ts";
import { childrenOf, type Role, type Stage, type Start } from "./stage.ts";

export interface Fault {
  readonly name: string;
  /** Who does not live on. A guard that is killed can only have kept what it promised. */
  readonly dies?: "guard" | "server" | "client";
  /** Its guard is told to stop by a signal, or its exit status is not the server's. */
  readonly exit?: number;
  /** It touches no check: each ends as it would without it, unless the machine is too slow. */
  readonly harmless?: true;
  /** Why it cannot be made here. */
  readonly impossible?: () => string | undefined;
  readonly start?: (folder: string) => Start;
  readonly strike: (stage: Stage) => Promise<void> | void;
}

const NOBODY = 65_534;
const notRoot = () => (process.getuid?.() === 0 ? undefined : "needs root");

function send(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {}
  }
}

/** Those of a kind that run; waits a little for one, since most verifiers are gone in a moment. */
async function running(stage: Stage, role: Role): Promise<number[]> {
  for (let looks = 0; looks < 100; looks++) {
    const pids = childrenOf(stage, role);
    if (pids.length > 0) return pids;
    await pause(2);
  }
  return [];
}

const kill = (role: Role) => async (stage: Stage) => send(await running(stage, role), "SIGKILL");

const suspend = (role: Role | "guard") => async (stage: Stage) => {
  const pids = role === "guard" ? [stage.session.child.pid!] : await running(stage, role);
  send(pids, "SIGSTOP");
  // Now and then for longer than a check may take.
  await pause(stage.random.int(stage.random.oneIn(3) ? 3000 : 500));
  send(pids, "SIGCONT");
};

/** A limit of the guard for a while, as `ulimit` would have set it before the start. */
function limited(what: string, low: (stage: Stage) => number, as: object = {}): Fault["strike"] {
  return async (stage) => {
    const set = (value: number | string) =>
      spawnSync("prlimit", ["--pid", String(stage.session.child.pid), `--${what}=${value}:`], as);
    set(low(stage));
    await pause(stage.random.int(400));
    set(4096);
  };
}

/** A file system of 64 KiB in a mount namespace of the guard's own, which goes with it. */
function smallDisk(folder: string): Start {
  const disk = join(folder, "disk");
  mkdirSync(disk);
  const script = `mount -t tmpfs -o size=64k none ${disk} && exec "$@"`;
  return { through: ["unshare", "-m", "sh", "-c", script, "sh"], log: join(disk, "log") };
}

async function fillDisk(stage: Stage): Promise<void> {
  const filler = `/proc/${stage.session.child.pid}/root${join(stage.folder, "disk", "filler")}`;
  try {
    writeFileSync(filler, Buffer.alloc(128 * 1024));
  } catch {}
  await pause(stage.random.int(500));
  rmSync(filler, { force: true });
}

/** A guard without privileges, with the program where nobody may run it. */
function asNobody(folder: string): Start {
  const copied = join(folder, "dist");
  cpSync(dirname(MAIN), copied, { recursive: true });
  for (const path of [folder, join(folder, "tmp"), join(folder, "home")]) chownSync(path, NOBODY, NOBODY);
  const through = ["setpriv", "--reuid", String(NOBODY), "--regid", String(NOBODY), "--clear-groups"];
  return { through, main: join(copied, "main.cjs") };
}

export const FAULTS: readonly Fault[] = [
  { name: "none", harmless: true, strike: () => {} },
  { name: "guard-killed", dies: "guard", strike: ({ session }) => void session.child.kill("SIGKILL") },
  { name: "guard-group-killed", dies: "guard", strike: ({ session }) => send([-session.child.pid!], "SIGKILL") },
  {
    name: "guard-told-to-stop",
    dies: "client",
    exit: 143,
    strike: ({ session }) => send([session.child.pid!], "SIGTERM"),
  },
  { name: "server-killed", dies: "server", strike: kill("server") },
  { name: "verifier-killed", strike: kill("verifier") },
  { name: "reader-killed", strike: kill("reader") },
  { name: "lifeline-killed", harmless: true, strike: kill("lifeline") },
  { name: "guard-suspended", strike: suspend("guard") },
  { name: "server-suspended", strike: suspend("server") },
  { name: "verifier-suspended", strike: suspend("verifier") },
  { name: "reader-suspended", strike: suspend("reader") },
  {
    name: "client-gone",
    dies: "client",
    strike({ session }) {
      session.child.stdin.destroy();
      session.child.stdout.destroy();
    },
  },
  { name: "disk-full", harmless: true, impossible: notRoot, start: smallDisk, strike: fillDisk },
  { name: "log-removed", harmless: true, strike: ({ log }) => rmSync(log, { force: true }) },
  { name: "log-read-only", harmless: true, strike: ({ log }) => chmodSync(log, 0o400) },
  { name: "no-descriptors", strike: limited("nofile", ({ random }) => 3 + random.int(40)) },
  {
    name: "no-processes",
    impossible: notRoot,
    start: asNobody,
    strike: limited("nproc", () => 1, { uid: NOBODY, gid: NOBODY }),
  },
  {
    name: "clock-moved",
    harmless: true,
    start: () => ({
      env: { NODE_OPTIONS: `--import ${pathToFileURL(resolve("test/fixtures/torture/moves-clock.mjs"))}` },
    }),
    strike: () => {},
  },
];
