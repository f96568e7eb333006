// `fourgate demo`: plays five real MCP sessions through the built guard, tells what happened, and checks that the telling is true.

import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { ALWAYS } from "../core/summary/period.ts";
import { writeReportFile } from "../io/report-file.ts";
import { summaryPage } from "../report/index.ts";
import { openDesk, readStore } from "./demo/desk.ts";
import { type Scene, scenes, TICKET_TITLE } from "./demo/scenes.ts";
import { checkScene, type Seen } from "./demo/self-check.ts";
import { type Answer, runSession } from "./demo/session.ts";
import { openWorkspace, programs, readRecords, type Workspace } from "./demo/workspace.ts";
import { Collector } from "./summary/collect.ts";
import { readLog } from "./summary/sources.ts";
import { version } from "./version.ts";

export interface DemoOptions {
  /** Where the two files go; made when it is not there. */
  readonly out: string;
  /** Aborted when the user breaks off: the running scene is ended, and no further one begins. */
  readonly signal: AbortSignal;
  /** Called after each scene, with its number from 1 and whether it went as told; the next scene waits for it. */
  readonly onScene: (number: number, scene: Scene, seen: Seen, asTold: boolean) => Promise<void> | void;
}

export type DemoResult =
  | { readonly type: "unusable"; readonly problem: string }
  | { readonly type: "stopped" }
  | {
      readonly type: "played";
      readonly seen: readonly Seen[];
      readonly facts: number;
      /** One line for each fact that was not as told, with its scene; empty when all were. */
      readonly mismatches: readonly string[];
      readonly closing: string;
    };

/** Plays all scenes. Everything that is started is gone and everything temporary is removed when this resolves. */
export async function playDemo(options: DemoOptions): Promise<DemoResult> {
  const workspace = await openWorkspace(options.out);
  if ("problem" in workspace) return { type: "unusable", problem: workspace.problem };
  try {
    return await playScenes(workspace, options);
  } finally {
    await workspace.remove();
  }
}

async function playScenes(workspace: Workspace, options: DemoOptions): Promise<DemoResult> {
  const allSeen: Seen[] = [];
  const mismatches: string[] = [];
  let facts = 0;
  let direct: Answer | undefined;
  for (const [index, scene] of scenes.entries()) {
    const seen = await playScene(index, scene, workspace, options.signal);
    if (options.signal.aborted) return { type: "stopped" };
    const check = checkScene(scene, seen, direct);
    direct ??= seen.answer;
    facts += check.facts;
    mismatches.push(...check.mismatches.map((problem) => `scene ${index + 1}: ${problem}`));
    allSeen.push(seen);
    await options.onScene(index + 1, scene, seen, check.mismatches.length === 0);
    if (options.signal.aborted) return { type: "stopped" };
  }
  const closing =
    mismatches.length === 0
      ? `Self-check: all ${scenes.length} scenes went as told (${facts} facts compared).`
      : `Self-check: ${mismatches.length} of ${facts} facts were not as told.`;
  await writeSummary(workspace, [closing, ...mismatches]);
  return { type: "played", seen: allSeen, facts, mismatches, closing };
}

/** The page that `fourgate summary` would write of this log, with the self-check's findings. */
async function writeSummary({ log, summary }: Workspace, notes: readonly string[]): Promise<void> {
  const collector = new Collector({ period: ALWAYS, compare: false });
  await readLog(
    log,
    (line) => collector.line(line),
    () => {},
    new AbortController().signal,
  );
  const problem = await writeReportFile(
    summary,
    summaryPage(collector.result(), { version, nowMs: Date.now(), notes }),
  );
  if (problem !== undefined) throw new Error(`${summary} cannot be written: ${problem}`);
}

async function playScene(index: number, scene: Scene, workspace: Workspace, signal: AbortSignal): Promise<Seen> {
  const store = join(workspace.stores, `scene-${index + 1}.jsonl`);
  const key = randomUUID();
  const desk = await openDesk(store, key);
  if (!scene.deskOpen) await desk.close();
  const recordsBefore = await readRecords(workspace.log);
  const environment = {
    ...inherited(),
    TICKET_STORE: store,
    TICKET_DESK_URL: desk.url,
    TICKET_READ_KEY: key,
  };
  const end = await runSession(commandOf(scene, workspace.log), environment, TICKET_TITLE, signal);
  if (scene.deskOpen) await desk.close();
  const records = (await readRecords(workspace.log)).slice(recordsBefore.length);
  return { ...end, stored: await readStore(store), records };
}

function commandOf(scene: Scene, log: string): [string, ...string[]] {
  const server: [string, ...string[]] = [process.execPath, programs.server, scene.server];
  if (scene.mode === undefined) return server;
  const guard = ["guard", "--contracts", programs.contract, "--mode", scene.mode, "--server", "tickets", "--log", log];
  return [process.execPath, programs.fourgate, ...guard, "--", ...server];
}

/** The little that programs need to start; the user's other variables are none of the demo's business. */
function inherited(): Record<string, string> {
  const names = ["PATH", "HOME", "TMPDIR", "TEMP", "TMP", "SystemRoot", "PATHEXT", "COMSPEC", "USERPROFILE"];
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}
