// The command line of `fourgate demo`: flags, words on stdout, exit status.

import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { MAX_DEMO_PACE_SECONDS } from "../core/limits.ts";

export const demoHelp = `fourgate demo: see fourgate at work, in five short scenes on this machine

Usage: fourgate demo [--out DIR] [--pace SECONDS] [--json]

  --out DIR       where the outcome log and the summary go (default ./fourgate-demo)
  --pace SECONDS  pause between scenes, 0 to ${MAX_DEMO_PACE_SECONDS} (default 0)
  --json          one JSON document instead of the story

No network beyond this machine, no keys, nothing is installed.
Exit status: 0 every scene went as told, 1 one did not, 2 usage.

Example: fourgate demo --pace 2
`;

interface Flags {
  readonly out: string;
  readonly paceMs: number;
  readonly json: boolean;
  readonly help: boolean;
}

/** Runs the command; gives the exit status. */
export async function demoCommand(argv: readonly string[]): Promise<number> {
  const flags = readFlags(argv);
  if (typeof flags === "string") return usageError(flags);
  if (flags.help) {
    process.stdout.write(demoHelp);
    return 0;
  }
  // The scenes bring the MCP SDK with them; nobody else should wait for it.
  const { playDemo } = await import("../run/demo.ts");
  const { asciiOnly, introduction, sceneText } = await import("../run/demo/story.ts");
  const style = colours(process.stdout.isTTY === true && !process.env.NO_COLOR);
  const say = (text: string) => void (flags.json || process.stdout.write(`${asciiOnly(text)}\n`));
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  process.once("SIGINT", onSignal).once("SIGTERM", onSignal);
  // A reader that has gone (`fourgate demo | head -1`) is a way of breaking off too.
  process.stdout.on("error", onSignal);
  const scenes: object[] = [];
  const result = await playDemo({
    out: flags.out,
    signal: stop.signal,
    onScene: async (number, scene, seen, asTold) => {
      if (number === 1) say(introduction(style));
      say(sceneText(number, scene, seen, asTold, style));
      scenes.push({
        scene: number,
        title: scene.title,
        server: scene.server,
        mode: scene.mode ?? null,
        told: seen.answer?.texts ?? null,
        stored: seen.stored,
        records: seen.records,
      });
      if (flags.paceMs > 0) await pause(flags.paceMs, undefined, { signal: stop.signal }).catch(() => {});
    },
  });
  process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
  if (result.type === "unusable") return usageError(result.problem);
  if (result.type === "stopped") return 130;
  if (flags.json) {
    const document = { ok: result.mismatches.length === 0, facts: result.facts, mismatches: result.mismatches, scenes };
    process.stdout.write(`${asciiOnly(JSON.stringify(document, null, 2))}\n`);
  }
  say(result.mismatches.length === 0 ? style.good(result.closing) : style.bad(result.closing));
  for (const mismatch of result.mismatches) say(`  ${mismatch}`);
  say(`The outcome log and a page that sums it up are in ${flags.out}`);
  return result.mismatches.length === 0 ? 0 : 1;
}

/** The flags, or what is wrong with them. */
function readFlags(argv: readonly string[]): Flags | string {
  const options = {
    out: { type: "string", default: "./fourgate-demo" },
    pace: { type: "string", default: "0" },
    json: { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  } as const;
  try {
    const { values } = parseArgs({ args: [...argv], options, strict: true, allowPositionals: false });
    const pace = /^\d{1,9}(\.\d{1,9})?$/.test(values.pace) ? Number(values.pace) : Number.NaN;
    if (!(pace <= MAX_DEMO_PACE_SECONDS)) return `--pace takes seconds from 0 to ${MAX_DEMO_PACE_SECONDS}`;
    if (values.out === "") return "--out takes a directory";
    return { out: values.out, paceMs: pace * 1000, json: values.json, help: values.help };
  } catch (error) {
    return (error as Error).message.split("\n")[0] ?? "wrong flags";
  }
}

function usageError(problem: string): number {
  process.stderr.write(`fourgate demo: error: ${problem}\n`);
  return 2;
}

function colours(on: boolean) {
  const paint = (code: string) => (text: string) => (on ? `\x1b[${code}m${text}\x1b[0m` : text);
  return { bold: paint("1"), good: paint("32"), bad: paint("31") };
}
