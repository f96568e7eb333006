// Plays one session: a client that asks for this and that, and a fault at some moment. What must hold of it is in judge.ts.

import { closeSync, openSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import type { OutcomeLine } from "../e2e/harness.ts";
import type { Fault } from "./faults.ts";
import { randomFrom } from "./random.ts";
import { childrenOf, type Mode, type Stage, setStage, TOOLS } from "./stage.ts";

export interface Asked {
  readonly id: number;
  /** A tool, or undefined for a ping. */
  readonly tool: string | undefined;
}

/** What a session left to be judged. */
export interface Seen {
  readonly stage: Stage;
  readonly fault: Fault;
  readonly asked: readonly Asked[];
  /** All of the guard's stdout. */
  readonly out: string;
  readonly exit: number;
  /** The log's lines, whole or torn; of a removed one too. */
  readonly logText: string;
  readonly onStderr: readonly OutcomeLine[];
}

/** Far beyond what anything takes: meeting it is a hang. */
const HANG_MS = 20_000;

/** How long the strike may come after the call that it follows. */
const STRIKE_WITHIN_MS = 60;

export async function playSession(seed: string, number: number, fault: Fault): Promise<Seen> {
  const random = randomFrom(`${seed} ${number}`);
  const mode: Mode = random.oneIn(3) ? "shadow" : "enforce";
  const stage = setStage(random, mode, fault.start ?? (() => ({})));
  const { session } = stage;
  const chunks: Buffer[] = [];
  let answered = 0;
  const waiting: (() => void)[] = [];
  const wake = () => {
    for (const each of waiting.splice(0)) each();
  };
  session.child.stdout.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    for (const byte of chunk) if (byte === 0x0a) answered++;
    wake();
  });
  let over = false;
  void session.closed.then(() => {
    over = true;
    wake();
  });
  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds() && !over) await new Promise<void>((again) => waiting.push(again));
  };

  const asked: Asked[] = [];
  const count = 3 + random.int(14);
  const struckAt = random.int(count);
  const window = 1 + random.int(6);
  const logs = keptOpen(stage);
  let striking: Promise<void> | undefined;
  for (let id = 0; id < count && !over; id++) {
    if (id === struckAt) {
      striking = pause(random.int(STRIKE_WITHIN_MS)).then(async () => {
        // Who can only be killed may be killed while it starts; anything else would only show how a program is started.
        if (fault.dies !== "guard") await until(() => answered > 0);
        logs.look();
        stage.unmarked.push(...childrenOf(stage, "lifeline"));
        return fault.strike(stage);
      });
    }
    asked.push(ask(stage, id));
    await bounded(
      until(() => asked.length - answered < window || fault.dies === "client"),
      "an answer",
      stage,
    );
  }
  await bounded(striking ?? Promise.resolve(), "the strike", stage);
  if (fault.dies === undefined)
    await bounded(
      until(() => answered >= count),
      "the last answers",
      stage,
    );
  logs.look();
  stage.unmarked.push(...childrenOf(stage, "lifeline"));
  session.child.stdin.end();
  const exit = await bounded(session.exited, "the end", stage);
  await bounded(session.closed, "the end of stdout", stage);
  const out = Buffer.concat(chunks).toString();
  return { stage, fault, asked, out, exit, logText: logs.text(), onStderr: session.stderrRecords() };
}

function ask({ session, random, secret }: Stage, id: number): Asked {
  if (random.oneIn(8)) {
    session.send({ jsonrpc: "2.0", id, method: "ping" });
    return { id, tool: undefined };
  }
  const tool = random.pick(Object.keys(TOOLS));
  session.call(id, tool, { id: `r${id}`, title: secret });
  return { id, tool };
}

async function bounded<T>(wanted: Promise<T>, what: string, { session }: Stage): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`hangs: ${what}; stderr: ${session.stderr}`)), HANG_MS);
  });
  try {
    return await Promise.race([wanted, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The log by its descriptor, so that neither its removal nor the end of its file system takes it away; and one that took its place. */
function keptOpen({ session, log }: Stage): { look(): void; text(): string } {
  const files: number[] = [];
  const open = (path: string) => {
    try {
      files.push(openSync(path, "r"));
    } catch {}
  };
  return {
    look: () => open(`/proc/${session.child.pid}/root${log}`),
    text() {
      // The same file may have been opened twice.
      open(log);
      const texts = files.map((file) => readFileSync(file, "utf8"));
      for (const file of files) closeSync(file);
      return [...new Set(texts)].join("");
    },
  };
}
