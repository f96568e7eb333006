// The command line of `fourgate demo`: flags, words on stdout, exit status.

import { setTimeout as pause } from "node:timers/promises";
import { MAX_DEMO_PACE_SECONDS } from "../core/limits.ts";
import { type OptionTable, optionHelp, parseOptions } from "./options.ts";

const DEFAULT_OUT = "./fourgate-demo";

export const demoOptions: OptionTable = {
  out: { value: "DIR", help: `where the outcome log and the summary go (default ${DEFAULT_OUT})` },
  pace: { value: "SECONDS", help: `pause between scenes, 0 to ${MAX_DEMO_PACE_SECONDS} (default 0)` },
  json: { help: "one JSON document instead of the story" },
  help: { help: "this text" },
};

export const demoHelp = `fourgate demo: see fourgate at work, in five short scenes on this machine

Usage: fourgate demo [--out DIR] [--pace SECONDS] [--json]

${optionHelp(demoOptions)}

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
  const parsed = parseOptions(argv, demoOptions);
  if (!parsed.ok) return parsed.problem;
  const { values, positionals } = parsed;
  const [out, pace] = [values.get("out") ?? DEFAULT_OUT, values.get("pace") ?? "0"];
  const help = values.has("help");
  if (help) return { out, paceMs: 0, json: false, help };
  if (positionals.length > 0) return "more arguments than there should be; demo takes flags alone";
  const seconds = /^\d{1,9}(\.\d{1,9})?$/.test(pace) ? Number(pace) : Number.NaN;
  if (!(seconds <= MAX_DEMO_PACE_SECONDS)) return `--pace takes seconds from 0 to ${MAX_DEMO_PACE_SECONDS}`;
  if (out === "") return "--out takes a directory";
  return { out, paceMs: seconds * 1000, json: values.has("json"), help };
}

function usageError(problem: string): number {
  process.stderr.write(`fourgate demo: error: ${problem}\n`);
  return 2;
}

function colours(on: boolean) {
  const paint = (code: string) => (text: string) => (on ? `\x1b[${code}m${text}\x1b[0m` : text);
  return { bold: paint("1"), good: paint("32"), bad: paint("31") };
}
